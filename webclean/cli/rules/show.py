"""`webclean rules show`: the values that apply to a page and where each comes from."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from webclean.cli.rules.books import add_book_options, open_book
from webclean.cli.terminal import shorten_path
from webclean.parse.url import list_sites
from webclean.rules import LayerKey
from webclean.rules.files import Path_, format_path
from webclean.rules.layers import merge_values


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser("show", help="the values that apply to a page, with the file each is from")
    parser.add_argument("--effective", metavar="URL", help="the rules for a page of this site (default: for any site)")
    parser.add_argument("--profile", default="balanced", help="the profile (default: balanced)")
    parser.add_argument("--type", dest="page_type", metavar="TYPE", help="a page type, subtype or label")
    parser.add_argument("--language", metavar="CODE", help="a language code")
    parser.add_argument("--key", default="", metavar="PREFIX", help="only keys that start with this")
    add_book_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print one line a value: key, value, layer, file and line."""
    book = open_book(args.rules)
    sites = list_sites(args.effective) if args.effective else ()
    key = LayerKey(args.profile, None, args.page_type, args.language, sites)
    print(f"# hash {book.for_page(key).hash}")
    layers = book.layers(key)
    for path, value in list_values(merge_values(layer.text.values for layer in layers)):
        name = format_path(path)
        if name.startswith(args.key):
            origin = book.find_origin(key, path)
            print(
                f"{name} = {value!r}  # {origin.layer}, {shorten_path(origin.file)}:{origin.line}" if origin else name
            )
    return 0


def list_values(values: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every value that is not a mapping, with its path, in order."""
    if isinstance(values, dict) and values:
        for key, item in values.items():
            yield from list_values(item, (*path, key))
    else:
        yield path, values
