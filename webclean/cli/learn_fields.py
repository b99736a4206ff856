"""`webclean learn title`, `date` and `author`: the card of one field, from labelled pages."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from webclean.errors import InputError

_DESCRIPTION = """Learn how much each piece of evidence is worth for one field, and print the scores of
cross-validation by
site and the features in order of their influence. DIR holds html/ID.html.gz and ground-truth/ID.json.
The same data give the same card."""

_EXAMPLES = """examples:
  webclean learn title --data pages/
  webclean learn author --data pages/ --output my-rules/author_card.yaml
"""


def add_parser(targets: Any) -> None:
    """Add one target for each field."""
    for field in ("title", "date", "author"):
        parser = targets.add_parser(
            field,
            help=f"the card of the {field}",
            description=_DESCRIPTION,
            epilog=_EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the labelled pages")
        parser.add_argument("--output", "-o", type=Path, metavar="FILE", help="write the card into this rule file")
        parser.add_argument("--limit", type=int, metavar="N", help="learn from about N pages, spread over the folder")
        parser.set_defaults(run=run, field=field)


def run(args: argparse.Namespace) -> int:
    """Learn, score and write."""
    try:
        import rapidfuzz  # noqa: F401, PLC0415  named here so that the message can say what to install
        import scipy  # noqa: F401, PLC0415
    except ImportError as error:
        raise InputError("learning needs scipy and rapidfuzz: pip install 'webclean[learn]'") from error
    from webclean.learn.dataset import read_pages  # noqa: PLC0415  an extra, like the above
    from webclean.learn.field_report import report_field  # noqa: PLC0415
    from webclean.rules import load_rules  # noqa: PLC0415

    pages = list(read_pages(args.data))
    pages = pages[:: max(1, len(pages) // args.limit)] if args.limit else pages
    report, text = report_field(args.field, pages, load_rules().fields)
    print(report)
    if args.output:
        args.output.write_text(text, encoding="utf-8")
    return 0
