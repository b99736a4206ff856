"""Bytes of East Asian text with a few faulty ones -> the encoding that the others are in.

A detector gives an encoding of two bytes a character up at the first fault, such as a character that was cut in half,
and what is left is windows-1252. Here each is tried with its faults: the text that comes out must be of its script.

    shift_jis, euc-jp    a fifth of the letters is hiragana
    euc-kr               nearly all are Hangul
    big5, gbk            most are of the first level of the standard, which holds the characters in common use
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

MAX_FAULTY: Final = 0.02
"""Share of letters that may be faulty."""


class _Sign(NamedTuple):
    """At least `share` of the letters of a text in the encoding are in `characters`."""

    encoding: str
    characters: frozenset[str]
    share: float


def find_behind_faults(data: bytes) -> str | None:
    """The WHATWG name of the encoding of two bytes a character that nearly all of the bytes are in, or None."""
    for sign in _list_signs():
        text = data.decode(f"whatwg-{sign.encoding}", "replace")
        letters = [letter for letter in text if letter > "\x7f" and letter.isalpha()]
        if text.count("\ufffd") > MAX_FAULTY * len(letters):
            continue
        if sum(letter in sign.characters for letter in letters) >= sign.share * len(letters) > 0:
            return sign.encoding
    return None


@cache
def _list_signs() -> tuple[_Sign, ...]:
    """The telling ones first: Korean bytes read as gbk are common Chinese characters, but not the other way round."""
    hiragana = frozenset(map(chr, range(0x3041, 0x3097)))
    return (
        _Sign("shift_jis", hiragana, 0.2),
        _Sign("euc-jp", hiragana, 0.2),
        _Sign("euc-kr", frozenset(map(chr, range(0xAC00, 0xD7A4))), 0.9),
        _Sign("big5", frozenset(_list_pairs("big5", 0xA4, 0xC6)), 0.8),
        _Sign("gbk", frozenset(_list_pairs("gb2312", 0xB0, 0xD7)), 0.75),
    )


def _list_pairs(codec: str, first: int, last: int) -> Iterator[str]:
    """The characters whose leading bytes are `first` to `last`."""
    for lead in range(first, last + 1):
        for trail in range(0x40, 0xFF):
            yield from bytes((lead, trail)).decode(codec, "ignore")
