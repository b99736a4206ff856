"""Pages of a site, one at a time: where they come from, and what learning needs of each.

Files, folders and lists of URLs -> pages; a cleaned page -> its block paths, its texts and their places, and which of
them belong to a list of links to other pages.

Source D (Wang, Chen & Dai, 2018). Block nodes are `div` and `table`; the path of a block is its tags with sibling
positions from the root (`/html/body/div[3]/div[2]`).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean.errors import InputError
from webclean.features import PageColumns
from webclean.files import read_unpacked
from webclean.model import Document, Limits, Mask, Rows, TextBlocks
from webclean.parse import find_texts
from webclean.parse.tags import tag_mask
from webclean.parse.xpath import name_paths
from webclean.rules.segments_schema import Segments
from webclean.segments.listing import LinkLines
from webclean.segments.segment_columns import list_named
from webclean.segments.units import Unit, UnitSearch

_ENDINGS: Final = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz")


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page: its name, its file (None if it is fetched), and its URL if known."""

    name: str
    path: Path | None
    url: str | None = None


def list_site_pages(paths: Iterable[Path], urls: Path | None = None) -> list[SitePage]:
    """The pages of files and folders (with subfolders, by name), then those of a list.

    A list has a line for each page: its URL, or its file, relative to the list, and after a tab its URL, if known.
    Raises `InputError` for a path that does not exist or has no page.
    """
    pages = [page for path in paths for page in _list_path(path)]
    if urls is not None:
        pages += _read_list(urls)
    if not pages:
        raise InputError("no pages: give files, folders with *.html or *.html.gz, or a list with --urls")
    return pages


def _list_path(path: Path) -> Iterator[SitePage]:
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.name.lower().endswith(_ENDINGS) and file.is_file():
                yield SitePage(str(file.relative_to(path)), file)
    elif path.is_file():
        yield SitePage(str(path), path)
    else:
        raise InputError(f"{path}: no such file or folder")


def _read_list(urls: Path) -> Iterator[SitePage]:
    try:
        lines = urls.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{urls}: cannot be read: {error}") from error
    for line in lines:
        place, _, url = (part.strip() for part in line.partition("\t"))
        if place.lower().startswith(("http://", "https://")):
            yield SitePage(place, None, place)
        elif place and not place.startswith("#"):
            yield SitePage(place, urls.parent / place, url or None)


def read_file(path: Path) -> bytes:
    """The bytes of a page, unpacked. Raises `InputError`."""
    try:
        # one byte over the limit of a page, so that it is refused later and no packed file fills the memory
        return read_unpacked(path, Limits().max_bytes + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error}") from error


_BLOCK_NODES: Final = tag_mask("div table")
_64_BITS: Final = 0xFFFFFFFFFFFFFFFF
_FACTOR: Final = 6364136223846793005
"""The multiplier of Knuth's 64-bit linear congruential generator (MMIX), so that a path depends on all above it."""
_STEP: Final = 0x9E3779B97F4A7C15
"""2 ** 64 over the golden ratio: numbers of siblings are spread over all bits."""


@dataclass(frozen=True, slots=True, eq=False)
class PageProfile:
    """What learning needs of one page.

    paths: uint64 [n], sorted hashes of the block paths. rows: int32 [n], the block nodes. texts, places: of each text
    block; the place is its path of names. n_words: int32 [n_blocks]; kept: bool [n_blocks], by automatic cleaning.
    """

    name: str
    paths: NDArray[np.uint64]
    texts: Sequence[str] = ()
    places: Sequence[str] = ()
    n_words: Rows = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    kept: Mask = field(default_factory=lambda: np.zeros(0, dtype=bool))
    listed: Mask = field(default_factory=lambda: np.zeros(0, dtype=bool))
    rows: Rows = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    document: Document | None = None
    blocks: TextBlocks | None = None


def profile_page(
    document: Document, blocks: TextBlocks, kept: Mask, name: str, *, listed: Mask | None = None
) -> PageProfile:
    """Reduce a cleaned page to its profile. listed: bool [n_blocks]; None: no block is in a list."""
    rows = np.flatnonzero(_BLOCK_NODES[document.tag]).astype(np.int32)
    return PageProfile(
        name=name,
        paths=np.unique(number_paths(document)[rows]),
        texts=blocks.text,
        places=name_paths(document, blocks.row),
        n_words=blocks.n_words,
        kept=kept,
        listed=np.zeros(len(blocks), dtype=bool) if listed is None else listed,
        rows=rows,
        document=document,
        blocks=blocks,
    )


def number_paths(document: Document) -> NDArray[np.uint64]:
    """uint64 [n_elements]: one number for the path of each element, the same on every page and in every run."""
    hashes: list[int] = []
    seen: list[dict[str, int]] = []
    for name, above in zip(document.names, document.parent.tolist(), strict=True):
        position, before = 1, 0
        if above >= 0:
            before = hashes[above]
            position = seen[above][name] = seen[above].get(name, 0) + 1
        hashes.append(_mix_step(before, name, position))
        seen.append({})
    return np.array(hashes, dtype=np.uint64)


def number_path(path: str) -> int:
    """The number of the element at an XPath of tags and positions, such as `/html/body[1]/div[2]`."""
    number = 0
    for step in path.strip("/").split("/"):
        name, _, position = step.partition("[")
        number = _mix_step(number, name, int(position.rstrip("]") or 1))
    return number


def _mix_step(before: int, name: str, position: int) -> int:
    mixed = (before * _FACTOR + _hash_name(name) + position * _STEP) & _64_BITS
    return mixed ^ (mixed >> 29)


@lru_cache(maxsize=4096)
def _hash_name(name: str) -> int:
    return zlib.crc32(name.encode(errors="replace")) * _FACTOR


_LABEL_ENDS: Final = (":", "：")


def mark_lists(columns: PageColumns, rules: Segments) -> Mask:
    """bool [n_blocks]: text blocks that belong to a list of links to other pages.

    Such a list, of related products or of other stories, is no content of the page and no furniture either: its entries
    change from page to page. It is known by its form: repeated units (`segments.units`), each with a link as its
    title, none longer than a teaser. A unit whose first text is a label ("Publisher:") is a fact that contains a link.
    """
    document, blocks = columns.document, columns.blocks
    search = UnitSearch(document, rules.records)
    lines, authors = LinkLines(search, rules.people), list_named(document, rules, "author")
    listed = np.zeros(len(blocks), dtype=bool)
    for unit in search.units:
        if (
            search.chars[unit.end] - search.chars[unit.first] <= rules.records.teaser_chars
            and lines.leads_on(unit, authors)
            and not _begins_with_label(document, unit)
        ):
            listed |= (blocks.row >= unit.first) & (blocks.row < unit.end)
    return listed


def _begins_with_label(document: Document, unit: Unit) -> bool:
    """Whether the first displayed text of a unit ends with a colon and is in no link."""
    for node in find_texts(document, unit.first, unit.end):
        text, owner = document.text[node].strip(), document.text_owner[node]
        if text and document.displayed[owner]:
            return bool(document.link[owner] < 0) and text.endswith(_LABEL_ENDS)
    return False
