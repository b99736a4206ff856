"""A trial of server, crawl, tools and commands as strangers use them, with real processes: what must hold.

usage: python benchmarks/trial.py [--small]      few pages, and nothing judged by the clock but pauses of a crawl
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import checkout  # noqa: F401  webclean of this clone, here and in what is started
import httpx
from page_folders import FIXTURES

from webclean.compat import extract
from webclean.workers import MB, measure_memory

COMMAND: Final = [sys.executable, "-P", "-m", "webclean"]
PAGE: Final = (FIXTURES / "content" / "news-en-harbour" / "input.html").read_bytes()
LINE: Final = b"<p>The council of the harbour asked in spring for a survey of the wall, and its cost.</p>\n"
HTML: Final = {"content-type": "text/html"}
Said = Iterator[tuple[str, bool]]


def run(folder: Path, *words: str) -> tuple[int, str]:
    done = subprocess.run([*COMMAND, *words], cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    return done.returncode, done.stderr


@contextmanager
def serve(*options: str) -> Iterator[tuple[httpx.Client, int]]:
    with subprocess.Popen([*COMMAND, "serve", "--port", "0", *options], stderr=subprocess.PIPE, text=True) as process:
        base = process.stderr.readline().split()[1] if process.stderr else ""
        with httpx.Client(base_url=base, timeout=600, trust_env=False) as client:
            yield client, process.pid
        process.terminate()


def try_commands(folder: Path, small: bool) -> Said:
    for name in ("token", "signal", "random", "numpy"):
        (folder / f"{name}.py").write_text("open('ran', 'w')\n")
    (folder / "page.html").write_bytes(PAGE)
    codes = [run(folder, "clean", "page.html")[0], run(folder, "batch", "page.html", "-o", "out")[0]]
    yield f"1: modules in the working folder are not run: {codes}", codes == [0, 0] and not (folder / "ran").exists()
    wrong = [["serve", *words.split()] for words in ("--port 70000", "--rate lots", "--timeout nan", "--rules /no")]
    for name, text in {"date": "2026-13-45", "digits": "9" * 4_300, "sixties": "1:" * 250_000 + "1"}.items():
        (folder / name).with_suffix(".yaml").write_text(f"x: {text}")
        wrong.append(["rules", "check", f"{name}.yaml"])
    told = [code > 0 and "Traceback" not in said for code, said in (run(folder, *words) for words in wrong)]
    yield f"10, 11: {sum(told)} of {len(wrong)} wrong values are told", all(told)
    made = extract(b"<p>A short intro of the harbour.</p><div id=comments>" + LINE * 8, include_comments=False)
    yield f"6: without comments: {made}", "council" not in (made or "")


def measure(pid: int) -> int:
    children = (text for path in Path(f"/proc/{pid}/task").glob("*/children") for text in path.read_text().split())
    return measure_memory(pid) // MB + sum(measure(int(child)) for child in children)


def try_server(folder: Path, small: bool) -> Said:
    n_clients, n_pages, n_large = (4, 40, 2) if small else (20, 1_500, 4)
    large = PAGE + LINE * ((1_000_000 if small else 4_800_000) // len(LINE))
    running = serve("--rate", "none", "--rules-dir", str(folder / "rules"), "--allow-private")
    with running as (client, pid), ThreadPoolExecutor(n_clients) as threads, ThreadPoolExecutor(4) as others:
        seconds: list[float] = []

        def ask(body: bytes) -> int:
            start = time.monotonic()
            status = client.post("/v1/clean", content=body, headers=HTML).status_code
            seconds.extend([time.monotonic() - start] * (body is PAGE))
            return status

        ask(PAGE)
        before, beside = measure(pid), [others.submit(ask, large) for _ in range(n_large)]
        counts = [Counter(threads.map(ask, [PAGE] * n_pages)), Counter(one.result() for one in beside)]
        p99 = sorted(seconds)[int(0.99 * len(seconds))]
        yield f"2: {counts}, p99 {p99:.2f} s", counts == [{200: n_pages}, {200: n_large}] and (small or p99 <= 2)
        yield f"13: {before} MB before, {(after := measure(pid))} MB after", after < before + 4 * 150
        refused = client.post("/v1/clean", content=b'{"html": "<p>a"}', headers={"content-type": "text/plain"})
        foreign = client.get("/r/https://example.org/", headers={"sec-fetch-site": "cross-site"})
        codes = [one.status_code for one in (refused, foreign, client.get(f"/r/{client.base_url}/healthz"))]
        yield f"11: {codes}", codes == [415, 403, 502]
        opened = client.post("/open", data={"html": PAGE.decode(), "url": "https://example.org/a"})
        asked = {"page": opened.headers["location"].partition("page=")[2]}
        asked["digest"] = client.post("/inspect/open", json=asked).json()["digest"]
        rules = [f"rules:\n  x: {{when: {{selector: .x{n}}}, action: drop, because: a try}}\n" for n in range(4)]
        saved = threads.map(lambda text: client.post("/inspect/save", json={**asked, "yaml": text}).status_code, rules)
        yield f"9: savings at once: {dict(by_code := Counter(saved))}", by_code == {200: 1, 409: 3}
    with serve("--rate", "1/minute") as (client, _):
        sent = [{**HTML, "x-forwarded-for": f"203.0.113.{n}"} for n in range(3)]
        by_code = Counter(client.post("/v1/clean", content=PAGE, headers=one).status_code for one in sent)
        yield f"8: another X-Forwarded-For each: {dict(by_code)}", by_code == {200: 1, 429: 2}


def try_crawl(folder: Path, small: bool) -> Said:
    asked, process = list[tuple[float, str]](), list[subprocess.Popen[bytes]]()

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append((time.monotonic(), self.path))
            if len(asked) == 6:
                process[0].kill()
            number = int(self.path[6:]) if "/deep/" in self.path else 0
            links = "".join(f"<li><a href=/shop-{letter}>Shop {letter}</a>" for letter in "abcdefgh")
            body = f"<h1>Port</h1>{LINE.decode()}<ul><li><a href=/deep/{number + 1}>Tides {number + 1}</a>{links}</ul>"
            self.send_response(200)
            self.send_header("Content-Type", "text/plain" if "robots" in self.path else "text/html")
            self.end_headers()
            self.wfile.write(b"User-agent: *\nCrawl-delay: 0.3\n" if "robots" in self.path else body.encode())

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as site, ThreadPoolExecutor(1) as thread:
        thread.submit(site.serve_forever)
        words = ["crawl", f"http://127.0.0.1:{site.server_port}/", "-o", "out", "--delay", "0"]
        words += ["--max-pages", "25", "--allow-private", "--topic", "tide tables of the harbour"]
        process.append(subprocess.Popen([*COMMAND, *words], cwd=folder, stderr=subprocess.DEVNULL))
        process[0].wait()
        yield "4: the same command says what is there", "--resume" in run(folder, *words)[1]
        code = run(folder, *words, "--resume")[0]
        paths = Counter(path for _, path in asked if path != "/robots.txt")
        yield f"4: {paths.total()} pages asked for, {len(paths)} different", paths.total() - len(paths) <= 1
        n_deep, n_shops = (sum(path.startswith(f"/{name}") for path in paths) for name in ("deep", "shop"))
        yield f"3: {n_deep} of the chain, {n_shops} others", code == 0 and n_deep <= 6 and n_shops == 8
        yield f"5: pauses of {(pause := (asked[-1][0] - asked[-8][0]) / 7):.2f} s", pause > 0.28
        site.shutdown()


def try_tools(folder: Path, small: bool) -> Said:
    from webclean.server.mcp_server import PageTools  # noqa: PLC0415  an extra

    tools, page = PageTools(root=folder), f"<h1>x</h1><p>{LINE.decode() * 9_999}" + "<h2>Part</h2><p>of it</p>" * 999
    calls = (tools.page_sections, tools.page_blocks, tools.page_links, tools.read_page, tools.page_records)
    sizes = [*(len(json.dumps(call(page))) for call in calls), len(json.dumps(tools.explain_block(page, "b0")))]
    yield f"7: answers of {sizes} characters", max(sizes) < 250_000
    os.mkfifo(folder / "pipe")
    try:
        yield f"12: a pipe is read: {tools.read('pipe')}", False
    except Exception as error:
        yield f"12: a pipe is refused: {error}", str(folder) not in str(error)


NEEDS: Final = {try_commands: "pyarrow", try_server: "limits", try_crawl: "scrapy", try_tools: "mcp"}


def main() -> int:
    """Print a line for each promise; 1 if one is not held."""
    small, n_failed = "--small" in sys.argv, 0
    for trial, library in NEEDS.items():
        with tempfile.TemporaryDirectory() as folder:
            passed_over = [(f"passed over: {trial.__name__} needs {library}", True)]
            for said, is_held in trial(Path(folder), small) if find_spec(library) else passed_over:
                print("held  " if is_held else "FAILED", said, flush=True)
                n_failed += not is_held
    return int(n_failed > 0)


if __name__ == "__main__":
    sys.exit(main())
