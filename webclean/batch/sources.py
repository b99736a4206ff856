"""Names on the command line -> sources: what is read one after the other, or each by a worker of its own.

A source is a web archive, a table (Parquet), JSON lines, a list of URLs, standard input, or a number of page files.
"""

from __future__ import annotations

import glob
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from webclean.batch.page_files import PACKED, SUFFIXES
from webclean.errors import InputError

_KINDS: Final = {
    "warc": (".warc",),
    "parquet": (".parquet", ".pq"),
    "jsonl": (".jsonl", ".ndjson"),
    "urls": (".txt", ".urls"),
    "files": tuple(SUFFIXES),
}
_IN_FOLDERS: Final = ("warc", "parquet", "jsonl", "files")
"""Kinds that are taken from folders: a text file there is no list."""
_HEADS: Final = ((b"WARC/", "warc"), (b"\x1f\x8b", "warc"), (b"PAR1", "parquet"), (b"{", "jsonl"), (b"http", "urls"))
KINDS: Final = tuple(_KINDS)


@dataclass(frozen=True, slots=True)
class PageSource:
    """What is read as one. kind: one of `KINDS`. paths: one, or many where the kind is `files`; `-`: standard input.
    n_bytes: of all of them, 0 where that is not known."""

    kind: str
    paths: tuple[str, ...]
    n_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Sources:
    """All that is read, and the files of folders that are not: they have no known ending."""

    found: tuple[PageSource, ...]
    skipped: tuple[str, ...]


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
                found += _pack(pages, part_rows)
                pages = []
                found.append(PageSource(one, (path,), 0 if path == "-" else Path(path).stat().st_size))
    found += _pack(pages, part_rows)
    if not found:
        raise InputError(f"no pages in {', '.join(names)}")
    return Sources(tuple(found), tuple(skipped))


def _pack(pages: list[str], part_rows: int) -> list[PageSource]:
    groups = [tuple(pages[first : first + part_rows]) for first in range(0, len(pages), part_rows)]
    return [PageSource("files", group, sum(Path(path).stat().st_size for path in group)) for group in groups]


def _expand(name: str) -> Iterator[tuple[str, bool]]:
    """(path, whether it was found in a folder) of all files of a name."""
    path = Path(name)
    if name == "-" or path.is_file():
        yield name, False
    elif path.is_dir():
        yield from ((str(file), True) for file in sorted(path.rglob("*")) if file.is_file())
    elif glob.has_magic(name):
        matches = sorted(glob.glob(name, recursive=True))  # noqa: PTH207  a pattern may be absolute
        if not matches:
            raise InputError(f"{name}: no file has such a name")
        for match in matches:
            yield from _expand(match)
    else:
        raise InputError(f"{name}: no such file or folder")


def _name_kind(path: str, *, in_folder: bool) -> str | None:
    if path == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed")
        piped: Any = sys.stdin.buffer
        return _sniff(piped.peek(8))
    name = Path(path)
    endings = [ending.lower() for ending in name.suffixes]
    if endings and endings[-1] in PACKED:
        endings.pop()
    last = endings[-1] if endings else ""
    for kind, known in _KINDS.items():
        if last in known and (not in_folder or kind in _IN_FOLDERS):
            return kind
    if in_folder:
        return None
    with name.open("rb") as file:
        return _sniff(file.read(8))


def _sniff(head: bytes) -> str:
    """The kind by the first bytes of what has no ending: packed data is taken for a web archive."""
    return next((kind for start, kind in _HEADS if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(start)), "files")
