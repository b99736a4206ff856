"""Semantic blocks -> rows for a search index. Each block is a row, so a search finds blocks, not pages (patent A8); for
retrieval a long one is several passages, each with its place.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from webclean.model import Block, Section

Titles = Mapping[int, tuple[str, ...]]
"""Number of a block -> the titles of the sections around it, outermost first."""


def list_section_titles(sections: Iterable[Section], around: tuple[str, ...] = ()) -> dict[int, tuple[str, ...]]:
    """The titles of the sections around each block that is in one. around: of those around `sections`."""
    found: dict[int, tuple[str, ...]] = {}
    for section in sections:
        path = (*around, section.title) if section.title and section.title not in around else around
        found |= {block.number: path for block in section.blocks}
        found |= list_section_titles(section.sections, path)
    return found


def list_index_rows(blocks: Sequence[Block], url: str | None, titles: Titles | None = None) -> list[dict[str, Any]]:
    """One row for each block that has text. titles: of the sections around them.

    `id` depends only on the URL of the page and the position of the block. If a page is indexed again, its new rows
    therefore replace the old ones.
    """
    by_number = {block.number: block for block in blocks}
    return [
        {
            "id": name_block(block, url),
            "page": url,
            "link": f"{(url or '').partition('#')[0]}{block.fragment}",
            "block": block.id,
            "role": str(block.role),
            "kept": block.kept,
            "importance": block.importance,
            "heading_path": find_heading_path(by_number, block, titles),
            "text": block.text,
            "links": [{"url": link.url, "text": link.text} for link in block.links],
        }
        for block in blocks
        if block.text
    ]


def list_search_rows(
    blocks: Sequence[Block], url: str | None, title: str | None, date: str | None, titles: Titles | None = None
) -> list[dict[str, Any]]:
    """`list_index_rows` as flat rows, each with the title and date of its page: for tables and search engines.

    date: the day, ISO 8601. heading: the headings above the text, outermost first, with ` > ` between them.
    """
    day = date[:10] if date and len(date) >= 10 else None
    return [
        {
            "id": row["id"],
            "page": url or "",
            "link": row["link"],
            "title": title or "",
            "date": day,
            "role": row["role"],
            "kept": row["kept"],
            "importance": float(row["importance"]),
            "heading": " > ".join(row["heading_path"]),
            "text": row["text"],
        }
        for row in list_index_rows(blocks, url, titles)
    ]


def name_block(block: Block, url: str | None) -> str:
    """Id of a block: the first 16 hexadecimal digits of the SHA-256 of the page's URL and the block's XPaths."""
    place = "\n".join((url or "", *block.xpaths))
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
    return list(dict.fromkeys([*(titles or {}).get(block.number, ()), *reversed(path)]))


def list_passages(rows: Iterable[Mapping[str, Any]], max_words: int) -> Iterator[dict[str, Any]]:
    """Rows of blocks with texts of up to max_words words; the later passages of a block have a number in their id."""
    for row in rows:
        for number, text in enumerate(split_text(row["text"], max_words)):
            yield {**row, "id": f"{row['id']}-{number}" if number else row["id"], "text": text}


def split_text(text: str, max_words: int) -> Iterator[str]:
    """Parts of a text of up to max_words words, between its lines where that is possible."""
    part: list[str] = []
    n_words = 0
    for line in _list_lines(text, max_words):
        own = len(line.split())
        if part and n_words + own > max_words:
            yield "\n".join(part)
            part, n_words = [], 0
        part.append(line)
        n_words += own
    if part:
        yield "\n".join(part)


def _list_lines(text: str, max_words: int) -> Iterator[str]:
    for line in text.split("\n"):
        words = line.split()
        if len(words) <= max_words:
            yield line
        else:
            yield from (" ".join(words[at : at + max_words]) for at in range(0, len(words), max_words))
