"""`webclean compare`: all methods and installed peers on one folder of labelled pages."""

from __future__ import annotations

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import Any

from webclean.errors import InputError
from webclean.model import Document
from webclean.page import CleanPage
from webclean.pipeline import METHOD_NAMES, analyse_document
from webclean.rules import RuleSet, load_rules

_DESCRIPTION = """Score every method of webclean, and every peer that is installed (trafilatura, resiliparse,
readability-lxml), on labelled pages: html/ID.html.gz with ground-truth/ID.json, or ID.html.gz beside ID.txt.
P, R, F1 by words and by the longest common subsequence; milliseconds a page (a method of webclean without
the shared parse)."""

_EXAMPLES = """examples:
  webclean compare --data pages/
  webclean compare --data pages/ --methods scorecard,patent --no-peers --csv rows.csv --chart methods.png
"""


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser(
        "compare", help="score all methods and peers on labelled pages", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the labelled pages")
    parser.add_argument("--methods", metavar="A,B", help="only these methods (default: all)")
    parser.add_argument("--no-peers", action="store_true", help="only methods of webclean")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N pages")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write one line for each method and page")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the table's figures")
    parser.add_argument("--chart", type=Path, metavar="FILE", help="write a bar chart (PNG)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compare and print the table."""
    from webclean.compare.dataset import read_corpus  # noqa: PLC0415
    from webclean.compare.run import (  # noqa: PLC0415
        compare_page,
        draw_chart,
        find_peers,
        format_table,
        summarise_rows,
        write_csv,
        write_json,
    )

    methods = _choose_methods(args.methods)
    peers = {} if args.no_peers else find_peers()
    rows, render = [], partial(_render, load_rules())
    for number, page in enumerate(read_corpus(args.data), start=1):
        if args.limit and number > args.limit:
            break
        if sys.stderr.isatty():
            print(f"\r{number} pages", end="", file=sys.stderr, flush=True)
        rows += compare_page(page, methods, peers, render)
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)
    summaries = summarise_rows(rows)
    print(format_table(summaries))
    if args.csv:
        write_csv(rows, args.csv)
    if args.json:
        write_json(summaries, args.json)
    if args.chart:
        draw_chart(summaries, args.chart, args.data.name)
    return 0


def _render(rules: RuleSet, document: Document, method: str) -> str:
    return CleanPage(analyse_document(document, rules, method)).text


def _choose_methods(names: str | None) -> list[str]:
    known = list(METHOD_NAMES)
    chosen = names.split(",") if names else known
    for name in chosen:
        if name not in known:
            raise InputError(f"unknown method {name!r}: one of {', '.join(known)}")
    return chosen
