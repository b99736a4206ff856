// Asking the server: JSON in, JSON out; what goes wrong is an Error with the sentence of the server.

export async function ask(path, body, signal) {
  let answer;
  try {
    answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("the server does not answer");
  }
  const found = await answer.json().catch(() => ({ detail: `HTTP ${answer.status}` }));
  if (!answer.ok) throw Object.assign(new Error(found.detail), { kind: found.kind });
  return found;
}
