"""Many pages through one cleaner: the same results in threads and processes, and no growth of memory.

usage: python benchmarks/endurance.py [--pages N] [--threads N] [--memory N] [--corpus DIR]

The fixtures (and the HTML files of `--corpus`) are cleaned again and again: `--pages` of them by one thread and by
`--threads` that share the `Cleaner`, then all by forked and by spawned processes; every digest of text, fields, blocks
and renderings must be the same. Then `--memory` pages are cleaned, and the memory of the process is told on the way.
"""

from __future__ import annotations

import gc
import hashlib
import json
import multiprocessing
import resource
import sys
import time
import tracemalloc
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from harness import make_parser
from page_folders import find_fixtures, read_fixture

import webclean

Page = tuple[bytes, str | None]
"""Bytes and URL."""


class Growth(NamedTuple):
    """What is held more after all pages than after the first ones."""

    n_objects: int
    n_bytes: int


def read_pages(folder: Path | None = None) -> list[Page]:
    """The fixtures, and the HTML files of a folder."""
    found = [read_fixture(path) for path in find_fixtures()]
    pages: list[Page] = [(fixture.html, fixture.url) for fixture in found]
    return pages + [(path.read_bytes(), None) for path in sorted(folder.rglob("*.html"))] if folder else pages


def digest_page(cleaner: webclean.Cleaner, page: Page) -> str:
    """A digest of all that is made of a page."""
    cleaned = cleaner.clean(page[0], url=page[1])
    made = (json.dumps(cleaned.to_dict(include_reasons=True)), cleaned.to_markdown(), cleaned.to_mobile_html())
    return hashlib.sha256("\0".join(made).encode("utf-8", "surrogatepass")).hexdigest()


def clean_in_threads(pages: Sequence[Page], n_pages: int, *, n_threads: int) -> list[str]:
    """The digests of the pages, again from the start until there are enough, in threads that share one cleaner."""
    cleaner = webclean.Cleaner()
    wanted = [pages[at % len(pages)] for at in range(n_pages)]
    with ThreadPoolExecutor(n_threads) as threads:
        return list(threads.map(lambda page: digest_page(cleaner, page), wanted))


def _digest_apart(page: Page) -> str:
    return digest_page(webclean.Cleaner(), page)


def clean_in_processes(pages: Sequence[Page], method: str) -> list[str]:
    """The digests of the pages in two processes that are started by `fork` or `spawn` after pages were cleaned here."""
    digest_page(webclean.Cleaner(), pages[0])
    with multiprocessing.get_context(method).Pool(2) as processes:
        return processes.map(_digest_apart, pages, chunksize=1)


def measure_growth(pages: Sequence[Page], n_pages: int, n_first: int) -> Growth:
    """What Python holds after `n_pages` more than after `n_first`."""
    cleaner = webclean.Cleaner()
    tracemalloc.start()
    try:
        for at in range(n_pages):
            if at == n_first:
                gc.collect()
                before = len(gc.get_objects()), tracemalloc.get_traced_memory()[0]
            digest_page(cleaner, pages[at % len(pages)])
        gc.collect()
        return Growth(len(gc.get_objects()) - before[0], tracemalloc.get_traced_memory()[0] - before[1])
    finally:
        tracemalloc.stop()


def watch_memory(pages: Sequence[Page], n_pages: int) -> list[tuple[int, float]]:
    """(pages cleaned, MB of the process) at ten places on the way."""
    cleaner = webclean.Cleaner()
    seen = []
    for at in range(n_pages):
        digest_page(cleaner, pages[at % len(pages)])
        if (at + 1) % max(1, n_pages // 10) == 0:
            seen.append((at + 1, _read_memory()))
    return seen


def _read_memory() -> float:
    """MB that the process holds now; where the system does not tell, the most that it has held."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * resource.getpagesize() / 1e6
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--memory", type=int, default=2_000)
    parser.add_argument("--corpus", type=Path, metavar="DIR")
    options = parser.parse_args(arguments)
    pages = read_pages(options.corpus)
    start = time.monotonic()
    alone = clean_in_threads(pages, options.pages, n_threads=1)
    shared = clean_in_threads(pages, options.pages, n_threads=options.threads)
    n_other = sum(one != other for one, other in zip(alone, shared, strict=True))
    print(f"{options.threads} threads: {n_other} of {options.pages} pages differ ({time.monotonic() - start:.0f} s)")
    first = clean_in_threads(pages, len(pages), n_threads=1)
    for method in multiprocessing.get_all_start_methods():
        apart = clean_in_processes(pages, method)
        n_apart = sum(one != other for one, other in zip(first, apart, strict=True))
        n_other += n_apart
        print(f"{method}: {n_apart} of {len(pages)} pages differ")
    for n_done, memory in watch_memory(pages, options.memory):
        print(f"{n_done:>8} pages  {memory:6.1f} MB", flush=True)
    return int(n_other > 0)


if __name__ == "__main__":
    sys.exit(main())
