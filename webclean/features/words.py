"""Texts -> their words as arrays of hashes, without making a string of any word.

A word is a run of letters. Its hash (the key) is that of Karp and Rabin (1987), a polynomial of its characters modulo
2^64. All texts are concatenated, character c at place i contributes c * B^(i+1), and one `numpy.add.reduceat` sums the
words. Multiplying a word that starts at place s by B^(-s) makes the key independent of where the word stands:

    lines    \n n a v \n t o p \n        the key of nav, which starts at 1:
    place    0  1 2 3 4  5 6 7 8         (n*B^2 + a*B^3 + v*B^4) * B^(-1) = n*B + a*B^2 + v*B^3

Three ways of splitting: texts at all that is no letter, so that consecutive CJK characters are one word; names (of
classes and the like) also at changes of case, as `split_name` does; labels also around each CJK character, with
different spellings of a letter made equal, so that phrases are found in any script.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.blocks.characters import is_unspaced
from webclean.model import Mask, Rows

Keys = NDArray[np.uint64]

LONGEST: Final = 400
"""Characters of the longest text whose words are read."""
LONGEST_NAME: Final = 20_000
"""Characters of a name that are read: some elements have hundreds of classes."""
LETTERS: Final = re.compile(r"[^\W\d_]+")
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]+")
_NOT_ALONE: Final = "\u0130\u03a3"
"""Capitals whose small letter is two characters (the dotted i), or another one at the end of a word (the sigma)."""
_LETTER: Final = 1
_LOWER: Final = 2
_UPPER: Final = 3
"""Kinds of characters: other letters, and the lower-case and upper-case ASCII letters; 0 is no letter."""
_PLANES: Final = (1 << 16, 4 << 16)
"""Code points: the first plane of Unicode, which has nearly all letters, and the first four planes."""
_ROOM: Final = 512 * (LONGEST + 1) + 1
"""Characters that are read at once; longer input is halved until it fits."""
_BASE: Final = 0x9E3779B97F4A7C15
_CASE: Final = ord("a") - ord("A")
_SPELLINGS: Final = (
    ("άέήίόύώϊϋΐΰς", "αεηιουωιυιυσ"),  # Greek capitals are written without accents
    ("ёı", "еi"),
    ("أإآٱىیک", "ااااييك"),  # forms of alef; final yeh, and the Persian yeh and kaf
    ("".join(map(chr, range(0xFF41, 0xFF5B))), "abcdefghijklmnopqrstuvwxyz"),  # full width
)
"""Pairs of lower-case letters: in labels the first is often written as the second."""
_OPTIONAL_MARKS: Final = re.compile("[\u0307\u0640\u064b-\u065f\u0670]")
"""The dot that remains above a Turkish i in lower case; Arabic kashida and vowel signs."""


class Words(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The words of some texts, one row for each, in the order of the texts.

    text: int64 [n_words], number of the text. key: uint64 [n_words], hash of the word. length: int64 [n_words], its
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
    """The words of texts, in the case they are written in. A text over `LONGEST` characters counts as empty.

    texts: without newlines.
    """
    return Words(*core.cut_words(list(texts), LONGEST, _list_kinds(_PLANES[1]), _BASE))


def cut_lower(texts: Sequence[str]) -> Words:
    """The words of texts in lower case. One over `LONGEST` characters, in lower case, counts as empty.

    texts: without newlines.
    """
    return Words(*core.cut_lower(list(texts), LONGEST, _list_kinds(_PLANES[1]), _list_lower(), _BASE))


def find_same(texts: Sequence[str]) -> Rows:
    """int64 [n_texts]: for each text, the first that is the same in lower case."""
    return cast("Rows", core.find_same(list(texts), _list_lower()))


def list_likely(texts: list[str], wanted: Mask, whole: str) -> list[int]:
    """The wanted texts that a text in lower case may contain in whatever case; more than those that it does contain."""
    return cast("list[int]", core.list_likely(texts, wanted, whole))


def cut_names(names: Sequence[str]) -> Words:
    """The lower-case words of names, split at changes of case too: `adBanner` is ad and banner.

    A name is read up to `LONGEST_NAME` characters.
    """
    cut, whole = list(names), "".join(names)
    if not whole.isascii() or (len(whole) > LONGEST_NAME and max(map(len, cut)) > LONGEST_NAME):
        cut = [_lower_beyond_ascii(name[:LONGEST_NAME]) for name in cut]
    return Words(*core.cut_names(cut, _list_kinds(_PLANES[1]), _BASE))


def cut_labels(texts: Sequence[str]) -> Words:
    """The words of labels, for phrases: each CJK character is a word, and `σχόλια` equals `σχολια`.

    texts: in lower case, without newlines. One over `LONGEST` characters counts as empty.
    """
    kinds, spellings = _list_kinds(_PLANES[1]), _list_spellings()
    short = ["" if len(text) > LONGEST else text if text.isascii() else _OPTIONAL_MARKS.sub("", text) for text in texts]
    return Words(*core.cut_labels(short, LONGEST, kinds, _list_unspaced(), spellings, _BASE))


def _cut(texts: Sequence[str], find: Find, first: int = 0) -> Words:
    """The words of texts. find: where they begin and end. first: number of the first text."""
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
"""Texts, each on a line -> code points, int64 [n_characters], and start and end of each word, int64 [2 * n_words]."""


def _find_names(lines: str) -> tuple[Rows, Rows]:
    """Runs of letters, split before a capital after a small letter (`ad|Banner`) or before one (`RSS|Feed`)."""
    code, kind = _read_kinds(_lower_beyond_ascii(lines))
    is_capital, is_small = kind == _UPPER, kind == _LOWER
    turns = (kind[1:] != kind[:-1]) & ~(is_capital[:-1] & is_small[1:])
    turns[:-1] |= is_capital[:-2] & is_capital[1:-1] & is_small[2:]
    bounds = np.flatnonzero(turns) + 1
    is_word = np.flatnonzero(kind[bounds] > 0)
    return code + _CASE * is_capital, np.stack((bounds[is_word], bounds[is_word + 1]), axis=1).ravel()


def _find_labels(lines: str) -> tuple[Rows, Rows]:
    """Runs of letters, split before and after each character of a script without spaces."""
    if not lines.isascii():
        lines = _OPTIONAL_MARKS.sub("", lines)
    code, kind = _read_kinds(lines)
    is_letter, alone = kind > 0, is_unspaced(code)
    cuts = ~is_letter[:-1] | ~is_letter[1:] | alone[:-1] | alone[1:]
    start = np.flatnonzero(cuts & is_letter[1:]) + 1
    end = np.flatnonzero(cuts & is_letter[:-1]) + 1
    return _list_spellings().take(code, mode="clip"), np.stack((start, end), axis=1).ravel()


def _lower_beyond_ascii(lines: str) -> str:
    return lines if lines.isascii() else _BEYOND_ASCII.sub(_lower, lines)


def _lower(run: re.Match[str]) -> str:
    """The run in lower case, unless that changes its length."""
    lower = run[0].lower()
    return lower if len(lower) == len(run[0]) else run[0]


def _read_kinds(lines: str) -> tuple[Rows, NDArray[np.uint8]]:
    """int64 [n_characters], their code points, and uint8 [n_characters], their kinds."""
    code = np.frombuffer(lines.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.intp)
    return code, _list_kinds(_PLANES[int(code.max()) >= _PLANES[0]]).take(code, mode="clip")


@cache
def _list_powers() -> tuple[Keys, Keys]:
    """Two uint64 [_ROOM]: B^1, B^2, ... and B^0, B^-1, ..., modulo 2^64.

    Their product leaves one factor B in every key. Without it the key of a single letter would be its code point, and
    all of these would share their first bits, by which `features.lexicon` distributes keys.
    """
    return _raise_power(_BASE, 1), _raise_power(pow(_BASE, -1, 1 << 64), 0)


def _raise_power(base: int, first: int) -> Keys:
    """uint64 [_ROOM]: `base` to the power of `first`, `first + 1`, ..."""
    factors = np.full(_ROOM, base, dtype=np.uint64)
    factors[0] = base**first
    return np.multiply.accumulate(factors)


@cache
def _list_kinds(n: int) -> NDArray[np.uint8]:
    """uint8 [n + 1]: the kind of each code point below n; the last entry, 0, is for all beyond."""
    table = np.zeros(n + 1, dtype=np.uint8)
    for run in LETTERS.finditer(np.arange(n, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")):
        table[run.start() : run.end()] = _LETTER
    table[ord("a") : ord("z") + 1] = _LOWER
    table[ord("A") : ord("Z") + 1] = _UPPER
    return table


@cache
def _list_lower() -> NDArray[np.uint32]:
    """uint32 [2^16]: each code point in lower case, 0 for those of which that is several or depends on the next."""
    points = np.arange(_PLANES[0], dtype="<u4")
    points[[ord(letter) for letter in _NOT_ALONE]] = 0
    lower = points.tobytes().decode("utf-32-le", "surrogatepass").lower()
    return np.frombuffer(lower.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


@cache
def _list_unspaced() -> NDArray[np.uint8]:
    """uint8 [0x110000]: 1 for the characters of scripts without spaces."""
    return is_unspaced(np.arange(0x110000)).astype(np.uint8)


@cache
def _list_spellings() -> Rows:
    """int64 [n + 1]: the code point as which each one is read, itself unless `_SPELLINGS` has it."""
    table = np.arange(_PLANES[1] + 1)
    for letters, plain in _SPELLINGS:
        table[list(map(ord, letters))] = list(map(ord, plain))
    return table
