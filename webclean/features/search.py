"""Regular expressions of RE2 -> the text blocks in which each of them occurs.

Most expressions need some literal that few blocks have (`matching.expressions`): they are asked of those blocks alone.
All others are searched by one automaton, which tells which of them occur in a text, at the cost of one. Most occur in
few blocks or none, so it is given many blocks of a page together. Where it finds some, each is searched by itself:

    blocks      0 1 2 3 4 5 6 7 8        "Read more" in block 4
    searched    0-2, 3-5, 6-8; in 3-5 by the expression alone, which tells the place
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from webclean.features.page_columns import PageColumns
from webclean.features.text import encode_text
from webclean.matching.expressions import compile_literals, compile_pattern, compile_set, find_literals
from webclean.model import Mask

_AT_ONCE: Final = 16
"""Expressions of one automaton."""
_PARTS: Final = 8
"""Into which blocks are divided when something is found in them."""
_WHOLE_TEXT: Final = re.compile(r"\\[AzQ]|\(\?[a-zA-Z]*-")
"""Expressions that may tell the start or end of a whole text from that of a line."""


def search_texts(columns: PageColumns, patterns: tuple[str, ...]) -> dict[str, Mask]:
    """Expression -> bool [n_blocks], the blocks in whose text it occurs; without those that occur in none.

    Raises:
        RuleError: for what is no expression of RE2.
    """
    texts, found = columns.blocks.text, dict[str, Mask]()
    plan = _plan_search(patterns)
    for block, number in _list_found(columns, plan):
        having = found.get(patterns[number])
        if having is None:
            having = found[patterns[number]] = np.zeros(len(texts), dtype=bool)
        having[block] = True
    return found


def _list_found(columns: PageColumns, plan: _Search) -> Iterator[tuple[int, int]]:
    """(block, number of the expression) of what is found."""
    texts = columns.blocks.text
    for block, number in plan.literals.find(texts):
        if plan.tests[number](texts[block].encode("utf-8", "surrogatepass")):
            yield block, number
    for numbers, patterns, match in plan.joint:
        text, ends = encode_text(columns)
        for block, number in _search_together(patterns, match, text, [0, *ends.tolist()]):
            yield block, numbers[number]
    for number in plan.alone:
        yield from ((block, number) for block, text in enumerate(texts) if plan.tests[number](text.encode()))


def _search_together(
    patterns: Sequence[str], match: Callable[[bytes], list[int] | None], text: bytes, bounds: list[int]
) -> Iterator[tuple[int, int]]:
    """(block, number of the expression) of what is found. bounds: where the text of each block begins, and the end;
    each text ends with a newline."""
    todo = _divide(0, len(bounds) - 1)
    while todo:
        first, last = todo.pop()
        # without the last newline: `$` would match before it and at the end, and `\s` would match it
        numbers = match(text[bounds[first] : bounds[last] - 1]) or ()
        # in one block alone nothing can run over its end
        if last - first == 1:
            yield from ((first, number) for number in numbers)
            continue
        places = [(number, _find_blocks(patterns[number], text, bounds, first, last)) for number in numbers]
        # then the blocks are divided, until each expression stays inside one
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


class _Search(NamedTuple):
    """How some expressions are searched.

    tests: of each, whether it occurs in a text in UTF-8. literals: finds the texts that have what is needed, by the
    number of the expression. joint: numbers, expressions and automaton of those of which nothing is needed. alone: the
    numbers of those among them that must be searched in each block alone.
    """

    tests: tuple[Callable[[bytes], Any], ...]
    literals: Any
    joint: tuple[tuple[list[int], list[str], Callable[[bytes], list[int] | None]], ...]
    alone: tuple[int, ...]


@lru_cache(maxsize=256)
def _plan_search(patterns: tuple[str, ...]) -> _Search:
    needs = list(map(find_literals, patterns))
    unknown = [number for number, need in enumerate(needs) if need is None]
    joint = [number for number in unknown if not _WHOLE_TEXT.search(patterns[number])]
    parts = [joint[at : at + _AT_ONCE] for at in range(0, len(joint), _AT_ONCE)]
    return _Search(
        tests=tuple(compile_set((pattern,)).Match for pattern in patterns),
        literals=compile_literals(needs),
        joint=tuple(_join_search(numbers, [patterns[number] for number in numbers]) for numbers in parts),
        alone=tuple(number for number in unknown if number not in joint),
    )


def _join_search(numbers: list[int], patterns: list[str]) -> tuple[list[int], list[str], Any]:
    return numbers, patterns, compile_set(tuple(f"(?m){pattern}" for pattern in patterns)).Match
