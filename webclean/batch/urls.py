"""URLs of pages in a folder: from a list, or from the canonical link of the page; and a warning where site rules have
none.

Only the command line takes a page's word for its URL: `webclean.clean` uses the URL that it is given.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from webclean.batch.page_files import PACKED, SUFFIXES
from webclean.errors import InputError
from webclean.parse.canonical import find_canonical_link
from webclean.parse.url import check_page_url, find_host
from webclean.rules import RuleBook

URLS_HELP: Final = 'the pages\' URLs: lines of FILE<TAB>URL or {"file": ..., "url": ...}'
_WANTED: Final = 'wanted: FILE<TAB>URL, or {"file": ..., "url": ...}'


class PageUrls:
    """Finds the URLs of pages that come without one, and counts them.

    listed: name of a file -> its URL. folder: names may be relative to it. in_folder: the pages that are taken by their
    canonical link where the list has none.
    """

    def __init__(
        self, listed: Mapping[str, str], folder: Path | None = None, in_folder: frozenset[str] = frozenset()
    ) -> None:
        self._listed, self._folder, self._in_folder = listed, folder, in_folder
        self.n_known = 0  # pages that have a URL
        self.n_listed = 0  # of these, from the list

    def find(self, name: str, body: bytes, given: str | None = None) -> str | None:
        """The URL of a page: the given one, that of the list, or for a page of the folder its canonical link."""
        listed = None if given else next(filter(None, map(self._listed.get, list_names(name, self._folder))), None)
        url = given or listed or (find_canonical_link(body) if name in self._in_folder else None)
        self.n_known += url is not None
        self.n_listed += listed is not None
        return url

    def count(self, *, has_url: bool, is_listed: bool) -> None:
        """Count a page whose URL was found by a copy of this, in another process."""
        self.n_known += has_url
        self.n_listed += is_listed

    def warn(self, books: Iterable[RuleBook]) -> None:
        """Say on standard error if no page is in the list, or if there are rules for sites and no page has a URL."""
        if self._listed and not self.n_listed:
            print("webclean: none of the files that --urls lists is one of the pages", file=sys.stderr)
        n_sites = len(frozenset().union(*(book.sites for book in books)))
        if n_sites and not self.n_known:
            sites = "1 site" if n_sites == 1 else f"{n_sites} sites"
            print(
                f"webclean: there are rules for {sites}, but no page has a URL, so none of them applies: "
                "give --url URL, or for many pages --urls FILE",
                file=sys.stderr,
            )


def read_url_list(path: Path | None) -> dict[str, str]:
    """Name of a file, also without its endings -> URL; from lines of both with a tab between, or of JSON objects.

    Raises `InputError`.
    """
    if path is None:
        return {}
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            name, url = _read_line(line, f"{path}:{number}")
            found[Path(name).as_posix()] = url
    return {_strip_endings(name): url for name, url in found.items()} | found


def _read_line(line: str, place: str) -> tuple[str, str]:
    if line.lstrip().startswith("{"):
        try:
            record: Any = json.loads(line)
        except ValueError as error:
            raise InputError(f"{place}: not JSON: {error}") from error
        name, url = record.get("file"), record.get("url")
    else:
        name, _, url = line.partition("\t")
    if not (isinstance(name, str) and isinstance(url, str) and name.strip() and url.strip()):
        raise InputError(f"{place}: {_WANTED}")
    url = url.strip()
    check_url(url, place)
    return name.strip(), url


def check_url(url: str, place: str) -> None:
    """Raise `InputError` with the place if this is no absolute URL."""
    try:
        check_page_url(url)
    except InputError as error:
        raise InputError(f"{place}: {error}") from error
    if not find_host(url):
        raise InputError(f"{place}: not an absolute URL: {url!r}")


def list_names(name: str, folder: Path | None) -> Iterator[str]:
    """The names by which a list may call a page: its path, its path in the folder, its name; last without endings."""
    path = Path(name)
    inside = [path.relative_to(folder)] if folder and path.is_relative_to(folder) else []
    names = [one.as_posix() for one in (path, *inside, Path(path.name))]
    yield from names
    yield from map(_strip_endings, names)


def _strip_endings(name: str) -> str:
    """`a/b.html.gz` -> `a/b`."""
    stem, dot, ending = name.rpartition(".")
    return _strip_endings(stem) if dot and f".{ending.lower()}" in SUFFIXES | PACKED else name
