"""`webclean links`: the links of a page, ranked by how well they match a topic."""

from __future__ import annotations

import argparse
from typing import Any

from webclean.cli.pages import add_page, add_page_options, build_cleaner, choose_page, clean_page, read_page
from webclean.errors import InputError


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser(
        "links",
        help="the links of a page, ranked by topic",
        description="Rank the links of a page by what anchors, neighbours, headings, blocks and URLs say of a topic.",
        epilog='example:\n  webclean links front.html --topic "ferry harbour timetable" --top 10',
    )
    add_page(parser)
    parser.add_argument("--topic", help="words of the topic")
    parser.add_argument("--like", action="append", default=[], metavar="FILE", help="an example page (repeatable)")
    parser.add_argument("--top", type=int, default=20, metavar="N", help="links shown (0: all)")
    add_page_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Rank and print: score, address, anchor text."""
    from webclean.web.frontier import rank_links  # noqa: PLC0415  start-up stays fast

    cleaner = build_cleaner(args)
    examples = [cleaner.clean(read_page(name, args).body) for name in args.like]
    if not args.topic and not examples:
        raise InputError("name a topic: --topic WORDS or --like FILE")
    page = clean_page(choose_page(args), cleaner, args)
    topic: Any = args.topic if not examples else [*([args.topic] if args.topic else []), *examples]
    ranked = rank_links(page, topic)
    for link in ranked[: args.top or None]:
        print(f"{link.score:.3f}\t{page.blocks[link.block].id}\t{link.url}\t{link.text}")
    return 0
