// The workbench: options, rules and the page go to the server; blocks, reasons, remarks and changes come back.

import { ask } from "./api.js";
import { make } from "./elements.js";
import { Picture } from "./picture.js";
import { Tree } from "./tree.js";

const DELAY = 250; // milliseconds without a key before edited rules are tried

const byId = (id) => document.getElementById(id);
const top_ = byId("top");
const options = byId("options");
const yaml = byId("yaml");
const saveButton = byId("save");
const typeButton = byId("write-type");
const searchBox = byId("search");

const state = { found: null, digest: "", saved: "", canSave: false, chosen: null, asking: null, timer: 0 };

const tree = new Tree(byId("tree"), choose);
const picture = new Picture(byId("picture"), (kind, id) => {
  const block = kind === "block" ? state.found.blocks.find((one) => one.id === id) : null;
  choose(kind, block ? block.number : id, false);
});

function describe(more = {}) {
  const chosen = Object.fromEntries([...new FormData(options)].filter(([, value]) => value));
  return { page: top_.dataset.page, url: top_.dataset.url, yaml: yaml.value, ...chosen, ...more };
}

function tell(message, isBad = false) {
  byId("status").textContent = message;
  byId("status").classList.toggle("bad", isBad);
}

async function open() {
  try {
    const { page, url } = describe();
    const opened = await ask("/inspect/open", { page, url });
    yaml.value = state.saved = opened.yaml;
    state.digest = opened.digest;
    state.canSave = opened.can_save;
    byId("site").textContent = opened.site ? `of ${opened.site}` : "for this page: without an address no site is known";
    await look();
  } catch (error) {
    byId("title").textContent = "The page cannot be opened";
    tell(error.message, true);
  }
}

async function look() {
  state.asking?.abort();
  const asking = (state.asking = new AbortController());
  tell("Cleaning …");
  try {
    const found = await ask("/inspect/look", describe(), asking.signal);
    state.found = found;
    show(found);
    tell(`${found.n_kept} of ${found.n_words} words are kept. ${found.warnings.join("; ")}`);
    if (state.chosen) await explain();
  } catch (error) {
    if (error.name !== "AbortError") tell(error.message, true);
  }
}

function show(found) {
  byId("title").textContent = found.fields.title.value ?? "A page without a title";
  const kinds = [...new Set([found.page_type, found.page_subtype, found.page_label].filter(Boolean))];
  byId("verdict").textContent =
    `${kinds.join(", ")} (${Math.round(found.type_confidence * 100)} %); text right to about ${Math.round(found.confidence * 100)} %`;
  tree.show(found);
  search();
  picture.show(found.picture);
  byId("text").textContent = found.text;
  showRemarks(found.remarks);
  showChanges(found.changes, found.remarks);
  const isSound = found.remarks.every((one) => one.passed || !["fault", "test"].includes(one.kind));
  saveButton.disabled = !(state.canSave && isSound && yaml.value.trim() && yaml.value !== state.saved);
}

function showRemarks(remarks) {
  byId("remarks").replaceChildren(...remarks.map((one) => {
    const go = make("button", { type: "button" }, `line ${one.line}`);
    go.addEventListener("click", () => goToLine(one.line));
    const kind = one.passed ? "passed" : ["fault", "test"].includes(one.kind) ? one.kind : "finding";
    return make("li", { class: kind }, ...(one.line ? [go, " "] : []), kind === "finding" ? `${one.kind}: ` : "", one.message);
  }));
}

function goToLine(line) {
  const lines = yaml.value.split("\n");
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  yaml.focus();
  yaml.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
}

function showChanges(changes, remarks) {
  const box = byId("changes");
  if (remarks.some((one) => one.kind === "fault")) {
    box.replaceChildren(make("p", { class: "hint" }, "The rules cannot be used yet; the page is shown as without them."));
  } else if (!changes.length) {
    box.replaceChildren(make("p", { class: "hint" }, "Nothing: the text is as with the saved rules."));
  } else {
    const counted = (sign) => changes.filter(([one]) => one === sign).length;
    box.replaceChildren(
      make("p", { class: "hint" }, `${counted("+")} lines more, ${counted("-")} less`),
      ...changes.map(([sign, line]) =>
        make(sign === "+" ? "ins" : "del", {}, make("span", { "aria-hidden": "true" }, sign === "+" ? "+ " : "− "),
          make("span", { class: "unseen" }, sign === "+" ? "now kept: " : "no longer kept: "), line)),
    );
  }
}

function choose(kind, number, scroll = true) {
  state.chosen = { kind, number };
  byId("why").scrollTop = 0;
  tree.select(`${kind} ${number}`);
  const block = state.found.blocks.find((one) => one.number === number);
  picture.select(kind === "text" ? `[data-wc-text="${number}"]` : `[data-wc="${CSS.escape(block.id)}"]`, scroll);
  explain();
}

async function explain() {
  const { kind, number } = state.chosen;
  if (kind === "block") {
    const block = state.found.blocks.find((one) => one.number === number);
    if (block) byId("reasons").replaceChildren(...showBlock(block));
    return;
  }
  if (number >= state.found.text_blocks.length) return;
  try {
    const found = await ask("/inspect/block", describe({ number }));
    if (state.chosen.kind === kind && state.chosen.number === number) byId("reasons").replaceChildren(...showText(found));
  } catch (error) {
    byId("reasons").replaceChildren(make("p", { class: "bad" }, error.message));
  }
}

function verdict(kept, rest) {
  return make("p", {}, make("strong", { class: kept ? "good" : "bad" }, kept ? "Kept" : "Dropped"), rest);
}

function showBlock(block) {
  return [
    verdict(block.kept, `: ${block.sentence}`),
    make("p", { class: "hint" }, `${block.role}, ${block.kept_words} of ${block.words} words in the text, ` +
      `${block.n_links} links, ${block.n_records} entries, importance ${block.importance}`),
    showReasons(block.reasons),
  ];
}

function showText(found) {
  const because = make("input", { "aria-label": "Why", placeholder: "why, in a few words" });
  const button = make("button", { type: "button" }, found.kept ? "Drop such text" : "Keep such text");
  button.addEventListener("click", () => extend(found, because.value, button));
  return [
    verdict(found.kept, `: ${found.sentence}`),
    make("blockquote", {}, found.text),
    make("p", { class: "hint" }, `${found.score} points; kept from ${found.cut} on`),
    make("div", { class: "row" }, because, button),
    showReasons(found.reasons),
    make("p", { class: "hint mono" }, found.xpath),
  ].filter(Boolean);
}

function showReasons(reasons) {
  const rows = reasons.map((one) =>
    make("tr", {}, make("td", {}, one.points === null ? "" : `${one.points >= 0 ? "+" : "−"}${Math.abs(one.points).toFixed(2)}`),
      make("td", {}, make("b", {}, one.rule), ` (${one.stage})${one.evidence ? `: ${one.evidence}` : ""}`)));
  return make("table", {}, make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "points"), make("th", { scope: "col" }, "because"))),
    make("tbody", {}, ...rows));
}

// A rule, with its test, for a text that is to be kept or dropped is written into the editor.
function extend(found, because, button) {
  const texts = [found.text.slice(0, 200)];
  return addRules(found.kept ? { drop: texts, because } : { keep: texts, because }, button);
}

// A rule that gives pages like this one the type that was chosen; what was chosen is then as found.
async function writeType() {
  const { page_type, page_subtype } = describe();
  await addRules({ as_type: page_subtype || page_type }, typeButton);
}

async function addRules(wanted, button) {
  button.disabled = true;
  try {
    const made = await ask("/inspect/extend", describe(wanted));
    yaml.value = made.yaml;
    if (wanted.as_type) for (const name of ["page_type", "page_subtype"]) options.elements[name].value = "";
    await look();
    if (made.remarks.length) tell(made.remarks.join("; "));
  } catch (error) {
    tell(error.message, true);
  } finally {
    button.disabled = false;
    offerType();
  }
}

function offerType() {
  const { page_type, page_subtype } = describe();
  typeButton.hidden = !(page_type || page_subtype);
}

function search() {
  const n = tree.search(searchBox.value);
  byId("n-found").textContent = searchBox.value.trim() ? `${n} found` : "";
}

async function save() {
  saveButton.disabled = true;
  try {
    const save = (sure) => ask("/inspect/save", describe({ digest: state.digest, sure }));
    const done = await save(false).catch((error) => {
      if (error.kind === "unsure" && confirm(`Save all the same? ${error.message}`)) return save(true);
      throw error;
    });
    state.digest = done.digest;
    state.saved = yaml.value;
    byId("saved").textContent = `Saved ${done.saved.join(" and ")}`;
    await look();
  } catch (error) {
    byId("saved").textContent = error.message;
    saveButton.disabled = false;
  }
}

options.addEventListener("change", () => {
  offerType();
  look();
});
typeButton.addEventListener("click", writeType);
searchBox.addEventListener("input", search);
options.addEventListener("submit", (event) => event.preventDefault());
yaml.addEventListener("input", () => {
  clearTimeout(state.timer);
  state.timer = setTimeout(look, DELAY);
});
saveButton.addEventListener("click", save);
addEventListener("beforeunload", (event) => {
  if (state.canSave && yaml.value !== state.saved) event.preventDefault();
});
open();
