"""Regular expressions of RE2 -> the text blocks in which each of them occurs.

All expressions are searched by one automaton, which tells which of them occur in a text, at the cost of one. Most occur
in few blocks or none, so it is given many blocks of a page together. Where it finds some, each is searched by itself:

    blocks      0 1 2 3 4 5 6 7 8        "Read more" in block 4
    searched    0-2, 3-5, 6-8; in 3-5 by the expression alone, which tells the place
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final

import numpy as np

from webclean.features.page_columns import PageColumns
from webclean.features.text import encode_text
from webclean.matching.expressions import compile_pattern, compile_set, compile_test
from webclean.model import Mask

_AT_ONCE: Final = 16
"""Expressions of one automaton."""
_PARTS: Final = 8
"""Into which blocks are divided when something is found in them."""
_WHOLE_TEXT: Final = re.compile(r"\\[AzQ]|\(\?[a-zA-Z]*-")
"""Expressions that may tell the start or end of a whole text from that of a line."""


def search_texts(columns: PageColumns, patterns: tuple[str, ...]) -> dict[str, Mask]:
    """Expression -> bool [n_blocks], the blocks in whose text it occurs; without those that occur in none.

    Expressions that refer to the start or end of the whole text (`\\A`, `\\z`) are searched in each block alone.

    Raises:
        RuleError: for what is no expression of RE2.
    """
    text, ends = encode_text(columns)
    bounds = [0, *ends.tolist()]
    found: dict[str, Mask] = {}
    sets, alone = _list_sets(patterns)
    for part, automaton in sets:
        for block, number in _search_together(part, automaton.Match, text, bounds):
            having = found.get(part[number])
            if having is None:
                having = found[part[number]] = np.zeros(len(ends), dtype=bool)
            having[block] = True
    for pattern in alone:
        having = np.array(list(map(compile_test(pattern), columns.blocks.text)), dtype=bool)
        if having.any():
            found[pattern] = having
    return found


def _search_together(
    patterns: tuple[str, ...], match: Callable[[bytes], list[int] | None], text: bytes, bounds: list[int]
) -> Iterator[tuple[int, int]]:
    """(block, number of the expression) of what is found. bounds: where the text of each block begins, and the end;
    each text ends with a newline."""
    todo = _divide(0, len(bounds) - 1)
    while todo:
        first, last = todo.pop()
        numbers = match(text[bounds[first] : bounds[last] - 1]) or ()
        if last - first == 1:
            yield from ((first, number) for number in numbers)
            continue
        places = [(number, _find_blocks(patterns[number], text, bounds, first, last)) for number in numbers]
        if any(blocks is None for _, blocks in places):
            todo += _divide(first, last)
        else:
            yield from ((block, number) for number, blocks in places for block in blocks or ())


def _find_blocks(pattern: str, text: bytes, bounds: list[int], first: int, last: int) -> list[int] | None:
    """Which of the blocks `first:last` have an expression; None where it runs over the end of one, for what it covers
    in the next is not known."""
    search, end = compile_pattern(f"(?m){pattern}").search, bounds[last] - 1
    found: list[int] = []
    block = first
    while block < last:
        match = search(text, bounds[block], end)
        if match is None:
            break
        block = bisect_right(bounds, match.start()) - 1
        if match.end() >= bounds[block + 1]:
            return None
        found.append(block)
        block += 1
    return found


def _divide(first: int, last: int) -> list[tuple[int, int]]:
    step = -(-(last - first) // _PARTS) or 1
    return [(at, min(at + step, last)) for at in range(first, last, step)]


@lru_cache(maxsize=256)
def _list_sets(patterns: tuple[str, ...]) -> tuple[list[tuple[tuple[str, ...], Any]], list[str]]:
    """The expressions that may be searched in joined texts, in groups of `_AT_ONCE`, each with its automaton; the
    others."""
    alone = [pattern for pattern in dict.fromkeys(patterns) if _WHOLE_TEXT.search(pattern)]
    joint = [pattern for pattern in dict.fromkeys(patterns) if pattern not in alone]
    parts = [tuple(joint[at : at + _AT_ONCE]) for at in range(0, len(joint), _AT_ONCE)]
    return [(part, compile_set(tuple(f"(?m){pattern}" for pattern in part))) for part in parts], alone
