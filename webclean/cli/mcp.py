"""`webclean mcp`: a server that gives pages and their blocks to language models, over standard input and output."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from webclean.cli.extras import require
from webclean.errors import InputError
from webclean.model import Limits
from webclean.pipeline import Cleaner
from webclean.web.fetch import FetchLimits

_EXAMPLES = """examples:
  webclean mcp                       pages of the web, and HTML markup
  webclean mcp --root pages/         ... and the files of a folder
  claude mcp add webclean -- webclean mcp
"""


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser(
        "mcp",
        help="serve pages to language models",
        description="Serve pages over standard input and output by the Model Context Protocol: the tools read_page, "
        "page_blocks, page_links and explain_block.",
        epilog=_EXAMPLES,
    )
    parser.add_argument("--root", type=Path, metavar="DIR", help="a folder whose files may be read (default: none)")
    parser.add_argument(
        "--timeout", type=float, default=30.0, metavar="S", help="seconds a page may take (default: 30)"
    )
    parser.add_argument("--allow-private", action="store_true", help="fetch from loopback and private addresses too")
    parser.add_argument("--rules", action="append", metavar="PATH", help="a rule file or folder over the shipped rules")
    parser.add_argument("--profile", default="balanced", metavar="NAME", help="a layer of rules by name")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until standard input is closed."""
    require("webclean mcp", "mcp")
    from webclean.server.mcp_server import PageReader, build_server  # noqa: PLC0415  its library is an extra

    if args.root is not None and not args.root.is_dir():
        raise InputError(f"{args.root}: not a folder")
    cleaner = Cleaner(rules=args.rules, profile=args.profile, limits=Limits(max_seconds=args.timeout))
    limits = FetchLimits(max_seconds=args.timeout, allow_private=args.allow_private)
    build_server(PageReader(cleaner, limits, args.root)).run()
    return 0
