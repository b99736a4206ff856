"""What cleaning costs: beside the bare parse and beside peers, and as pages grow.

usage: python benchmarks/speed.py [FOLDER] [--stripped] [--pages N] [--rounds N] [--systems A,B]

Processor time is measured; all systems take turns on each page, so that a busy machine slows all alike, and the median
of the rounds counts for each page. Compare ratios, never milliseconds of different runs. FOLDER holds labelled pages in
one of the layouts of quality.py, or any *.html files; without it the repository's fixtures are taken.

--stripped takes scripts, style sheets and comments out of the pages first: a parser passes over them quickly, so with
them every ratio looks better. Beside the cost stands the mean word F1 of the text on the same pages, where they are
labelled.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np
import turbohtml
from harness import format_table, make_parser
from page_folders import FIXTURES, read_folder
from systems import System, find_systems, make_webclean

import webclean
from webclean.errors import InputError
from webclean.workbench.labelled_pages import score_words

BARE = "bare parse"
Task = Callable[[bytes, str], Any]
_PASSED_OVER = re.compile(rb"<script\b.*?</script\s*>|<style\b.*?</style\s*>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
GROWTH = (1, 2, 4, 8, 16)
"""How often the body of a page is repeated to see how the cost grows."""


def parse_bare(html: bytes, url: str) -> object:
    """What everything is measured against: bytes to turbohtml's tree, and nothing else."""
    return turbohtml.parse(html)


def strip_markup(html: bytes) -> bytes:
    """The page without scripts, style sheets and comments."""
    return _PASSED_OVER.sub(b"", html)


def read_htmls(folder: Path, n: int) -> list[tuple[bytes, str]]:
    """(bytes, URL) of `n` pages, evenly spread over the folder."""
    return [(html, url) for html, url, _ in read_truths(folder, n)]


def read_truths(folder: Path, n: int) -> list[tuple[bytes, str, str | None]]:
    """(bytes, URL, true text if the page is labelled) of `n` pages, evenly spread over the folder."""
    found: list[tuple[bytes, str, str | None]]
    try:
        found = [(page.html, page.url, page.text) for page in read_folder(folder)]
    except InputError:
        found = [(path.read_bytes(), "", None) for path in sorted(folder.rglob("*.html"))]
    if not found:
        raise SystemExit(f"{folder}: no pages")
    step = max(1, len(found) / n)
    return [found[int(i * step)] for i in range(min(n, len(found)))]


def clean_blocks(cleaner: webclean.Cleaner, html: bytes, url: str) -> object:
    """The text, its fields and the semantic blocks of a page, of each its role, fate, text and importance."""
    page = cleaner.clean(html, url=url or None)
    blocks = [(block.role, block.kept, block.text, block.importance) for block in page.blocks]
    return page.text, page.title, page.date, page.author, blocks


def score_texts(systems: dict[str, System], pages: Sequence[tuple[bytes, str, str | None]]) -> dict[str, float]:
    """Mean word F1 of the text of each system on the labelled pages; empty where none is."""
    labelled = [(html, url, text) for html, url, text in pages if text is not None]
    return {
        name: mean(score_words(system(html, url).text, text).f1 for html, url, text in labelled)
        for name, system in systems.items()
        if labelled
    }


def time_tasks(tasks: dict[str, Task], pages: Sequence[tuple[bytes, str]], rounds: int) -> dict[str, list[float]]:
    """Seconds of each task on each page: the median of the rounds, tasks taking turns."""
    spent: dict[str, list[list[float]]] = {name: [[] for _ in pages] for name in tasks}
    for _ in range(rounds):
        for i, (html, url) in enumerate(pages):
            for name, task in tasks.items():
                spent[name][i].append(time_once(task, html, url))
    return {name: [median(times) for times in by_page] for name, by_page in spent.items()}


def time_once(task: Task, html: bytes, url: str) -> float:
    start = time.process_time()
    with suppress(Exception):  # a peer that fails on a page is timed until it does
        task(html, url)
    return time.process_time() - start


def fit_exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """b of seconds = a * size ** b, by least squares over the logarithms: 1 is linear, 2 is quadratic."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def repeat_body(html: bytes, times: int) -> bytes:
    """The page with what its body holds written `times` times."""
    lower = html.lower()
    start, end = lower.find(b"<body"), lower.rfind(b"</body")
    start = lower.find(b">", start) + 1 if start >= 0 else 0
    end = end if end > start else len(html)
    return html[:start] + html[start:end] * times + html[end:]


def measure_growth(tasks: dict[str, Task], pages: Sequence[tuple[bytes, str]]) -> dict[str, float]:
    """Growth exponent of each task, the median over the pages."""
    exponents: dict[str, list[float]] = {name: [] for name in tasks}
    for html, url in pages:
        grown = [(repeat_body(html, times), url) for times in GROWTH]
        spent = time_tasks(tasks, grown, rounds=3)
        for name in tasks:
            exponents[name].append(fit_exponent([len(page) for page, _ in grown], spent[name]))
    return {name: median(values) for name, values in exponents.items()}


def format_speed(spent: dict[str, list[float]], growth: dict[str, float], scores: dict[str, float]) -> str:
    """A Markdown table: milliseconds a page, cost against the bare parse and against webclean, growth, F1."""
    total = {name: sum(times) for name, times in spent.items()}
    rows = [
        [
            name,
            f"{1000 * total[name] / len(times):.2f}",
            f"{1000 * median(times):.2f}",
            f"{total[name] / total[BARE]:.1f}",
            f"{total[name] / total['webclean']:.2f}",
            f"{growth[name]:.2f}" if name in growth else "",
            f"{scores[name]:.3f}" if name in scores else "",
        ]
        for name, times in spent.items()
    ]
    head = ("", "ms a page", "median ms", "x bare parse", "x webclean", "growth exponent", "F1")
    return format_table(head, rows)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FIXTURES, metavar="FOLDER")
    parser.add_argument("--pages", type=int, default=100, help="how many pages, evenly spread over the folder")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--systems", type=lambda text: text.split(","), metavar="A,B", help="default: all installed")
    parser.add_argument("--stripped", action="store_true", help="without scripts, style sheets and comments")
    options = parser.parse_args(arguments)
    truths = read_truths(options.folder, options.pages)
    if options.stripped:
        truths = [(strip_markup(html), url, text) for html, url, text in truths]
    pages = [(html, url) for html, url, _ in truths]
    cleaner = webclean.Cleaner()
    systems: dict[str, System] = find_systems(options.systems)
    peers = {name: system for name, system in systems.items() if name != "webclean"}
    tasks: dict[str, Task] = {BARE: parse_bare, "webclean": make_webclean(cleaner, fields=False)}
    tasks |= {"webclean, with title, date, author": make_webclean(cleaner)}
    tasks |= {"webclean, with semantic blocks too": partial(clean_blocks, cleaner), **peers}
    time_tasks(tasks, pages[:3], 1)
    spent = time_tasks(tasks, pages, options.rounds)
    scores = score_texts({"webclean": make_webclean(cleaner, fields=False), **peers}, truths)
    by_size = sorted(pages, key=lambda page: len(page[0]))
    growth = measure_growth(tasks, by_size[len(by_size) // 2 :][:3])
    print(f"{len(pages)} pages, {sum(len(html) for html, _ in pages) / len(pages) / 1000:.0f} kB on average\n")
    print(format_speed(spent, growth, scores))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
