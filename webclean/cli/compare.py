"""`webclean compare`: all methods and installed peers on one folder of labelled pages."""

from __future__ import annotations

import argparse
from pathlib import Path

from webclean.cli.commands import COMMANDS, command, flag, option
from webclean.cli.terminal import count_pages
from webclean.errors import InputError
from webclean.model import Document
from webclean.page import CleanPage
from webclean.pipeline import METHOD_NAMES, analyse_document
from webclean.rules import load_rules

_DESCRIPTION = """Score every method of webclean, and every peer that is installed (trafilatura, resiliparse,
readability-lxml), on labelled pages: html/ID.html.gz with ground-truth/ID.json, or ID.html.gz beside ID.txt.
P, R, F1 by words and by the longest common subsequence; milliseconds a page (a method of webclean without
the shared parse)."""

_EXAMPLES = """examples:
  webclean compare --data pages/
  webclean compare --data pages/ --methods scorecard,patent --no-peers --csv rows.csv --chart methods.png
"""


@command(
    "compare",
    COMMANDS["compare"],
    option("--data", "the labelled pages", "DIR", Path, required=True),
    option("--methods", "only these methods (default: all)", "A,B"),
    flag("--no-peers", "only methods of webclean"),
    option("--limit", "only the first N pages", "N", int),
    option("--csv", "write one line for each method and page", "FILE", Path),
    option("--json", "write the table's figures", "FILE", Path),
    option("--chart", "write a bar chart (PNG)", "FILE", Path),
    description=_DESCRIPTION,
    examples=_EXAMPLES,
)
def compare(args: argparse.Namespace) -> int:
    """Compare and print the table."""
    from webclean.compare.dataset import read_true_samples  # noqa: PLC0415
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
    rows, rules = [], load_rules()

    def render(document: Document, method: str) -> str:
        return CleanPage(analyse_document(document, rules, method)).text

    for page in count_pages(read_true_samples(args.data)[: args.limit or None]):
        rows += compare_page(page, methods, peers, render)
    summaries = summarise_rows(rows)
    print(format_table(summaries))
    if args.csv:
        write_csv(rows, args.csv)
    if args.json:
        write_json(summaries, args.json)
    if args.chart:
        draw_chart(summaries, args.chart, args.data.name)
    return 0


def _choose_methods(names: str | None) -> list[str]:
    known = list(METHOD_NAMES)
    chosen = names.split(",") if names else known
    for name in chosen:
        if name not in known:
            raise InputError(f"unknown method {name!r}: one of {', '.join(known)}")
    return chosen
