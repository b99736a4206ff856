"""Texts of a page beside what is known of it: whether a line says a date or a name, and how dates are written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Final

from webclean.outputs.flow.headline import fold

_ISO: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d))?")
_NUMBER: Final = re.compile(r"\d+")
_WORD: Final = re.compile(r"\w+")
_LONGEST_RUN: Final = 12
"""Words of a title by which it is found."""
_NAMES: Final = re.compile(r"\s*(?:[,;/&·|]|\band\b)\s*")


def write_date(date: str) -> str:
    """A date as readers write it: that of ISO 8601 without the `T`, seconds and zone; others as they are."""
    found = _ISO.match(date)
    if found is None:
        return date
    day = "-".join(found.groups()[:3])
    return f"{day} {found[4]}" if found[4] else day


def says_date(text: str, date: str) -> bool:
    """Whether a line shows a date: word for word, or the year and day of an ISO 8601 one, in any order."""
    if not date:
        return False
    found = _ISO.match(date)
    if found is None:
        return fold(date) in fold(text)
    numbers = [int(number) for number in _NUMBER.findall(text) if len(number) <= 4]
    year, day = int(found[1]), int(found[3])
    return (year in numbers or year % 100 in numbers) and day in numbers


def says_names(text: str, names: str) -> bool:
    """Whether a line names somebody: all the names, in any order."""
    folded = fold(text)
    parts = [part for part in _NAMES.split(fold(names)) if part]
    return bool(parts) and all(part in folded for part in parts)


def count_words(text: str) -> Counter[str]:
    """Words and numbers of a text, case folded."""
    return Counter(_WORD.findall(text.casefold()))


def has_letters(text: str) -> bool:
    """Whether a text is more than digits, signs and bullets."""
    return any(sign.isalpha() for sign in text)


class Phrases:
    """Finds titles in lines of text by their words, in time that grows with the text and not with the number of titles:
    the runs of so many words that the text has are collected once for each length. A title of one word, which any
    sentence may have, must be all that a line or a link says; numbers aside. links: the text of each link."""

    def __init__(self, lines: Iterable[str], links: Iterable[str] = ()) -> None:
        split = [_WORD.findall(line.casefold()) for line in lines]
        self._words = [word for words in split for word in words]
        split += [_WORD.findall(link.casefold()) for link in links]
        self._alone = frozenset(word for words in split if (word := _find_only(words)))
        self._runs: dict[int, frozenset[tuple[str, ...]]] = {}

    def has(self, title: str) -> bool:
        """Whether the words of a title, or the first of a long one, follow each other in the text."""
        words = tuple(_WORD.findall(title.casefold())[:_LONGEST_RUN])
        n = len(words)
        if n == 1:
            return words[0] in self._alone
        if n not in self._runs:
            self._runs[n] = frozenset(zip(*(self._words[at:] for at in range(n)), strict=False))
        return words in self._runs[n]


def _find_only(words: list[str]) -> str:
    """The only word of a line that is no number, or its only number; empty if it has several."""
    named = [word for word in words if not word.isdecimal()] or words
    return named[0] if len(named) == 1 else ""
