"""Shared by the commands that read pages: their options, and reading a page that is named on the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webclean.errors import InputError, NotAPageError
from webclean.model import Limits, PageType
from webclean.page import CleanPage
from webclean.parse import ENGINES
from webclean.pipeline import METHOD_NAMES, Cleaner
from webclean.web.fetch import Fetched, FetchLimits, fetch_bytes
from webclean.web.rendering import find_reason, render_bytes

FindUrl = Callable[[str, bytes, str | None], str | None]


@dataclass(frozen=True, slots=True)
class Served:
    """The bytes of one page, and its URL and encoding as far as known."""

    body: bytes
    url: str | None
    charset: str | None


def add_page_options(parser: Any) -> None:
    """Add the options for reading and cleaning pages."""
    group = parser.add_argument_group("how a page is read")
    group.add_argument("--url", help="the page's address: makes links absolute, selects site rules")
    group.add_argument("--charset", help="the encoding that the server declared")
    add_reading_options(group)
    add_cleaning_options(parser)
    group = parser.add_argument_group("what the page is")
    group.add_argument("--page-type", choices=tuple(PageType), metavar="TYPE", help=f"one of {', '.join(PageType)}")
    group.add_argument("--page-subtype", metavar="NAME", help="article, forum, ...: a subtype or label of the rules")


def add_reading_options(group: Any) -> None:
    """Add the options for reading pages of which there may be many."""
    group.add_argument("--parser", choices=tuple(ENGINES), default="fast", help="the parser (default: fast)")
    group.add_argument("--on-limit", choices=("raise", "truncate"), default="raise", help="what a too large page does")
    group.add_argument("--timeout", type=float, default=30.0, metavar="S", help="seconds a page may take (default: 30)")
    group.add_argument("--allow-private", action="store_true", help="fetch from loopback and private addresses too")
    group.add_argument(
        "--render",
        choices=("never", "when_needed", "always"),
        default="never",
        help="run the scripts of a fetched page in a browser: when it shows next to nothing without them, or always",
    )


def add_cleaning_options(parser: Any) -> None:
    """Add the options for cleaning pages of which there may be many."""
    group = parser.add_argument_group("how it is cleaned")
    group.add_argument("--rules", action="append", metavar="PATH", help="a rule file or folder over the shipped rules")
    group.add_argument("--profile", default="balanced", metavar="NAME", help="a layer of rules by name")
    group.add_argument("--method", choices=METHOD_NAMES, metavar="NAME", help=f"one of {', '.join(METHOD_NAMES)}")


def build_cleaner(args: argparse.Namespace) -> Cleaner:
    """A cleaner with the given options. Raises `RuleError`, `InputError`."""
    return Cleaner(
        rules=args.rules,
        profile=args.profile,
        parser=args.parser,
        method=args.method,
        limits=Limits(max_seconds=args.timeout),
        on_limit=args.on_limit,
    )


def add_page(parser: Any) -> None:
    """Add the argument for one page; without it the page comes from a pipe."""
    parser.add_argument(
        "page", nargs="?", metavar="PAGE", help="a file, a URL, or - for standard input (default: the pipe)"
    )
    parser.set_defaults(parser_of_command=parser)


def choose_page(args: argparse.Namespace) -> str:
    """The page that was named, or standard input if that is a pipe or a file; else exit with code 2."""
    if args.page is None and not is_piped():
        args.parser_of_command.error("no page: name a file, a URL, or -")
    return args.page or "-"


def is_piped() -> bool:
    """Whether standard input is a pipe or a file, not a terminal."""
    return sys.stdin is not None and not sys.stdin.isatty()


def is_url(name: str) -> bool:
    """Whether an argument is a URL."""
    return name.lower().startswith(("http://", "https://"))


def read_page(name: str, args: argparse.Namespace) -> Served:
    """The bytes of a file, of a URL, or of standard input (`-`). Raises `FetchError`, `InputError`."""
    if is_url(name):
        limits = FetchLimits(max_seconds=args.timeout, allow_private=args.allow_private)
        fetched = fetch_bytes(name, limits)
        return Served(fetched.body, args.url or fetched.url, args.charset or fetched.charset)
    if name == "-":
        if sys.stdin is None:
            raise NotAPageError("standard input is closed")
        return Served(sys.stdin.buffer.read(), args.url, args.charset)
    try:
        return Served(Path(name).read_bytes(), args.url, args.charset)
    except IsADirectoryError as error:
        raise InputError(f"{name}: is a folder; for all pages in it: webclean clean --input-dir {name}") from error
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}") from error


def clean_page(name: str, cleaner: Cleaner, args: argparse.Namespace, find_url: FindUrl | None = None) -> CleanPage:
    """Read and clean one page. Raises `NotAPageError` if there is none, with the kind of the input.

    find_url: name, bytes and URL as far as known -> the URL that is used.
    """
    served = read_page(name, args)
    url = served.url if find_url is None else find_url(name, served.body, served.url)
    types = {"page_type": args.page_type, "page_subtype": args.page_subtype}
    page = cleaner.clean(served.body, url=url, charset=served.charset, **types)
    reason = find_reason(page, args.render) if is_url(name) else ""
    if reason:
        limits = FetchLimits(max_seconds=args.timeout, allow_private=args.allow_private)
        shown = render_bytes(Fetched(served.url or name, served.body, "text/html", served.charset, 200, ()), limits)
        page = cleaner.clean(shown.body, url=url, charset=shown.charset, **types).with_warning(reason)
    if page.source.kind in ("binary", "empty"):
        name = "standard input" if name == "-" else name
        raise NotAPageError(f"{name}: is {page.source.format or 'empty'}, not a page")
    return page
