"""`webclean learn title`, `date`, `author`, and `fields` for all three: the cards of fields, from labelled pages."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from webclean.cli.extras import require

_DESCRIPTION = """Learn how much each feature is worth for a field, and print the scores of cross-validation
by site and the features in order of their influence. DIR holds html/ID.html.gz and ground-truth/ID.json.
The same data give the same card."""

_EXAMPLES = """examples:
  webclean learn title --data pages/
  webclean learn author --data pages/ --output my-rules/author_card.yaml
  webclean learn fields --data pages/ --output my-rules/fields_cards.yaml
"""


_FIELDS = ("title", "date", "author")


def add_parser(targets: Any) -> None:
    """Add one target for each field, and one for all."""
    shown = {field: f"the card of the {field}" for field in _FIELDS}
    for target, text in (shown | {"fields": "the cards of title, date and author, into one file"}).items():
        parser = targets.add_parser(target, help=text, description=_DESCRIPTION, epilog=_EXAMPLES)
        parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the labelled pages")
        parser.add_argument("--output", "-o", type=Path, metavar="FILE", help="write the cards into this rule file")
        parser.add_argument("--limit", type=int, metavar="N", help="learn from about N pages, spread over the folder")
        parser.set_defaults(run=run, fields=(target,) if target in _FIELDS else _FIELDS)


def run(args: argparse.Namespace) -> int:
    """Learn, score and write."""
    require("learning", "scipy")
    from webclean.compare.dataset import read_pages, spread_evenly  # noqa: PLC0415  an extra, like the above
    from webclean.learn.field_report import report_fields  # noqa: PLC0415
    from webclean.rules import load_rules  # noqa: PLC0415

    pages = spread_evenly(list(read_pages(args.data)), args.limit)
    report, text = report_fields(args.fields, pages, load_rules().fields)
    print(report)
    if args.output:
        args.output.write_text(text, encoding="utf-8")
    return 0
