"""`webclean learn scorecard`: the cards that decide blocks, and the points of words, from labelled pages."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from webclean.cli.extras import require

_DESCRIPTION = """Learn which text blocks belong to the main content and write it as YAML: score_card.yaml,
article_card.yaml, second_card.yaml, plain_card.yaml, word_points.yaml and confidence.yaml. Prints the scores of
cross-validation by site, overall, by page type and language, where F1 is lost, the worst pages, and what each feature
adds; of several corpora also the scores of each one when it is left out. DIR holds html/ID.html.gz and
ground-truth/ID.json or truth/ID.json. The first DIR is the one that has every page type. The same data give the same
files."""

_EXAMPLES = """examples:
  webclean learn scorecard --data pages/ --output my-rules/
  webclean learn scorecard --data pages/ --limit 300        only the scores, of every n-th page
  webclean learn scorecard --data pages/ --data news/:0.5   two corpora, a page of the second counts half
"""


def add_parser(targets: Any) -> None:
    """Add this target."""
    parser = targets.add_parser(
        "scorecard",
        help="the cards that decide blocks, and points of words",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
    )
    parser.add_argument(
        "--data", action="append", required=True, metavar="DIR[:WEIGHT]", help="labelled pages; may be given repeatedly"
    )
    parser.add_argument("--output", "-o", type=Path, metavar="DIR", help="write the rules into this folder")
    parser.add_argument("--limit", type=int, metavar="N", help="learn from about N pages, spread over the folder")
    parser.add_argument("--min-sites", type=int, default=4, metavar="N", help="sites that must use a word")
    parser.add_argument("--worst", type=int, default=20, metavar="N", help="list the N pages with the lowest F1")
    parser.add_argument("--no-scores", action="store_true", help="write the cards without cross-validating them")
    parser.add_argument("--quiet", "-q", action="store_true", help="no progress on stderr")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Learn, score and write."""
    require("learning", "scipy", "sklearn")
    from webclean.compare.dataset import read_corpora, spread_evenly  # noqa: PLC0415  an extra, like the above
    from webclean.learn.score_card import learn_score_card  # noqa: PLC0415

    began = time.monotonic()

    def say(text: str) -> None:
        if not args.quiet:
            print(f"{time.monotonic() - began:7.1f} s  {text}", file=sys.stderr)

    pages = spread_evenly(list(read_corpora(args.data)), args.limit)
    if args.output:
        args.output.mkdir(parents=True, exist_ok=True)
    report = learn_score_card(
        pages, args.output, say, min_sites=args.min_sites, n_worst=args.worst, scored=not args.no_scores
    )
    print(report)
    return 0
