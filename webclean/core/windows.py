"""The distinct values of an attribute -> where any three characters stand in them.

Several stages look for literals in the classes and ids of a page: rules for their words, the tree of the output for
what tools call their parts, platforms for addresses of scripts. A scan for each of them would read the same characters
again. These are read once, and each literal is then looked for where its first three characters stand:

    values     p o s t 0 c o p y - b t n 0         0 stands between two values, and in no literal
    heads      "pos" -> 2, "cop" -> 7, ...         by a hash, where the last such window ends
    following  2 -> -1, 7 -> -1, ...               the one before it with the same hash

Keep: `folded` has a 0 after each value, which ends every comparison; places are below 2^18 (`MOST_INDEXED`), so an int
holds them. Tested through `literals` by
`tests/matching/test_expressions.py`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_KIND
from cython.cimports.libc.string import memset

from webclean.core.lexicon import GOLDEN
from webclean.core.page import Page
from webclean.core.texts import Chars

BEYOND = cython.declare(cython.uint, 0xFFFF)
"""The last code point of the plane that literals are of. Those beyond it are read as 0, which no literal has."""
WINDOW_SIZE = cython.declare(cython.int, 3)
"""Characters of a window: `tex` and `fn-` are literals, and two letters stand everywhere."""
MOST_INDEXED = cython.declare(cython.Py_ssize_t, 1 << 18)
"""Characters of all values that are indexed. Pages with more hold images in `src`; a scan of these needs no memory."""
_WINDOW_MASK = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFF)
_HEAD_BITS = cython.declare(cython.int, 13)
"""Of the hash of a window. The classes of a page have some thousand windows."""


@cache
def list_case_folds() -> Any:
    """uint16 [2^16]: one character for all that differ in case alone, as RE2 takes them: `ſ` is an s, `ς` is a sigma.

    What becomes several letters (`ß`, ss) stands for all that become the same.
    """
    # a table of the plane, made once a process, instead of a call of `casefold` for each character
    found = np.arange(1 << 16, dtype=np.uint16)
    of_several: dict = {}
    for point in range(1 << 16):
        folded = chr(point).casefold()
        # `ß` folds to two letters: it stands for itself, and for all that fold to the same two
        is_one = len(folded) == 1 and folded <= "\uffff"
        found[point] = ord(folded) if is_one else of_several.setdefault(folded, point)
    return found


@cython.exceptval(check=False)
def place_of_window(window: cython.ulonglong) -> cython.Py_ssize_t:
    """The place of a window among the heads."""
    # the highest bits of the product depend on all three characters
    return (window * GOLDEN) >> (64 - _HEAD_BITS)


class Windows:
    """Where the windows of n values stand; -1 for n where they have too many characters.

    folded: the values in one case, 0 after each. first: [n + 1], where each value begins. heads, following: ends of
    windows, -1 for none.
    """

    n: cython.Py_ssize_t
    folded: cython.p_ushort
    first: cython.p_int
    heads: cython.p_int
    following: cython.p_int

    @cython.exceptval(check=False)
    def find_value(self, at: cython.int) -> cython.Py_ssize_t:
        """The number of the value that a character is of."""
        low: cython.Py_ssize_t = 0
        high: cython.Py_ssize_t = self.n
        while high - low > 1:
            middle = (low + high) >> 1
            # asked of the few places that hold a literal: a column with the value of each place would cost more to fill
            if self.first[middle] <= at:
                low = middle
            else:
                high = middle
        return low


@cython.cfunc
def index_slices(
    page: Page,
    markup: str,
    start: cython.p_int,
    stop: cython.p_int,
    n: cython.Py_ssize_t,
    fold: cython.pointer[cython.const[cython.ushort]],
) -> Windows:
    """The windows of n slices of the markup; of none (-1) where they have too many characters. fold: by
    `list_case_folds`."""
    made: Windows = Windows()
    kind: cython.int = PyUnicode_KIND(markup)
    data: cython.p_void = PyUnicode_DATA(markup)
    size: cython.Py_ssize_t = n
    at: cython.Py_ssize_t = 0
    for k in range(n):
        # with one 0 for each value, which `n` at the start counts
        size += stop[k] - start[k]
    made.n = n if size <= MOST_INDEXED else -1
    if made.n < 0:
        return made
    made.folded = cython.cast(cython.p_ushort, page.take(2 * size))
    made.following = page.take_ints(size)
    made.first = page.take_ints(n + 1)
    made.heads = cython.cast(cython.p_int, page.take(cython.sizeof(cython.int) << _HEAD_BITS))
    memset(made.heads, 0xFF, cython.sizeof(cython.int) << _HEAD_BITS)
    for k in range(n):
        made.first[k] = at
        if kind == 1:
            latin = cython.cast(cython.pointer[cython.uchar], data) + start[k]
            at = _add_value(made, latin, stop[k] - start[k], at, fold)
        elif kind == 2:
            wide = cython.cast(cython.pointer[cython.ushort], data) + start[k]
            at = _add_value(made, wide, stop[k] - start[k], at, fold)
        else:
            widest = cython.cast(cython.pointer[cython.uint], data) + start[k]
            at = _add_value(made, widest, stop[k] - start[k], at, fold)
    made.first[n] = at
    return made


@cython.exceptval(check=False)
def _add_value(
    made: Windows,
    data: cython.pointer[Chars],
    n: cython.Py_ssize_t,
    at: cython.Py_ssize_t,
    fold: cython.pointer[cython.const[cython.ushort]],
) -> cython.Py_ssize_t:
    """Add a value of n characters at a place; the place of the next."""
    # kept in variables of its own, for the compiler would read them anew at each character
    folded: cython.p_ushort = made.folded
    following: cython.p_int = made.following
    heads: cython.p_int = made.heads
    window: cython.ulonglong = 0
    for i in range(n):
        c = data[i]
        of: cython.ushort = fold[c] if c <= BEYOND else 0
        folded[at] = of
        window = (window << 16 | of) & _WINDOW_MASK
        # the first two windows of a value are shorter, and are those of no literal
        place = place_of_window(window)
        # the chain runs backwards through the values, so the newest end stands at its head
        following[at] = heads[place]
        heads[place] = at
        at += 1
    folded[at] = 0
    return at + 1
