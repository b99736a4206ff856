"""Semantic blocks -> passages for retrieval: one for each block, several for a long one, each with its place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any


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
