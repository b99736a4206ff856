"""Texts -> their words as columns: the text each stands in and a number that stands for its letters.

A word is a run of letters; a run of CJK characters is one word. The number is a polynomial of the characters modulo
2^64 (Karp and Rabin, 1987), computed over all texts at once: no string is cut, and words are compared as numbers.
Names (of classes and the like) are also cut where small letters turn to capitals, as `split_name` cuts them. Labels are
cut so that phrases are found in any script: each CJK character is a word, and spellings of one letter are made equal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean.blocks.characters import is_unspaced
from webclean.model import Mask, Rows

Keys = NDArray[np.uint64]

LONGEST: Final = 400
"""Characters of the longest text whose words are cut."""
LONGEST_NAME: Final = 20_000
"""Characters of a name that are looked at: some elements bear hundreds of classes."""
LETTERS: Final = re.compile(r"[^\W\d_]+")
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]+")
_LETTER: Final = 1
_LOWER: Final = 2
_UPPER: Final = 3
"""Kinds of characters: letters, of ASCII by their case; 0 is any other."""
_PLANES: Final = (1 << 16, 4 << 16)
"""Code points: nearly all letters of Unicode stand on its first plane, the others on the next three."""
_ROOM: Final = 512 * (LONGEST + 1) + 1
"""Characters that are looked at together."""
_BASE: Final = 0x9E3779B97F4A7C15
_CASE: Final = ord("a") - ord("A")
_SPELLINGS: Final = (
    ("άέήίόύώϊϋΐΰς", "αεηιουωιυιυσ"),  # Greek capitals are written without accents
    ("ёı", "еi"),
    ("أإآٱىیک", "ااااييك"),  # forms of alef; final yeh, and the Persian yeh and kaf
    ("".join(map(chr, range(0xFF41, 0xFF5B))), "abcdefghijklmnopqrstuvwxyz"),  # full width
)
"""Small letters, and for each the one it is often written as in labels."""
_OPTIONAL_MARKS: Final = re.compile("[\u0307\u0640\u064b-\u065f\u0670]")
"""The dot that Turkish capitals leave above a small i; stretched lines and vowel signs of Arabic."""


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """One row for each word, in the order of the texts.

    text: int64 [n_words], number of the text; key: uint64 [n_words], equal for equal words; length: int64 [n_words],
    characters.
    """

    text: Rows
    key: Keys
    length: Rows

    def of_texts(self, wanted: Mask) -> Words:
        """The words of the wanted texts. wanted: bool [n_texts]."""
        chosen = wanted[self.text]
        return Words(self.text[chosen], self.key[chosen], self.length[chosen])


def cut_words(texts: Sequence[str]) -> Words:
    """The words of texts without newlines, as they are written. A text over `LONGEST` characters counts as empty."""
    return _cut([text if len(text) <= LONGEST else "" for text in texts], _find_texts)


def cut_names(names: Sequence[str]) -> Words:
    """The words of names, in lower case; a word ends at a change of case, too: `adBanner` is ad and banner.

    Each name is read up to `LONGEST_NAME` characters, a newline in it as a space.
    """
    return _cut([name[:LONGEST_NAME].replace("\n", " ") for name in names], _find_names)


def cut_labels(texts: Sequence[str]) -> Words:
    """The words of lower-case texts without newlines, for phrases: a CJK character is a word, `σχόλια` is `σχολια`.

    A text over `LONGEST` characters counts as empty.
    """
    return _cut([text if len(text) <= LONGEST else "" for text in texts], _find_labels)


def _cut(texts: Sequence[str], find: Find, first: int = 0) -> Words:
    """Words of texts; first: number of the first text."""
    if sum(map(len, texts)) + len(texts) >= _ROOM and len(texts) > 1:
        half = len(texts) // 2
        parts = _cut(texts[:half], find, first), _cut(texts[half:], find, first + half)
        columns = ([getattr(part, name) for part in parts] for name in ("text", "key", "length"))
        return Words(*map(np.concatenate, columns))
    code, bounds = find("\n".join(["", *texts, ""]))
    if not len(bounds):
        return Words(bounds, bounds.astype(np.uint64), bounds)
    start, end = bounds[::2], bounds[1::2]
    power, inverse = _list_powers()
    key = np.add.reduceat(code.view(np.uint64) * power[: len(code)], bounds)[::2] * inverse[start]
    n_words = np.diff(start.searchsorted(np.flatnonzero(code == ord("\n"))))
    return Words(np.repeat(np.arange(first, first + len(texts)), n_words), key, end - start)


Find = Callable[[str], tuple[Rows, Rows]]
"""Lines -> int64 [n_characters], their code points, and int64 [2 * n_words], where each word starts and ends."""


def _find_texts(lines: str) -> tuple[Rows, Rows]:
    """Runs of letters."""
    code, kind = _read_kinds(lines)
    is_letter = kind > 0
    return code, np.flatnonzero(is_letter[1:] != is_letter[:-1]) + 1


def _find_names(lines: str) -> tuple[Rows, Rows]:
    """Runs of letters, cut before a capital that follows no capital, or that a small letter follows."""
    if not lines.isascii():
        lines = _BEYOND_ASCII.sub(_lower, lines)
    code, kind = _read_kinds(lines)
    is_capital, is_small = kind == _UPPER, kind == _LOWER
    turns = (kind[1:] != kind[:-1]) & ~(is_capital[:-1] & is_small[1:])
    turns[:-1] |= is_capital[:-2] & is_capital[1:-1] & is_small[2:]
    bounds = np.flatnonzero(turns) + 1
    is_word = np.flatnonzero(kind[bounds] > 0)
    return code + _CASE * is_capital, np.stack((bounds[is_word], bounds[is_word + 1]), axis=1).ravel()


def _find_labels(lines: str) -> tuple[Rows, Rows]:
    """Runs of letters, cut before and after each character of a script without spaces."""
    if not lines.isascii():
        lines = _OPTIONAL_MARKS.sub("", lines)
    code, kind = _read_kinds(lines)
    is_letter, alone = kind > 0, is_unspaced(code)
    cuts = ~is_letter[:-1] | ~is_letter[1:] | alone[:-1] | alone[1:]
    start = np.flatnonzero(cuts & is_letter[1:]) + 1
    end = np.flatnonzero(cuts & is_letter[:-1]) + 1
    return _list_spellings().take(code, mode="clip"), np.stack((start, end), axis=1).ravel()


def _lower(run: re.Match[str]) -> str:
    """Small letters, where there is one for each."""
    lower = run[0].lower()
    return lower if len(lower) == len(run[0]) else run[0]


def _read_kinds(lines: str) -> tuple[Rows, NDArray[np.uint8]]:
    """int64 [n_characters], their code points, and uint8 [n_characters], their kinds."""
    code = np.frombuffer(lines.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.intp)
    return code, _list_kinds(_PLANES[int(code.max()) >= _PLANES[0]]).take(code, mode="clip")


@cache
def _list_powers() -> tuple[Keys, Keys]:
    """Twice uint64 [_ROOM]: rising powers of the base modulo 2^64, and what undoes them but for the first one.

    Without that one the keys of single letters would be small numbers, all alike in their first bits.
    """
    return _raise_power(_BASE, 1), _raise_power(pow(_BASE, -1, 1 << 64), 0)


def _raise_power(base: int, first: int) -> Keys:
    """uint64 [_ROOM]: `base` to the power of `first`, `first + 1`, ..."""
    factors = np.full(_ROOM, base, dtype=np.uint64)
    factors[0] = base**first
    return np.multiply.accumulate(factors)


@cache
def _list_kinds(n: int) -> NDArray[np.uint8]:
    """uint8 [n + 1]: the kind of each code point, 0 for what is no letter and for the last entry."""
    table = np.zeros(n + 1, dtype=np.uint8)
    for run in LETTERS.finditer(np.arange(n, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")):
        table[run.start() : run.end()] = _LETTER
    table[ord("a") : ord("z") + 1] = _LOWER
    table[ord("A") : ord("Z") + 1] = _UPPER
    return table


@cache
def _list_spellings() -> Rows:
    """int64 [n + 1]: the code point that each one counts as, itself where nothing else is said."""
    table = np.arange(_PLANES[1] + 1)
    for letters, plain in _SPELLINGS:
        table[list(map(ord, letters))] = list(map(ord, plain))
    return table
