"""Semantic blocks and sections -> plain values: dictionaries for JSON, and flat rows for tables, search engines and
retrieval.

Keys keep their names and order from release to release. Each block is a row, so a search finds blocks, not pages
(patent A8); for retrieval a long one is several passages, each with its place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, Final, NotRequired, TypedDict

import msgspec
import numpy as np

from webclean.model import Block, Link, Reason, Record, Role, Section
from webclean.outputs.flow.addresses import sanitise_url
from webclean.parse.limits import bound_rows

_PLAIN: Final = frozenset((str, bool, int, float, type(None)))
"""Types of values that need no look inside."""


class BlockObject(TypedDict):
    """A semantic block. xpaths: its elements in the html5lib tree of the page. parent: index in `blocks`, or null.
    importance: 0 to 1, on index pages. heading: '' if it has none. fragment: after the URL, a link to the block."""

    id: str
    role: Role
    kept: bool
    text: str
    xpaths: list[str]
    links: list[Link]
    importance: float
    heading: str
    parent: int | None
    records: list[Record]
    fragment: str
    reasons: NotRequired[list[Reason]]


class SectionObject(TypedDict):
    """A part of the page that a reader would name: the text below its xpaths, several where it spans siblings. title:
    '' if it has none. role: that of most of its text. importance: that of its most important block. blocks: places in
    `blocks` of those that it holds and no section inside it does. within: the place of the block that it is a part of,
    or null. sections: those inside it, in reading order."""

    id: str
    title: str
    role: Role
    importance: float
    xpaths: list[str]
    blocks: list[int]
    within: int | None
    sections: list[SectionObject]
    reasons: NotRequired[list[Reason]]


def to_plain_values(value: Any) -> Any:
    """Convert a model type to dictionaries, lists, strings and numbers."""
    if type(value) in _PLAIN:
        return value

    def convert_number(number: Any) -> Any:
        # confidences and points come from columns; JSON knows no numpy
        if isinstance(number, np.generic):
            return number.item()
        raise NotImplementedError(f"no plain form of {type(number).__name__}")  # as hooks of msgspec do

    return _list_tuples(msgspec.to_builtins(value, enc_hook=convert_number))


def _list_tuples(value: Any) -> Any:
    """The same with a list for each tuple: an array of JSON, also for whoever checks it before it is written."""
    if isinstance(value, dict):
        return {name: one if type(one) in _PLAIN else _list_tuples(one) for name, one in value.items()}
    return [_list_tuples(one) for one in value] if isinstance(value, list | tuple) else value


def describe_reasons(reasons: Iterable[Reason]) -> list[dict[str, Any]]:
    """Reasons as dictionaries, in the given order (the one with most points first)."""
    return [to_plain_values(reason) for reason in reasons]


def describe_blocks(blocks: Sequence[Block], base: str | None, *, include_reasons: bool) -> list[dict[str, Any]]:
    """Blocks as dictionaries, in the given order, as many as the budget allows; `parent` is a place in it. Links are
    absolute if `base` is known; unsafe links are left out."""
    # blocks may come ranked: numbers of the page become places in what is given
    places = {block.number: place for place, block in enumerate(blocks)}
    safe = cache(lambda url: sanitise_url(url, base))  # pages repeat their links

    def describe(block: Block) -> dict[str, Any]:
        values = {name: getattr(block, name) for name in BlockObject.__annotations__ if name != "reasons"}
        values |= {name: to_plain_values(values[name]) for name in ("role", "records")}
        urls = ((safe(link.url), link.text) for link in block.links)
        values |= {
            "xpaths": list(block.xpaths),
            "parent": None if block.parent is None else places[block.parent],
            "links": [{"url": url, "text": text} for url, text in urls if url is not None],
        }
        return values | ({"reasons": describe_reasons(block.reasons)} if include_reasons else {})

    described = list(bound_rows(map(describe, blocks)))
    for values in described:  # the block around may have been left out
        values["parent"] = values["parent"] if (values["parent"] or 0) < len(described) else None
    return described


def describe_sections(
    sections: Sequence[Section], blocks: Sequence[Block], *, include_reasons: bool, n_described: int
) -> list[dict[str, Any]]:
    """Sections as dictionaries, as many as the budget allows; their blocks are places in `blocks`, which are in the
    order that is shown. n_described: of the blocks, so many are."""
    places = {block.number: place for place, block in enumerate(blocks)}

    def describe(section: Section) -> dict[str, Any]:
        values = {
            name: to_plain_values(getattr(section, name)) for name in ("id", "title", "role", "importance", "xpaths")
        }
        held = (places[block.number] for block in section.blocks)
        values["blocks"] = [place for place in held if place < n_described]
        within = None if section.within is None else places[section.within]
        values |= {"within": within if (within or 0) < n_described else None, "sections": []}
        return values | ({"reasons": describe_reasons(section.reasons)} if include_reasons else {})

    def describe_all(nested: Sequence[Section]) -> list[dict[str, Any]]:
        found = []
        for section, described in zip(nested, bound_rows(map(describe, nested)), strict=False):
            described["sections"] = describe_all(section.sections)
            found.append(described)
        return found

    return describe_all(sections)


_BLOCK_VALUES: Final[dict[str, Callable[[Block], Any]]] = {
    "block": attrgetter("id"),
    "role": lambda block: str(block.role),
    "kept": attrgetter("kept"),
    "section": lambda _: "",  # of no section
    "heading": attrgetter("heading"),
    "text": attrgetter("text"),
    "importance": attrgetter("importance"),
    "xpath": lambda block: block.xpaths[0] if block.xpaths else "",
    "n_links": lambda block: len(block.links),
    "n_records": lambda block: len(block.records),
    "fragment": attrgetter("fragment"),
}
"""Column of a row -> its value; what a block has is found when it is asked for."""


def list_block_rows(
    blocks: Iterable[Block], titles: Callable[[], Mapping[int, Sequence[str]]], only: Collection[str] = ()
) -> Iterator[dict[str, Any]]:
    """One row of single values for each block, as many as the budget allows: section has the titles of the sections
    around it, outermost first, with ` > ` between them; xpath is the first of its elements; links and records are
    counted. titles: called if the section is wanted. only: columns that are wanted, none for all."""
    values = {name: find for name, find in _BLOCK_VALUES.items() if not only or name in only}
    if "section" in values:
        around = titles()
        values["section"] = lambda block: " > ".join(around.get(block.number, ()))
    return bound_rows({name: find(block) for name, find in values.items()} for block in blocks)


Titles = Mapping[int, tuple[str, ...]]
"""Number of a block -> the titles of the sections around it, outermost first."""


def list_section_titles(sections: Iterable[Section], around: tuple[str, ...] = ()) -> dict[int, tuple[str, ...]]:
    """The titles of the sections around each block that is in one. around: of those around `sections`."""
    found: dict[int, tuple[str, ...]] = {}
    for section in sections:
        # sections nested for their looks repeat the title of the one around
        path = (*around, section.title) if section.title and section.title not in around else around
        found |= {block.number: path for block in section.blocks}
        found |= list_section_titles(section.sections, path)
    return found


def list_search_rows(
    blocks: Sequence[Block], url: str | None, title: str | None, date: str | None, titles: Titles | None = None
) -> list[dict[str, Any]]:
    """One flat row for each block that has text, for tables and search engines, as many as the budget allows.

    `id` depends only on the URL of the page and the position of the block. If a page is indexed again, its new rows
    therefore replace the old ones. date: the day, ISO 8601. heading: the headings above the text, outermost first, with
    ` > ` between them. titles: of the sections around the blocks.
    """
    # a year or month alone is no day, and columns of days take nothing else
    day = date[:10] if date and len(date) >= 10 else None
    by_number = {block.number: block for block in blocks}
    rows = (
        {
            "id": name_block(block, url),
            "page": url or "",
            "link": f"{(url or '').partition('#')[0]}{block.fragment}",
            "title": title or "",
            "date": day,
            "role": str(block.role),
            "kept": block.kept,
            "importance": float(block.importance),
            "heading": " > ".join(find_heading_path(by_number, block, titles)),
            "text": block.text,
        }
        for block in blocks
        if block.text
    )
    return list(bound_rows(rows))


def name_block(block: Block, url: str | None) -> str:
    """Id of a block: the first 16 hexadecimal digits of the SHA-256 of the page's URL and the block's XPaths."""
    place = "\n".join((url or "", *block.xpaths))
    # 64 bits: among a billion blocks two are the same with a chance of one in forty
    return hashlib.sha256(place.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def find_heading_path(blocks: Mapping[int, Block], block: Block, titles: Titles | None = None) -> list[str]:
    """The titles of the sections around a block and the headings of the blocks around it, outermost first, then its own
    heading; each once. blocks: by number. titles: of sections."""
    path: list[str] = []
    at: Block | None = block
    while at is not None:
        if at.heading:
            path.append(at.heading)
        at = None if at.parent is None else blocks[at.parent]
    # each title once: a section has the heading of its first block as its title
    return list(dict.fromkeys([*(titles or {}).get(block.number, ()), *reversed(path)]))


def list_passages(rows: Iterable[Mapping[str, Any]], max_words: int) -> Iterator[dict[str, Any]]:
    """Rows of blocks with texts of up to max_words words; the later passages of a block have a number in their id."""
    for row in rows:
        for number, text in enumerate(split_text(row["text"], max_words)):
            yield {**row, "id": f"{row['id']}-{number}" if number else row["id"], "text": text}


def split_text(text: str, max_words: int) -> Iterator[str]:
    """Parts of a text of up to max_words words, between its lines where that is possible."""
    lines: list[tuple[str, int]] = []
    for line in text.split("\n"):
        words = line.split()
        cuts = [words[at : at + max_words] for at in range(0, len(words), max_words)]
        # a line is kept whole with its spaces; only one that is too long is cut between words
        lines += [(line, len(words))] if len(cuts) <= 1 else [(" ".join(cut), len(cut)) for cut in cuts]
    part: list[str] = []
    n_words = 0
    for line, n_own in lines:
        if part and n_words + n_own > max_words:
            yield "\n".join(part)
            part, n_words = [], 0
        part.append(line)
        n_words += n_own
    if part:
        yield "\n".join(part)
