"""The features of text blocks: the columns that nearly all are made of, and how a feature is asked for.

Each feature is a line of `features.toml`; the columns that the lines read are filled here, in `block_columns` and in
`block_places`. A feature is filled when it is asked for the first time, after the passes whose columns it reads; so a
card costs what it has lines for.

Sums are added in the order of the blocks: another order would change the last bit of some features, and with it the bin
of a card that a value falls in.

Enters: a page with blocks and their counts, and what is given by name (`give_*`). Leaves: columns from `n_text_chars`
to `levels`, sums below elements, a column a feature. Keep: all cards and rules were learnt with these numbers; what is
given is kept alive here (`_kept`), since its memory is read later; `done` has a bit for each pass, so there are at most
60 (`build_features.py` counts). Tested by `tests/features/test_table.py`, `tests/blocks/test_text_blocks.py` and the
golden columns.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.libc.math import rint
from cython.cimports.libc.string import memset

from webclean.core.generated import fill_block
from webclean.core.page import Page

MOST_FEATURES = cython.declare(cython.int, 160)
"""Room for the features of blocks; 101 are in the tables."""
SUM_UNIT = cython.declare(cython.double, 1e9)
"""Sums of points are rounded to 1 / this, so that they do not depend on the order of summation: .1 + .2 is .3."""


@cython.exceptval(check=False)
@cython.inline
def at_least_1(value: cython.double) -> cython.double:
    return value if value > 1.0 else 1.0


@cython.exceptval(check=False)
@cython.inline
def at_most(value: cython.double, most: cython.double) -> cython.double:
    return value if value < most else most


@cython.exceptval(check=False)
@cython.inline
def round_sum(points: cython.double) -> cython.double:
    return rint(points * SUM_UNIT) / SUM_UNIT


@cython.dataclasses.dataclass(repr=False, eq=False)
class BlockSettings:
    """What HTML and writing systems say, made once: the same for all pages.

    ends_sentence: by character up to U+FFFF, whether a text that ends in it ends like a sentence. By code of a tag:
    heading, emphasis, field: sets of tags; rank: of a heading, 7 for others; kinds: bits of what the element is, as
    `block_places` names them.
    """

    ends_sentence: cython.uchar[::1]
    heading: cython.const[cython.uchar][::1]
    emphasis: cython.const[cython.uchar][::1]
    field: cython.const[cython.uchar][::1]
    formatting: cython.const[cython.uchar][::1]
    rank: cython.const[cython.double][::1]
    kinds: cython.const[cython.ushort][::1]


class Blocks:
    """The features of a page's text blocks and the columns that they are made of, but for those of the page itself.

    The function that fills a column says what it is; `until` in a name: entry i has the sum of all before i.
    Columns that are given, of blocks if nothing else is said:

        dates              glimpses: dates, years and times of day
        same               same: the first block with the same text
        hidden             veiled_rows: elements with `aria-hidden`
        headline           headline: the block, -1 for none
        links              of links: link_row, link_kind, link_segments, link_is_own (in the page's first directory,
                           has_directory: if it has one); same_site, other_site: kinds
        repeats            the columns of that name of the page, which `read_names` adds
        names              name: of the page; name_points: of each name
        texts              word_points, heading_points: of the words of each text, as one of at most short_text
                           characters and as a heading
    """

    page: Page
    settings: BlockSettings
    n: cython.Py_ssize_t
    done: cython.ulonglong

    around: cython.p_ushort
    n_articles: cython.Py_ssize_t
    has_main: cython.bint
    n_veiled_rows: cython.Py_ssize_t
    middle_depth: cython.Py_ssize_t
    headline: cython.Py_ssize_t
    densest: cython.Py_ssize_t

    n_links: cython.Py_ssize_t
    same_site: cython.longlong
    other_site: cython.longlong
    has_directory: cython.bint

    first_on_path: cython.Py_ssize_t
    last_on_path: cython.Py_ssize_t
    main_text: cython.Py_ssize_t
    first_paragraph: cython.Py_ssize_t
    last_paragraph: cython.Py_ssize_t

    short_text: cython.Py_ssize_t

    _columns: cython.p_double[160]
    _chunks: list
    _kept: list  # the arrays that were given

    def __init__(self, page: Page, settings: BlockSettings) -> None:
        """page: with the columns of `measure_blocks`."""
        self.page, self.settings, self.n = page, settings, page.n_blocks
        self.page_words = at_least_1(page.n_words_below[0]) if page.n_elements else 1.0
        memset(self._columns, 0, MOST_FEATURES * cython.sizeof(cython.p_double))
        self._chunks, self._kept = [None] * MOST_FEATURES, []

    def get(self, number: cython.Py_ssize_t) -> cython.p_double:
        """The column of a feature, filled when it is asked for first. What the feature needs must have been given."""
        column: cython.p_double = self._columns[number]
        if column == cython.NULL:
            column = self.page.take_floats(self.n)
            # before the next column may open another chunk: the view is cut from the one that this column is in
            self._chunks[number] = self.page._chunk
            fill_block(self, number, column)
            self._columns[number] = column
        return column

    def view(self, number: cython.Py_ssize_t) -> Any:
        """float64 [n_blocks]: a feature as a numpy array, by its number in the order of the tables."""
        column: cython.p_double = self.get(number)
        bytes_of: cython.uchar[::1] = self._chunks[number]
        start: cython.Py_ssize_t = cython.cast(cython.p_char, column) - cython.cast(
            cython.p_char, cython.address(bytes_of[0])
        )
        return self._chunks[number][start : start + self.n * 8].view(np.float64)

    def hold_floats(self, column: Any) -> cython.p_double:
        """The memory of a float64 array, which is kept as long as the features."""
        values: cython.const[cython.double][::1] = column
        self._kept.append(column)
        return cython.cast(cython.p_double, cython.address(values[0])) if values.shape[0] else cython.NULL

    def hold_rows(self, column: Any) -> cython.p_longlong:
        """The same of an int64 array."""
        values: cython.const[cython.longlong][::1] = column
        self._kept.append(column)
        return cython.cast(cython.p_longlong, cython.address(values[0])) if values.shape[0] else cython.NULL

    def hold_flags(self, column: Any) -> cython.p_uchar:
        """The same of a uint8 or bool array."""
        values: cython.const[cython.uchar][::1] = column.view(np.uint8)
        self._kept.append(column)
        return cython.cast(cython.p_uchar, cython.address(values[0])) if values.shape[0] else cython.NULL

    def give_dates(self, glimpses: Any) -> None:
        self.glimpses = self.hold_floats(glimpses)

    def give_same(self, same: Any) -> None:
        self.same = self.hold_rows(same)

    def give_hidden(self, veiled_rows: Any) -> None:
        self.veiled_rows, self.n_veiled_rows = self.hold_rows(veiled_rows), len(veiled_rows)

    def give_headline(self, headline: cython.Py_ssize_t) -> None:
        self.headline = headline

    def give_links(
        self,
        rows: Any,
        kinds: Any,
        segments: Any,
        is_own: Any,
        sites: tuple[int, int],
        has_directory: cython.bint,
    ) -> None:
        """sites: the kinds of links to the same site and to others."""
        self.n_links, self.link_row, self.link_kind = len(rows), self.hold_rows(rows), self.hold_rows(kinds)
        self.link_segments, self.link_is_own = self.hold_floats(segments), self.hold_flags(is_own)
        self.same_site, self.other_site = sites
        self.has_directory = has_directory

    def give_repeats(self) -> None:
        page: Page = self.page
        self.item, self.outer, self.path, self.group = page.item, page.outer, page.path, page.group
        self.group_size, self.group_words, self.group_spread = page.group_size, page.group_words, page.group_spread

    def give_names(self, name_points: Any) -> None:
        self.name, self.name_points = self.page.name, self.hold_floats(name_points)

    def give_texts(self, word_points: Any, heading_points: Any, short_text: cython.Py_ssize_t) -> None:
        self.word_points, self.heading_points = self.hold_floats(word_points), self.hold_floats(heading_points)
        self.short_text = short_text


@cython.exceptval(check=False)
@cython.inline
def at_level(page: Page, values: cython.p_double, i: cython.Py_ssize_t, level: cython.Py_ssize_t) -> cython.double:
    """A value of the block element so many levels up from a block."""
    return values[page.levels[level * page.n_blocks + i]]


@cython.inline
@cython.exceptval(check=False)
def sum_inside(page: Page, until: cython.p_double, i: cython.Py_ssize_t, level: cython.Py_ssize_t) -> cython.double:
    """The sum over the block element so many levels up. until: [n_elements + 1], sums of the elements before each."""
    row: cython.Py_ssize_t = page.levels[level * page.n_blocks + i]
    return until[page.end[row]] - until[row]


@cython.exceptval(check=False)
def find_common(page: Page, row: cython.Py_ssize_t, common: cython.p_longlong) -> cython.void:
    """common: of each element, the smallest one around both it and `row`."""
    for i in range(page.n_elements):
        # the root is around all rows, so each element has one
        common[i] = i if i <= row < page.end[i] else common[page.parent[i]]


@cython.exceptval(check=False)
@cython.inline
def find_parent(page: Page, row: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The element around one; of the root the root itself."""
    return page.parent[row] if page.parent[row] > 0 else 0


N_LEVELS = 6
"""Levels of block elements that are climbed: no card asks for higher ones."""


def measure_blocks(
    page: Page, chars_per_word: cython.double, label_chars: cython.double, link_share: cython.double
) -> None:
    """Add the columns that nearly all features are made of: `n_text_chars` to `levels`, and the sums below elements.

    chars_per_word, label_chars, link_share: of `features.page_columns`.
    """
    n: cython.Py_ssize_t = page.n_elements
    n_blocks: cython.Py_ssize_t = page.n_blocks
    n_levels: cython.Py_ssize_t = N_LEVELS
    end: cython.p_longlong = page.end
    for name in ("n_text_chars", "is_prose", "words", "link_words", "prose_words"):
        page.add(name, n_blocks)
    page.add("levels", n_blocks, n_levels)
    for name in ("n_words_below", "n_link_words_below", "n_prose_words_below", "n_blocks_below"):
        page.add(name, n)
    prose, levels = page.is_prose, page.levels
    running: cython.p_double = page.take_floats(4 * (n + 1), True)  # [n + 1, 4], as below
    n_chars: cython.p_int = page.n_chars
    n_words: cython.p_int = page.n_words
    for i in range(n_blocks):
        page.n_text_chars[i] = len(cython.cast(str, page.block_texts[i]))
        # the fewer of both: a Chinese sign counts as a word, and two of them say as much as one English word
        words: cython.double = min(cython.cast(cython.double, n_words[i]), n_chars[i] / chars_per_word)
        # one at least: `* * *` and a price have a place on the page, and are divided by
        words = words if words > 1.0 else 1.0
        # in scripts without spaces a sign is counted as a word, and a label is half as long
        label = label_chars / 2 if n_words[i] * chars_per_word > n_chars[i] else label_chars
        prose[i] = page.n_sentences[i] > 0 and n_chars[i] > label and page.n_link_chars[i] < link_share * n_chars[i]
        page.words[i] = words
        page.link_words[i] = page.n_link_words[i] * min(1.0, words / max(1, n_words[i]))
        page.prose_words[i] = words if prose[i] else 0.0
        row: cython.Py_ssize_t = page.row[i]
        # four sums side by side: they are read together, from one line of the cache
        running[4 * (row + 1)] += words
        running[4 * (row + 1) + 1] += page.link_words[i]
        running[4 * (row + 1) + 2] += page.prose_words[i]
        running[4 * (row + 1) + 3] += 1.0
        for k in range(n_levels):
            levels[k * n_blocks + i] = row
            # above the root, the root again: features of high levels exist on flat pages too
            row = page.block[page.parent[row]] if page.parent[row] >= 0 else row
    for i in range(4 * n):
        running[i + 4] += running[i]
    for i in range(n):
        page.n_words_below[i] = running[4 * end[i]] - running[4 * i]
        page.n_link_words_below[i] = running[4 * end[i] + 1] - running[4 * i + 1]
        page.n_prose_words_below[i] = running[4 * end[i] + 2] - running[4 * i + 2]
        page.n_blocks_below[i] = running[4 * end[i] + 3] - running[4 * i + 3]
