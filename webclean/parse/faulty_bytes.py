"""Bytes of East Asian text with a few invalid ones -> their encoding.

The detector rules out a double-byte encoding at the first invalid byte, such as half of a character that was cut, and
then returns windows-1252. Here the bytes are decoded in each encoding despite the errors. An encoding is accepted if
the result looks like text in its script:

    shift_jis, euc-jp    at least a fifth of the letters are hiragana
    euc-kr               nearly all are Hangul
    big5, gbk            most characters are in the first level of the standard, which has those in common use
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, NamedTuple

MAX_FAULTY: Final = 0.02
"""Largest share of letters that may be invalid."""
HANDFUL: Final = 8
"""So many may be invalid in a short text too: one lost byte leaves all pairs up to the next ASCII character wrong."""


class _Criterion(NamedTuple):
    """How to recognise text in an encoding: at least `share` of its letters are in `characters`."""

    encoding: str
    characters: frozenset[str]
    share: float


def detect_despite_faults(data: bytes) -> str | None:
    """The WHATWG name of the double-byte encoding in which nearly all of the bytes are valid, or None."""
    for criterion in _list_criteria():
        text = data.decode(f"whatwg-{criterion.encoding}", "replace")
        letters = [letter for letter in text if letter > "\x7f" and letter.isalpha()]
        if text.count("\ufffd") > max(MAX_FAULTY * len(letters), HANDFUL):
            continue
        if sum(letter in criterion.characters for letter in letters) >= criterion.share * len(letters) > 0:
            return criterion.encoding
    return None


@cache
def _list_criteria() -> tuple[_Criterion, ...]:
    """The criteria, the most specific first: Korean bytes decoded as gbk give common Chinese characters, but Chinese
    bytes decoded as euc-kr do not give Hangul."""
    hiragana = frozenset(map(chr, range(0x3041, 0x3097)))
    return (
        _Criterion("shift_jis", hiragana, 0.2),
        _Criterion("euc-jp", hiragana, 0.2),
        _Criterion("euc-kr", frozenset(map(chr, range(0xAC00, 0xD7A4))), 0.9),
        _Criterion("big5", frozenset(_list_pairs("big5", 0xA4, 0xC6)), 0.8),
        _Criterion("gbk", frozenset(_list_pairs("gb2312", 0xB0, 0xD7)), 0.75),
    )


def _list_pairs(codec: str, first: int, last: int) -> Iterator[str]:
    """The characters of a codec with a leading byte from `first` to `last`."""
    for lead in range(first, last + 1):
        for trail in range(0x40, 0xFF):
            yield from bytes((lead, trail)).decode(codec, "ignore")
