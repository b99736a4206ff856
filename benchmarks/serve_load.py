"""`webclean serve` under load: requests a second, latency, errors and memory, by number of workers.

usage: python benchmarks/serve_load.py [--corpus DIR] [--pages N] [--workers N ...] [--seconds N] [--hostile] [--docs]

A server is started for each number of workers, and `wrk` (Debian's package) sends it pages: the fixtures, or HTML files
of `--corpus` (also packed ones), in turn, from 16 connections at once to `POST /v1/clean`, as fast as it answers. With
`--hostile`, a page that is made to cost is sent every second beside. Memory is proportional set size: of the server
itself, and of its processes together, the lowest of the second quarter of the run and of the last, for while a large
page is in work its process has what that page may take; and the highest of all. `--docs` writes the table into
docs/serve.md.
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import checkout
import httpx
from page_folders import find_fixtures

CONNECTIONS: Final = 16
COLUMNS: Final = (
    "workers",
    "hostile pages",
    "requests/s",
    "p50 ms",
    "p99 ms",
    "CPU ms each",
    "answered",
    "errors",
    "server MB",
    "all MB",
)
DOCS: Final = checkout.CLONE / "docs" / "serve.md"
HTML: Final = {"content-type": "text/html"}
PATH: Final = "/v1/clean?url=https://example.org/news/1"
SCRIPT: Final = """
local bodies, at = {}, 0
for line in io.lines(os.getenv("PAGES") .. "/list") do
  local file = io.open(line, "rb")
  bodies[#bodies + 1] = file:read("*a")
  file:close()
end
local headers = {["content-type"] = "text/html"}
function request()
  at = at % #bodies + 1
  return wrk.format("POST", os.getenv("ASK"), headers, bodies[at])
end
"""
HOSTILE: Final = (
    b"<p>" + b"<b><i><u>x" * 300_000,
    b"<table><tr><td>" * 60_000 + b"x",
    b"".join(b"<html a%d=1>" % at for at in range(100_000)),
    b"<p>The ferry leaves at nine, and it is full.</p><div><span>x</span></div>" * 120_000,
    b"<a href=/x>the ferry</a> " * 200_000,
    b"<ul>" + b"<li><a href=/n/1>One</a><p>It is late.</p>" * 100_000,
    b"\x00\xff" * 2_000_000,
    b"<select>" + b"<selectedcontent>" * 100_000,
)
"""Pages that are made to cost, of one to nine megabytes."""


class Load(NamedTuple):
    """One run. n_errors: answers that are not 200, and connections that failed. p50, p99: milliseconds. server, whole:
    megabytes of the server itself and of all its processes, in the second and in the last quarter. peak: of all. cpu:
    milliseconds of processor time for a request. hostile: statuses of the hostile pages."""

    workers: int
    per_second: float
    p50: float
    p99: float
    n_requests: int
    n_errors: int
    server: tuple[float, float]
    whole: tuple[float, float]
    peak: float
    cpu: float
    hostile: Counter[str]

    def format_row(self) -> str:
        hostile = ", ".join(f"{n} × {status}" for status, n in sorted(self.hostile.items())) or "none"
        return (
            f"| {self.workers} | {hostile} | {self.per_second:.1f} | {self.p50:.0f} | {self.p99:.0f} "
            f"| {self.cpu:.0f} | {self.n_requests} | {self.n_errors} | {self.server[0]:.0f} -> {self.server[1]:.0f} "
            f"| {self.whole[0]:.0f} -> {self.whole[1]:.0f}, at most {self.peak:.0f} |"
        )


def read_pages(corpus: Path | None, n_pages: int) -> list[bytes]:
    """Pages to send, evenly spread."""
    if corpus is None:
        paths = [folder / "input.html" for folder in find_fixtures()]
    else:
        paths = sorted(path for path in corpus.rglob("*.html*") if path.is_file())
    chosen = paths[:: max(1, len(paths) // n_pages)][:n_pages]
    return [gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes() for path in chosen]


@contextmanager
def start_server(workers: int) -> Iterator[tuple[str, int]]:
    """A running server: its base URL and the id of its process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "webclean",
        "serve",
        "--port",
        str(port),
        "--workers",
        str(workers),
        "--rate",
        "none",
    ]
    environment = {**os.environ, "PYTHONPATH": str(checkout.CLONE)}
    with subprocess.Popen(command, env=environment) as process:
        base = f"http://127.0.0.1:{port}"
        try:
            for _ in range(300):
                try:
                    if httpx.get(f"{base}/healthz", trust_env=False).status_code == 200:
                        break
                except httpx.TransportError:
                    time.sleep(0.2)
            yield base, process.pid
        finally:
            process.terminate()


def list_family(root: int) -> dict[int, list[str]]:
    """A process and all below it: id -> the fields of its `stat` after the name."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                found[int(entry.name)] = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
    family, grown = {root}, True
    while grown:
        more = {process for process, fields in found.items() if int(fields[1]) in family} - family
        family, grown = family | more, bool(more)
    return {process: found[process] for process in family if process in found}


def measure_memory(root: int) -> tuple[float, float]:
    """Megabytes of a process, and of it and all below it."""
    held = {process: read_memory(process) for process in list_family(root)}
    return held.get(root, 0.0), sum(held.values())


def read_memory(process: int) -> float:
    """Megabytes of a process; 0 if it has ended."""
    try:
        rollup = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    return sum(int(found) for found in re.findall(r"^Pss:\s+(\d+)", rollup, re.MULTILINE)) / 1024


def measure_cpu(root: int) -> float:
    """Seconds of processor time of a process and all below it, those that have ended included."""
    ticks = sum(sum(map(int, fields[11:15])) for fields in list_family(root).values())
    return ticks / os.sysconf("SC_CLK_TCK")


def measure(workers: int, folder: Path, seconds: int, *, hostile: bool) -> Load:
    """Load a server for some seconds."""
    with start_server(workers) as (base, process):
        environment = {**os.environ, "PAGES": str(folder), "ASK": PATH}
        script = folder / "pages.lua"
        script.write_text(SCRIPT)
        asked = ["wrk", "-t1", f"-c{CONNECTIONS}", "--latency", "--timeout", "60s", "-s", str(script)]
        subprocess.run([*asked, "-d5s", base], env=environment, check=True, stdout=subprocess.DEVNULL)
        statuses: Counter[str] = Counter()
        stop = threading.Event()
        disturber = threading.Thread(target=send_hostile, args=(base, statuses, stop), daemon=True)
        if hostile:
            disturber.start()
        memory, cpu = [], measure_cpu(process)
        with subprocess.Popen(
            [*asked, f"-d{seconds}s", base], env=environment, stdout=subprocess.PIPE, text=True
        ) as running:
            while running.poll() is None:
                memory.append(measure_memory(process))
                time.sleep(1)
            assert running.stdout is not None
            told = running.stdout.read()
        stop.set()
        cpu = measure_cpu(process) - cpu
        statuses = Counter(statuses)  # not those that the end of the server cuts off
    return read_result(workers, told, memory, cpu, statuses)


def read_result(
    workers: int, told: str, memory: Sequence[tuple[float, float]], cpu: float, statuses: Counter[str]
) -> Load:
    """What `wrk` says, as numbers."""
    unit = {"us": 0.001, "ms": 1.0, "s": 1000.0, "m": 60_000.0}
    latency = {
        share: float(value) * unit[name]
        for share, value, name in re.findall(r"^\s+(\d+)%\s+([\d.]+)(us|ms|s|m)\s*$", told, re.MULTILINE)
    }
    n_errors = sum(map(int, re.findall(r"Non-2xx or 3xx responses: (\d+)", told)))
    for failures in re.findall(r"Socket errors: (.*)", told):
        n_errors += sum(map(int, re.findall(r"\d+", failures)))
    if "99" not in latency:
        sys.exit(f"wrk told no latency:\n{told}")
    n_requests = int(re.findall(r"(\d+) requests in", told)[0])
    quarter = max(1, len(memory) // 4)
    early, late = memory[quarter : 2 * quarter] or memory, memory[-quarter:]
    return Load(
        workers,
        float(re.findall(r"Requests/sec:\s+([\d.]+)", told)[0]),
        latency["50"],
        latency["99"],
        n_requests,
        n_errors,
        (min(early)[0], min(late)[0]),
        (min(whole for _, whole in early), min(whole for _, whole in late)),
        max(whole for _, whole in memory),
        1000 * cpu / max(1, n_requests),
        statuses,
    )


def send_hostile(base: str, statuses: Counter[str], stop: threading.Event) -> None:
    """Send a hostile page every second, whether the last one is answered or not."""

    def send(page: bytes) -> None:
        try:
            answer = httpx.post(f"{base}/v1/clean", content=page, headers=HTML, timeout=120, trust_env=False)
            statuses[str(answer.status_code)] += 1
        except httpx.HTTPError as error:
            statuses[type(error).__name__] += 1

    for page in itertools.cycle(HOSTILE):
        if stop.wait(1):
            return
        threading.Thread(target=send, args=(page,), daemon=True).start()


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, metavar="DIR")
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--hostile", action="store_true", help="also with a hostile page every second")
    parser.add_argument("--docs", action="store_true")
    args = parser.parse_args()
    if shutil.which("wrk") is None:
        sys.exit("serve_load.py needs wrk: apt-get install wrk")
    pages = read_pages(args.corpus, args.pages)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = [folder / f"{number}.html" for number in range(len(pages))]
        for path, page in zip(paths, pages, strict=True):
            path.write_bytes(page)
        (folder / "list").write_text("\n".join(map(str, paths)))
        runs = [(n, False) for n in args.workers] + ([(max(args.workers), True)] if args.hostile else [])
        rows = [
            f"{len(pages)} pages of {sum(map(len, pages)) / len(pages) / 1000:.0f} kB in the mean, "
            f"{CONNECTIONS} connections, {args.seconds} s, {os.cpu_count()} cores with a load of "
            f"{os.getloadavg()[0]:.0f} by other work",
            "",
            f"| {' | '.join(COLUMNS)} |",
            "|---" * len(COLUMNS) + "|",
        ]
        print("\n".join(rows), flush=True)
        for workers, hostile in runs:
            rows.append(measure(workers, folder, args.seconds, hostile=hostile).format_row())
            print(rows[-1], flush=True)
    if args.docs:
        text = DOCS.read_text(encoding="utf-8")
        head, _, rest = text.partition("<!-- load -->\n")
        _, _, tail = rest.partition("<!-- /load -->\n")
        DOCS.write_text(f"{head}<!-- load -->\n{chr(10).join(rows)}\n<!-- /load -->\n{tail}", encoding="utf-8")


if __name__ == "__main__":
    main()
