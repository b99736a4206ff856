"""`webclean blocks`: the semantic blocks of a page, as a tree, a picture, Markdown, JSON or index rows."""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

from webclean.cli.pages import add_page, add_page_options, build_cleaner, choose_page, clean_page

_EXAMPLES = """examples:
  webclean blocks page.html                         a tree: + kept, - dropped, role, importance, size, links, records
  webclean blocks page.html --reasons               ... with why
  webclean blocks page.html --html blocks.html      a picture: outlined by role, hover for the reasons
  webclean blocks page.html --format rows           one JSON row a block, for a search index
"""


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser(
        "blocks",
        help="the semantic blocks of a page",
        description="Show the semantic blocks of a page with their roles, sizes and importance.",
        epilog=_EXAMPLES,
    )
    add_page(parser)
    parser.add_argument("--format", choices=("tree", "markdown", "json", "rows"), default="tree")
    parser.add_argument("--reasons", action="store_true", help="tree: say why below each block")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a picture of the page's blocks")
    add_page_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Clean the page and show its blocks."""
    from webclean.outputs.block_views import (  # noqa: PLC0415  start-up stays fast
        describe_block,
        render_block_markdown,
        render_picture,
        render_tree,
    )
    from webclean.outputs.dictionary import describe_blocks  # noqa: PLC0415
    from webclean.outputs.rows import list_index_rows  # noqa: PLC0415

    page = clean_page(choose_page(args), build_cleaner(args), args)
    if args.html:
        args.html.write_text(render_picture(page.source.markup, page.blocks), encoding="utf-8")
        print(f"wrote {args.html}")
    elif args.format == "markdown":
        print(render_block_markdown(page.ranked_blocks), end="")
    elif args.format == "json":
        described = describe_blocks(page.ranked_blocks, page.url, include_reasons=args.reasons)
        print(json.dumps(described, ensure_ascii=False))
    elif args.format == "rows":
        for row in list_index_rows(page.ranked_blocks, page.url):
            print(json.dumps(row, ensure_ascii=False))
    else:
        lines = render_tree(page.ranked_blocks, shutil.get_terminal_size((120, 24)).columns).split("\n")
        for block, line in zip(page.ranked_blocks, lines, strict=False):
            print(line)
            for reason in describe_block(block).split("\n")[1:] if args.reasons else ():
                print(f"         {reason}")
    return 0
