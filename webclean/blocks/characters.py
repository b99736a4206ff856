"""Texts -> one array with the class of every character, so that counting needs no Python loop.

A character's class is a set of bits: `.` is PUNCTUATION and STOP at once. Counting the punctuation of a text is then a
sum over a slice of the array.

The marks are those of Western, Greek, Armenian, East and South-East Asian, Arabic, Indic and Ethiopic scripts. CLOSING
includes opening quotation marks, since German closes a quotation with “, and Danish and Czech books with «.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean.model import Mask, Rows

SPACE: Final = 1
"""White space: the characters for which `str.isspace` is true."""
UNSPACED: Final = 2
"""Characters of scripts without spaces between words (radicals, ideographs, kana): each one counts as a word."""
PUNCTUATION: Final = 4
STOP: Final = 8
"""Ends a sentence if white space, a closing quotation mark or bracket, or the end of the text follows."""
CLOSING: Final = 16
FULL_STOP: Final = 32
"""Ends a sentence whatever follows; a row of them ends one sentence."""
LONE_STOP: Final = 64
"""Ends a sentence whatever follows, even where several stand in a row."""
SYLLABIC: Final = 128
"""Thai, Lao, Burmese and Khmer, written without spaces between words: about four signs make a word."""

_MEMBERS: Final = {
    SPACE: "\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000",
    UNSPACED: (
        "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
        "\U00020000-\U0003ffff"
    ),
    PUNCTUATION: (
        "!-#%-*,-/:;?@[-]_{}¡§«¶·»¿\u037e\u0387։،؛؟۔।॥၊။።-፧។-៖‐-‧‰-⁞、-〃〈-】〔-〟・！-＃％-＊，-／：；？＠［-］＿｛｝｡-･"
    ),
    STOP: ".!?…",
    CLOSING: "\"'”’“‘»«›)]",
    FULL_STOP: "。！？．｡",
    LONE_STOP: "۔؟।॥։።፧။។",
    SYLLABIC: "\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u1049\u1780-\u17d3",
}
"""Kind -> its characters, written as in a regular expression's set: single ones, and ranges `first-last`."""


@lru_cache(maxsize=1)
def list_kinds() -> NDArray[np.uint8]:
    """uint8 [0x110000]: the kind of every code point, made once."""
    table = np.zeros(0x110000, dtype=np.uint8)
    for kind, members in _MEMBERS.items():
        for first, last in re.findall(r"(.)(?:-(.))?", members, re.DOTALL):
            table[ord(first) : ord(last or first) + 1] |= kind
    table.setflags(write=False)
    return table


@lru_cache(maxsize=1)
def _build_ascii_table() -> bytes:
    return list_kinds()[:256].tobytes()


def is_unspaced(codes: NDArray[np.intp]) -> Mask:
    """bool [n]: the code points that belong to scripts written without spaces."""
    return np.asarray(list_kinds().take(codes) & UNSPACED != 0)


@dataclass(frozen=True, slots=True, eq=False)
class Characters:
    """Several texts as one array: they are concatenated, each followed by a separator (a newline).

    codes: code points, uint8 [n_characters] when all are ASCII, uint32 when not. kinds: uint8
    [n_characters], sums of the constants above.
    is_non_space: bool [n_characters]. start: int64 [n_texts], where each text begins; stop: where its separator stands.
    """

    codes: NDArray[np.uint8] | NDArray[np.uint32]
    kinds: NDArray[np.uint8]
    is_non_space: Mask
    start: Rows
    stop: Rows


def read_characters(texts: Sequence[str]) -> Characters:
    """Concatenate texts and classify their characters."""
    stop = np.fromiter(map(len, texts), dtype=np.intp, count=len(texts)).cumsum() + np.arange(len(texts))
    start = np.append(0, stop + 1)[:-1]
    joined = "\n".join((*texts, ""))
    codes: NDArray[np.uint8] | NDArray[np.uint32]
    if joined.isascii():
        data = joined.encode("ascii")
        codes = np.frombuffer(data, dtype=np.uint8)
        kinds = np.frombuffer(data.translate(_build_ascii_table()), dtype=np.uint8)
    else:
        codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        kinds = list_kinds().take(codes)
        at = np.flatnonzero((codes == ord(";")) | (codes == ord("\u037e")))
        at = at[at > 0]
        kinds[at[_is_greek(codes[at - 1])]] |= STOP
    return Characters(codes, kinds, kinds & SPACE == 0, start, stop)


def _is_greek(codes: NDArray[np.uint8] | NDArray[np.uint32]) -> Mask:
    return np.asarray((codes >= 0x0370) & (codes <= 0x03FF) | (codes >= 0x1F00) & (codes <= 0x1FFF))


def write_characters(codes: NDArray[np.uint8] | NDArray[np.uint32]) -> str:
    """Code points -> text: the reverse of `read_characters`."""
    data = codes.tobytes()
    return data.decode("ascii") if codes.itemsize == 1 else data.decode("utf-32-le", "surrogatepass")


def sum_slices(values: Mask, start: Rows) -> Rows:
    """int32 [n]: the number of true values in each slice; a slice ends where the next one starts.

    start: int64 [n], rising.
    """
    if not len(start):
        return np.zeros(0, dtype=np.int32)
    return np.asarray(np.add.reduceat(values, start, dtype=np.int32))
