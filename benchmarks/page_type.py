"""What it costs to tell a page's type once the columns that the blocks need anyway are there.

usage: python benchmarks/page_type.py [FOLDER] [--pages N] [--rounds N] [--max-ms X]

In each round the columns of all pages are built anew and scored, as cleaning does; then `classify_page` is timed, page
after page, so that whatever it alone asks for is counted. The bare parse of the same pages is timed as well: compare
the ratio, for milliseconds depend on the machine. FOLDER holds labelled pages in one of the layouts of quality.py;
without it the repository's fixtures are taken.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median

import checkout  # noqa: F401  webclean of this clone
from page_folders import FIXTURES
from speed import parse_bare, read_htmls, time_once

from webclean.classify import classify_page
from webclean.decide import decide_blocks
from webclean.features import PageColumns
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import RuleSet, load_rules


def build_scored(html: bytes, url: str, rules: RuleSet) -> PageColumns:
    """A page with every column that deciding on its blocks asks for."""
    columns = build_columns(parse_page(html, url=url or None), rules)
    decide_blocks(columns, rules, {}, [])
    return columns


def time_round(pages: Sequence[tuple[bytes, str]], rules: RuleSet) -> list[tuple[float, float]]:
    """For each page, processor seconds of the bare parse and of telling the type."""
    bare = [time_once(parse_bare, html, url) for html, url in pages]
    built = [build_scored(html, url, rules) for html, url in pages]
    own = []
    for columns in built:
        start = time.process_time()
        classify_page(columns, rules)
        own.append(time.process_time() - start)
    return list(zip(bare, own, strict=True))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=FIXTURES, metavar="FOLDER")
    parser.add_argument("--pages", type=int, default=100, help="how many pages, evenly spread over the folder")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--max-ms", type=float, metavar="X", help="fail when a page costs more on average")
    options = parser.parse_args(arguments)
    pages, rules = read_htmls(options.folder, options.pages), load_rules()
    rounds = [time_round(pages, rules) for _ in range(options.rounds)]
    by_page = [[median(times) for times in zip(*found, strict=True)] for found in zip(*rounds, strict=True)]
    bare, own = ([1000 * seconds for seconds in column] for column in zip(*by_page, strict=True))
    mean = fmean(own)
    print(f"{len(pages)} pages: the type {mean:.3f} ms a page (median {median(own):.3f}, largest {max(own):.3f}),")
    print(f"the bare parse {fmean(bare):.3f} ms: ratio {mean / fmean(bare):.2f}")
    if options.max_ms and mean > options.max_ms:
        print(f"FAULT over {options.max_ms} ms")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
