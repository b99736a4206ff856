"""Pages that are named on the command line: the options of all commands that read them, and how these are read."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.request import url2pathname

from webclean.batch.sources import PageUrls
from webclean.cli import AllowPrivate, Option, Profile, Rules, UsageError
from webclean.errors import InputError, NotAPageError
from webclean.model import Limits, PageType
from webclean.page import CleanPage
from webclean.parse import ENGINES
from webclean.parse.url import ends_as_host, is_of_web, split_url
from webclean.pipeline import METHOD_NAMES, Cleaner
from webclean.web.fetch import Fetched, FetchLimits, fetch_bytes
from webclean.web.rendering import clean_fetched


@dataclass(frozen=True, slots=True)
class Reading:
    """How pages are read, of which there may be many."""

    parser: Annotated[str, Option("the parser", choices=tuple(ENGINES))] = "fast"
    on_limit: Annotated[Literal["raise", "truncate"], "what a too large page does"] = "raise"
    timeout: Annotated[float, "seconds a page may take", "S"] = 30.0
    allow_private: AllowPrivate = False
    render: Annotated[
        Literal["never", "when_needed", "always"],
        "run the scripts of a fetched page in a browser: when it shows next to nothing without them, or always",
    ] = "never"

    @property
    def limits(self) -> FetchLimits:
        """The limits for fetching a page."""
        return FetchLimits(max_seconds=self.timeout, allow_private=self.allow_private)


@dataclass(frozen=True, slots=True)
class Cleaning:
    """How pages are cleaned, of which there may be many."""

    rules: Rules = ()
    profile: Profile = "balanced"
    method: Annotated[str | None, Option(f"one of {', '.join(METHOD_NAMES)}", "NAME", choices=METHOD_NAMES)] = None
    no_platforms: Annotated[bool, "without the rules of the platforms that pages were made with, such as WordPress"] = (
        False
    )

    def build_cleaner(self, reading: Reading) -> Cleaner:
        """A cleaner with the given options. Raises `RuleError`, `InputError`."""
        return Cleaner(
            rules=self.rules,
            profile=self.profile,
            parser=reading.parser,
            method=self.method,
            limits=Limits(max_seconds=reading.timeout),
            on_limit=reading.on_limit,
            platforms=not self.no_platforms,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReading:
    url: Annotated[str | None, "the page's address: makes links absolute, selects site rules"] = None
    charset: Annotated[str | None, "the encoding that the server declared"] = None
    reading: Reading


@dataclass(frozen=True, slots=True)
class PageKind:
    """What one page is, by the names of `Cleaner.clean`."""

    page_type: Annotated[str | None, Option(f"one of {', '.join(PageType)}", "TYPE", choices=tuple(PageType))] = None
    page_subtype: Annotated[str | None, "article, forum, ...: a subtype or label of the rules", "NAME"] = None


@dataclass(frozen=True, slots=True)
class PageOptions:
    """The options of commands that clean a page that is named."""

    source: Annotated[PageReading, "how a page is read"]
    cleaning: Annotated[Cleaning, "how it is cleaned"]
    kind: Annotated[PageKind, "what the page is"]


Page = Annotated[str | None, Option("a file, a URL, or - for standard input (default: the pipe)", "PAGE", nargs="?")]


def choose_page(page: str | None) -> str:
    """The page that was named, or standard input if that is a pipe or a file. Raises `UsageError`."""
    if page is None and not is_piped():
        raise UsageError("no page: name a file, a URL, or -")
    return complete_name(page or "-")


def is_piped() -> bool:
    """Whether standard input is a pipe or a file, not a terminal."""
    return sys.stdin is not None and not sys.stdin.isatty()


_HOST: Final = re.compile(r"[a-z\d-]+(?:\.[a-z\d-]+)+", re.IGNORECASE)
_FILES: Final = frozenset("html htm xhtml md txt json jsonl xml gz zst zip warc parquet py rs sh".split())  # noqa: SIM905
"""Endings of files, of which some are those of countries too."""


def complete_name(name: str) -> str:
    """What a word means that names a page: `file:///a.html` is a path; `example.org/a` is a URL, where there is no such
    file and its host ends as hosts do."""
    if name.lower().startswith("file://"):
        return url2pathname(split_url(name).path)
    host, _, _ = name.partition("/")
    is_file = host.rpartition(".")[2].lower() in _FILES or Path(name).exists()
    if is_file or not _HOST.fullmatch(host) or not ends_as_host(host):
        return name
    return f"https://{name}"


def read_page(name: str, source: PageReading) -> Fetched:
    """The bytes of a file, of a URL, or of standard input (`-`), with its URL ('' if not known) and encoding. Raises
    `FetchError`, `InputError`."""
    if is_of_web(name):
        served = fetch_bytes(name, source.reading.limits)
        return replace(served, url=source.url or served.url, charset=source.charset or served.charset)
    if name == "-" and sys.stdin is None:
        raise NotAPageError("standard input is closed")
    try:
        body = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return Fetched(source.url or "", body, "text/html", source.charset)
    except IsADirectoryError as error:
        raise InputError(f"{name}: is a folder; for all pages in it: webclean clean --input-dir {name}") from error
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}") from error


def clean_page(name: str, cleaner: Cleaner, options: PageOptions, urls: PageUrls | None = None) -> CleanPage:
    """Read and clean one page. Raises `NotAPageError` if there is none, with the kind of the input."""
    served, reading = read_page(name, options.source), options.source.reading
    served = replace(served, url=urls.find(name, served.body, served.url) or "") if urls else served
    told = "standard input" if name == "-" else name
    # a file has no scripts that could be fetched: only pages of the web are rendered
    render = reading.render if is_of_web(name) else "never"
    try:
        page = clean_fetched(served, cleaner, reading.limits, render, **asdict(options.kind))
    except InputError as error:
        if str(error).startswith(told):
            raise
        raise type(error)(f"{told}: {error}") from error
    if page.source.kind in ("binary", "empty"):
        raise NotAPageError(f"{told}: is {page.source.format or 'empty'}, not a page")
    return page


def tell_warnings(name: str, warnings: Iterable[str]) -> None:
    """Say the warnings of a page on standard error."""
    for warning in warnings:
        print(f"webclean: {name}: {warning}", file=sys.stderr)
