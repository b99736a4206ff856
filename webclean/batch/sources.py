"""Names on the command line -> sources, read one after the other, or each by a worker of its own; URLs of pages.

A source is a web archive, a table (Parquet), JSON lines, a list of URLs, standard input, or a number of page files.

URLs of pages in a folder come from a list, or from the canonical link of the page; where site rules have none, there is
a warning. Only the command line takes a page's word for its URL: `webclean.clean` uses the URL that it is given.
"""

from __future__ import annotations

import glob
import json
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from webclean.batch.tables import Columns
from webclean.errors import InputError
from webclean.model import Limits
from webclean.parse import find_canonical_link
from webclean.parse.url import check_page_url, find_host
from webclean.rules import RuleBook
from webclean.storage import find_path, is_stored, read_head, unpack

SUFFIXES: Final = frozenset(
    (".html", ".htm", ".xhtml", ".xht", ".shtml", ".mhtml", ".mht", ".eml", ".webarchive", ".epub", ".zip")
)
PACKED: Final = frozenset((".gz", ".zst"))


class _Kind(NamedTuple):
    """A kind of source. endings: of its files, without that of packing. heads: first bytes by which it is known where
    there is no ending. in_folders: it is taken from folders too."""

    endings: Collection[str]
    heads: tuple[bytes, ...] = ()
    in_folders: bool = True


_KINDS: Final = {
    "warc": _Kind((".warc", ".arc"), (b"WARC/", b"filedesc:")),
    "parquet": _Kind((".parquet", ".pq"), (b"PAR1",)),
    "jsonl": _Kind((".jsonl", ".ndjson"), (b"{", b"[")),
    "urls": _Kind((".txt", ".urls"), (b"http",), in_folders=False),  # a text file in a folder is no list
    "files": _Kind(SUFFIXES),
}
KINDS: Final = tuple(_KINDS)
_HEAD_BYTES: Final = 4096
"""Bytes of a file, packed or not, by which its kind is told."""


def list_page_files(folder: Path) -> tuple[list[Path], list[Path]]:
    """The HTML files of a folder and the folders in it, by name, also packed ones; and all other files."""
    if not folder.is_dir():
        raise InputError(f"{folder}: not a folder")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    pages = [path for path in files if name_page(path).suffix.lower() in SUFFIXES]
    return pages, sorted(set(files) - set(pages))


def name_page(path: Path) -> Path:
    """The path without the suffix of a packed file."""
    return path.with_suffix("") if path.suffix.lower() in PACKED else path


@dataclass(frozen=True, slots=True)
class PageSource:
    """What is read as one, by one process. kind: one of `KINDS`. paths: one, or many where the kind is `files`; `-`:
    standard input. n_bytes: of what is read, 0 where that is not known.

    first, end: of one file, what begins at or behind one and before the other: bytes of a web archive, row groups of a
    Parquet file; end None: its end. is_handed: it cannot be divided, so it is read once and its pages are handed out.
    """

    kind: str
    paths: tuple[str, ...]
    n_bytes: int = 0
    first: int = 0
    end: int | None = None
    is_handed: bool = False


class Sources(NamedTuple):
    """All that is read, and the files of folders that are not: they have no known ending."""

    found: tuple[PageSource, ...]
    skipped: tuple[str, ...]


Row = dict[str, Any]


def tell_problem(source: str, problem: str) -> Row:
    """The row of what cannot be read."""
    return {"source": source, "url": None, "html": None, "problem": problem}


@dataclass(frozen=True, slots=True)
class Reading:
    """How sources are read. columns: of tables and JSON lines. urls: name of a page file -> its URL. folders: the names
    may be relative to one of them. max_bytes: of a page. allow_private: fetch from private addresses. pause: seconds
    between two pages that are fetched from one host. url_pattern: a regular expression (RE2); records whose URL is
    known and has no match are no pages."""

    columns: Columns = field(default_factory=Columns)
    urls: dict[str, str] = field(default_factory=dict)
    folders: tuple[str, ...] = ()
    max_bytes: int = Limits().max_bytes
    allow_private: bool = False
    pause: float = 1.0
    url_pattern: str = ""


@dataclass(slots=True)
class Position:
    """How far a source was read. n_bytes: of its files, packed. skipped: what is no page -> how many."""

    n_bytes: int = 0
    skipped: Counter[str] = field(default_factory=Counter)


def list_sources(names: Iterable[str], part_rows: int, kind: str | None = None) -> Sources:
    """The sources in the order of the names; folders and patterns by name. kind: of all of them, if given.

    part_rows: page files that are one source. Raises `InputError` for what does not exist, and if there is nothing.
    """
    found: list[PageSource] = []
    skipped: list[str] = []
    pages: list[str] = []
    for name in names:
        for path, in_folder in _expand(name):
            one = kind or _name_kind(path, in_folder=in_folder)
            if one is None:
                skipped.append(path)
            elif one == "files":
                pages.append(path)
            else:
                found += pack_files(pages, part_rows)
                pages = []
                found.append(PageSource(one, (path,), 0 if path == "-" else find_path(path).stat().st_size))
    found += pack_files(pages, part_rows)
    if not found:
        raise InputError(f"no pages in {', '.join(names)}")
    return Sources(tuple(found), tuple(skipped))


def pack_files(pages: Sequence[str], part_rows: int) -> list[PageSource]:
    groups = [tuple(pages[first : first + part_rows]) for first in range(0, len(pages), part_rows)]
    return [PageSource("files", group, sum(find_path(path).stat().st_size for path in group)) for group in groups]


def _expand(name: str) -> Iterator[tuple[str, bool]]:
    """(path, whether it was found in a folder) of all files of a name."""
    path: Any = find_path(name)
    if name == "-" or path.is_file():
        yield name, False
    elif path.is_dir():
        yield from ((str(file), True) for file in sorted(path.rglob("*")) if file.is_file())
    elif glob.has_magic(name):
        # a pattern may be absolute, which `Path.glob` does not take
        stored = [f"{path.protocol}://{one}" for one in sorted(path.fs.glob(path.path))] if is_stored(name) else []
        matches = stored or sorted(glob.glob(name, recursive=True))  # noqa: PTH207
        if not matches:
            raise InputError(f"{name}: no file has such a name")
        yield from (found for match in matches for found in _expand(match))
    else:
        raise InputError(f"{name}: no such file or folder")


def _name_kind(path: str, *, in_folder: bool) -> str | None:
    """The kind by the ending of a file, else by its first bytes; None for another file of a folder."""
    if path == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed")
        piped: Any = sys.stdin.buffer
        head = piped.peek(_HEAD_BYTES)
    else:
        name = find_path(path)
        ending = name_page(name).suffix.lower()
        for kind, known in _KINDS.items():
            if ending in known.endings and (not in_folder or known.in_folders):
                return kind
        if in_folder:
            return None
        head = read_head(path, _HEAD_BYTES)
    head = unpack(head, _HEAD_BYTES).lstrip(b"\xef\xbb\xbf \t\r\n")
    return next((kind for kind, known in _KINDS.items() if head.startswith(known.heads)), "files")


URLS_HELP: Final = 'the pages\' URLs: lines of FILE<TAB>URL or {"file": ..., "url": ...}'


@dataclass(frozen=True, slots=True)
class PageUrls:
    """Finds the URLs of pages that come without one.

    listed: name of a file -> its URL. folder: names may be relative to it. in_folder: the pages that are taken by their
    canonical link where the list has none.
    """

    listed: Mapping[str, str]
    folder: Path | None
    in_folder: frozenset[str]

    def find(self, name: str, body: bytes, given: str | None = None) -> str | None:
        """The URL of a page: the given one, that of the list, or for a page of the folder its canonical link."""
        listed = given or find_listed(self.listed, name, self.folder)
        return listed or (find_canonical_link(body) if name in self.in_folder else None)

    def warn(self, names: Iterable[str], book: RuleBook, *, is_known: bool) -> None:
        """Say on standard error if no page is in the list, or if there are rules for sites and no page has a URL."""
        if self.listed and not any(find_listed(self.listed, name, self.folder) for name in names):
            print("webclean: none of the files that --urls lists is one of the pages", file=sys.stderr)
        n_sites = len(book.sites)
        if n_sites and not is_known:
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
            try:
                name, url = _read_line(line)
            except (InputError, ValueError) as error:
                told = error if isinstance(error, InputError) else f"not JSON: {error}"
                raise InputError(f"{path}:{number}: {told}") from error
            found[Path(name).as_posix()] = url
    return {_strip_endings(name): url for name, url in found.items()} | found


def _read_line(line: str) -> tuple[str, str]:
    record: Any = json.loads(line) if line.lstrip().startswith("{") else {}
    name, url = (record.get("file"), record.get("url")) if record else line.partition("\t")[::2]
    if not (isinstance(name, str) and isinstance(url, str) and name.strip() and url.strip()):
        raise InputError('wanted: FILE<TAB>URL, or {"file": ..., "url": ...}')
    url = url.strip()
    check_page_url(url)
    if not find_host(url):
        raise InputError(f"not an absolute URL: {url!r}")
    return name.strip(), url


def find_listed(urls: Mapping[str, str], name: str, folder: Path | None) -> str | None:
    """The URL of a page, which a list may call by its path, its path in the folder, its name; last without endings."""
    path = Path(name)
    inside = [path.relative_to(folder)] if folder and path.is_relative_to(folder) else []
    names = [one.as_posix() for one in (path, *inside, Path(path.name))]
    return next((urls[one] for one in (*names, *map(_strip_endings, names)) if urls.get(one)), None)


def _strip_endings(name: str) -> str:
    stem, dot, ending = name.rpartition(".")
    return _strip_endings(stem) if dot and f".{ending.lower()}" in SUFFIXES | PACKED else name
