"""`webclean learn title-tree`: the tree that finds titles (source C), from labelled pages."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from webclean.cli.extras import require
from webclean.cli.learn_page_type import add_tree_options, read_tree_options

_DESCRIPTION = """Learn the decision tree that marks which text of a page is its title, C4.5 over its similarity to
<title>, length, position, tag and looks, and print the scores of cross-validation by site. It finds titles where the
rules say `fields: {title: {method: tree}}`. DIR holds html/ID.html.gz and ground-truth/ID.json."""

_EXAMPLES = """examples:
  webclean learn title-tree --data pages/ --output my-rules/title_tree.yaml
"""


def add_parser(targets: Any) -> None:
    """Add this target."""
    parser = targets.add_parser(
        "title-tree", help="the tree that finds titles", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the labelled pages")
    parser.add_argument("--output", "-o", type=Path, metavar="FILE", help="write the rules here")
    parser.add_argument("--limit", type=int, metavar="N", help="learn from about N pages, spread over the folder")
    add_tree_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Learn, score and write."""
    require("learning", "scipy")
    from webclean.compare.dataset import read_pages, spread_evenly  # noqa: PLC0415  an extra, like the above
    from webclean.learn.title_tree import TITLE_TREE, format_title_tree, report_title_tree  # noqa: PLC0415
    from webclean.rules import load_rules  # noqa: PLC0415

    pages = spread_evenly(list(read_pages(args.data)), args.limit)
    settings = replace(TITLE_TREE, **read_tree_options(args))
    report, tree = report_title_tree(pages, load_rules().fields.title, settings)
    print(report)
    if args.output:
        args.output.write_text(format_title_tree(tree, report), encoding="utf-8")
        print(f"wrote {args.output}")
    return 0
