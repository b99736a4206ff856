"""The features of text blocks: what they are made of, and how they are asked for.

Each feature is one line of a table (`build_features.py` says how to read it) in the file of its subject: `block_text`,
... A feature is filled when it is asked for the first time, after the passes whose columns it reads; cards ask for
those that they have lines for.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.libc.string import memset

from webclean.core.generated import fill_block
from webclean.core.page import Page

MOST_FEATURES = cython.declare(cython.int, 160)
"""Room for the features of blocks; 101 are in the tables."""

BLOCK_AXIS = {
    "holder": "Blocks",
    "variable": "blocks",
    "shorthands": {"page": "Page"},
    "rows": "blocks.n",
    "tables": ["BLOCK_TEXT"],
}


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def at_least_1(value: cython.double) -> cython.double:
    return value if value > 1.0 else 1.0


@cython.final
@cython.cclass
class BlockSettings:
    """What HTML and writing systems say, made once: the same for all pages.

    ends_sentence: by character up to U+FFFF, whether a text that ends in it ends like a sentence.
    """

    ends_sentence: cython.uchar[:]

    def __init__(self, sentence_ends: str) -> None:
        """sentence_ends: the characters that end a sentence."""
        self.ends_sentence = np.zeros(1 << 16, dtype=np.uint8)
        for sign in sentence_ends:
            self.ends_sentence[ord(sign)] = 1


@cython.final
@cython.cclass
class Blocks:
    """The features of a page's text blocks and the columns that they are made of, but for those of the page itself.

    Columns that passes fill, of blocks if nothing else is said:
        ending: how the text ends (`block_text.find_endings`).
    Columns that are given:
        prices: amounts of money; glimpses: dates, years and times of day.
        same: the first block with the same text; n_same: blocks with it, at the first.
    """

    page: Page
    settings: BlockSettings
    n: cython.Py_ssize_t
    done: cython.ulonglong
    ending: cython.p_double
    prices: cython.p_double
    glimpses: cython.p_double
    same: cython.p_longlong
    n_same: cython.p_double

    _columns: cython.p_double[160]
    _chunks: list
    _kept: list  # the arrays that were given

    def __init__(self, page: Page, settings: BlockSettings) -> None:
        """page: with the columns of `measure_blocks`."""
        self.page, self.settings, self.n = page, settings, page.n_blocks
        memset(self._columns, 0, MOST_FEATURES * cython.sizeof(cython.p_double))
        self._chunks, self._kept = [None] * MOST_FEATURES, []

    @cython.cfunc
    def get(self, number: cython.Py_ssize_t) -> cython.p_double:
        """The column of a feature, filled when it is asked for first. What the feature needs must have been given."""
        column: cython.p_double = self._columns[number]
        if column == cython.NULL:
            column = cython.cast(cython.p_double, self.page.take(self.n * cython.sizeof(cython.double)))
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

    @cython.cfunc
    def hold_floats(self, column: object) -> cython.p_double:
        """The memory of a float64 array, which is kept as long as the features."""
        values: cython.const[cython.double][::1] = column
        self._kept.append(column)
        return cython.cast(cython.p_double, cython.address(values[0])) if values.shape[0] else cython.NULL

    @cython.cfunc
    def hold_rows(self, column: object) -> cython.p_longlong:
        """The same of an int64 array."""
        values: cython.const[cython.longlong][::1] = column
        self._kept.append(column)
        return cython.cast(cython.p_longlong, cython.address(values[0])) if values.shape[0] else cython.NULL

    def give_prices(self, prices: object) -> None:
        self.prices = self.hold_floats(prices)

    def give_dates(self, glimpses: object) -> None:
        self.glimpses = self.hold_floats(glimpses)

    def give_same(self, same: object) -> None:
        self.same = self.hold_rows(same)


def describe_order(
    words: cython.const[cython.double][::1],
    link_words: cython.const[cython.double][::1],
    prose: cython.const[cython.uchar][::1],
    is_heading: cython.const[cython.uchar][::1],
    rank: cython.const[cython.longlong][::1],
    no_rank: cython.double,
    far: cython.double,
) -> Any:
    """float64 [7, n_blocks]: where a block stands among the others, see `features.neighbours`.

    prose: running text; rank: of a heading, `no_rank` before the first; far: the distance to what there is not.
    """
    n: cython.Py_ssize_t = words.shape[0]
    made = np.empty((7, n), dtype=np.float64)
    table: cython.double[:, ::1] = made
    next_prose: cython.Py_ssize_t = -1
    last_prose: cython.Py_ssize_t = -1
    heading: cython.Py_ssize_t = -1
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    i: cython.Py_ssize_t
    running: cython.double = 0.0
    running_prose: cython.double = 0.0
    linked: cython.double
    whole: cython.double
    for i in range(n):
        running += words[i]
        running_prose += words[i] if prose[i] else 0.0
    total: cython.double = at_least_1(running)
    total_prose: cython.double = running_prose
    running = running_prose = 0.0
    for i in range(n):
        if prose[i]:
            last_prose = i
        if is_heading[i]:
            heading = i
        running += words[i]
        running_prose += words[i] if prose[i] else 0.0
        table[1, i] = min(far, i - last_prose) if last_prose >= 0 else far
        table[2, i] = (total_prose - running_prose + (words[i] if prose[i] else 0.0)) / at_least_1(total_prose)
        table[3, i] = min(far - 1, i - heading) if heading >= 0 else far
        table[4, i] = rank[heading] if heading >= 0 else no_rank
        table[6, i] = (running - words[i]) / total
    for i in range(n - 1, -1, -1):
        if prose[i]:
            next_prose = i
        table[0, i] = min(far, next_prose - i) if next_prose >= 0 else far
    start = 0
    while start < n:
        end, linked, whole = start, 0.0, 0.0
        while end < n and (end == start or not is_heading[end]):
            linked += link_words[end]
            whole += words[end]
            end += 1
        for i in range(start, end):
            table[5, i] = linked / whole
        start = end
    return made


def describe_names(
    parent: cython.const[cython.longlong][::1],
    end: cython.const[cython.longlong][::1],
    depth: cython.const[cython.longlong][::1],
    rows: cython.const[cython.longlong][::1],
    number: cython.const[cython.longlong][::1],
    points: cython.const[cython.double][::1],
    strong: cython.double,
    none: cython.double,
) -> Any:
    """float64 [5, n_blocks]: points of the names around a block, see `features.tokens`; sums are not rounded.

    number: of each element's name; points: of each name; strong: names under minus that speak against a block; none:
    levels to one where there is none.
    """
    n: cython.Py_ssize_t = parent.shape[0]
    n_blocks: cython.Py_ssize_t = rows.shape[0]
    made = np.empty((5, n_blocks), dtype=np.float64)
    table: cython.double[:, ::1] = made
    path_sum: cython.double[::1] = np.empty(n, dtype=np.float64)
    ended: cython.double[::1] = np.zeros(n + 1, dtype=np.float64)
    against: cython.longlong[:, ::1] = np.empty((2, n), dtype=np.int64)  # how many are around, and the nearest
    running: cython.double = 0.0
    value: cython.double
    total: cython.double
    i: cython.Py_ssize_t
    row: cython.Py_ssize_t
    _level: cython.int
    above: cython.Py_ssize_t
    for i in range(n):
        if points[number[i]] != 0.0:
            ended[end[i]] += points[number[i]]
    for i in range(n):
        value = points[number[i]]
        running += value - ended[i]
        path_sum[i] = running
        above = parent[i]
        against[0, i] = against[0, above] if above >= 0 else 0
        against[1, i] = against[1, above] if above >= 0 else -1
        if value < -strong:
            against[0, i] += 1
            against[1, i] = i
    for i in range(n_blocks):
        row = rows[i]
        table[0, i] = path_sum[row]
        table[2, i] = points[number[against[1, row]]] if against[1, row] >= 0 else 0.0
        table[3, i] = depth[row] - depth[against[1, row]] if against[1, row] >= 0 else none
        table[4, i] = against[0, row]
        total = 0.0
        for _level in range(4):
            total += points[number[row]]
            row = parent[row] if parent[row] > 0 else 0
        table[1, i] = total
    return made


def describe_containers(
    above: cython.const[cython.longlong][:, ::1],
    n_words: cython.const[cython.double][::1],
    n_link_words: cython.const[cython.double][::1],
    n_blocks_below: cython.const[cython.double][::1],
    half_page: cython.double,
) -> Any:
    """float64 [4, n_blocks]: words and link words of the elements around a block, see `features.container`.

    above: the block elements 0, 1, 2, ... levels up; n_words, n_link_words, n_blocks_below: of elements; half_page:
    words of larger elements than a part of the page.
    """
    n: cython.Py_ssize_t = above.shape[1]
    made = np.empty((4, n), dtype=np.float64)
    table: cython.double[:, ::1] = made
    i: cython.Py_ssize_t
    level: cython.Py_ssize_t
    row: cython.Py_ssize_t
    density: cython.double
    highest: cython.double
    for i in range(n):
        for level in range(2):
            row = above[level + 2, i]
            table[level, i] = n_words[row] / at_least_1(n_blocks_below[row])
        row = above[2, i]
        table[2, i] = n_link_words[row] / at_least_1(n_words[row])
        row = above[0, i]
        highest = n_link_words[row] / at_least_1(n_words[row])
        for level in range(1, above.shape[0]):
            row = above[level, i]
            if n_words[row] < half_page:
                density = n_link_words[row] / at_least_1(n_words[row])
                highest = density if density > highest else highest
        table[3, i] = highest
    return made


def describe_main_text(
    parent: cython.const[cython.longlong][::1],
    end: cython.const[cython.longlong][::1],
    depth: cython.const[cython.longlong][::1],
    rows: cython.const[cython.longlong][::1],
    words: cython.const[cython.double][::1],
    prose: cython.const[cython.uchar][::1],
    path: cython.const[cython.longlong][::1],
    n_words: cython.const[cython.double][::1],
    n_prose_words: cython.const[cython.double][::1],
    page_words: cython.double,
) -> Any:
    """float64 [9, n_blocks]: where a block stands beside the main text, see `features.main_text`.

    words, prose, path: of blocks; n_words, n_prose_words: of elements.
    """
    n: cython.Py_ssize_t = parent.shape[0]
    n_blocks: cython.Py_ssize_t = rows.shape[0]
    made = np.zeros((9, n_blocks), dtype=np.float64)
    table: cython.double[:, ::1] = made
    own: cython.double[::1] = np.zeros(n, dtype=np.float64)  # running text among the children of each element
    common: cython.longlong[::1] = np.empty(n, dtype=np.int64)
    of_path: cython.double[:, ::1] = np.zeros((3, n_blocks), dtype=np.float64)
    first: cython.Py_ssize_t = -1
    last: cython.Py_ssize_t = -1
    main: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    row: cython.Py_ssize_t
    above: cython.Py_ssize_t
    for i in range(n_blocks):
        above = parent[rows[i]] if parent[rows[i]] > 0 else 0
        own[above] += words[i] if prose[i] else 0.0
    for i in range(n):
        if own[i] > own[main]:
            main = i
    for i in range(n):
        common[i] = i if i <= main < end[i] else common[parent[i]]
    for i in range(n_blocks):
        row = rows[i]
        above = parent[row] if parent[row] > 0 else 0
        if prose[i] and above == main:
            first = i if first < 0 else first
            last = i
        of_path[0, path[i]] += words[i]
        of_path[1, path[i]] += words[i] if main <= row < end[main] else 0.0
        of_path[2, path[i]] += words[i] if prose[i] else 0.0
    all_prose: cython.double = at_least_1(n_prose_words[0])
    for i in range(n_blocks):
        row = rows[i]
        above = parent[row] if parent[row] > 0 else 0
        table[0, i] = n_prose_words[above] / all_prose
        table[1, i] = own[above] / all_prose
        table[2, i] = n_words[common[row]] / page_words
        table[3, i] = depth[main] - depth[common[row]]
        table[4, i] = depth[row] - depth[common[row]]
        if last >= 0:
            table[5, i] = first - i if first > i else 0
            table[6, i] = i - last if i > last else 0
        table[7, i] = of_path[1, path[i]] / of_path[0, path[i]]
        table[8, i] = of_path[2, path[i]] / of_path[0, path[i]]
    return made


def describe_landmarks(
    depth: cython.const[cython.longlong][::1],
    rows: cython.const[cython.longlong][::1],
    owners: cython.const[cython.longlong][::1],
    tag: cython.const[cython.longlong][::1],
    kinds: cython.const[cython.ushort][::1],
    bits: cython.const[cython.ushort][::1],
    emphasis: cython.const[cython.uchar][::1],
    is_heading: cython.const[cython.uchar][::1],
    words: cython.const[cython.double][::1],
    n_articles: cython.double,
) -> Any:
    """float64 [9, n_blocks]: what stands around a block, and how deep, see `features.landmarks`.

    rows: the element of each block; owners: that of its first text; kinds: bits for what stands around each element,
    `bits` names those of footer, nav, header, boilerplate, input, main, article and control; emphasis: by tag.
    """
    n: cython.Py_ssize_t = rows.shape[0]
    made = np.empty((9, n), dtype=np.float64)
    table: cython.double[:, ::1] = made
    deepest: cython.Py_ssize_t = 0
    has_main: cython.bint = False
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for i in range(n):
        deepest = depth[rows[i]] if depth[rows[i]] > deepest else deepest
        has_main |= (kinds[rows[i]] & bits[5]) != 0
    for i in range(n):
        for k in range(5):
            table[k, i] = (kinds[rows[i]] & bits[k]) != 0
        table[5, i] = 2.0 if kinds[rows[i]] & bits[5] else 1.0 if has_main else 0.0
        if kinds[rows[i]] & bits[6]:
            table[6, i] = 3.0 if n_articles == 1 else 2.0
        else:
            table[6, i] = 1.0 if n_articles else 0.0
        if is_heading[i]:
            table[7, i] = 3.0
        elif kinds[owners[i]] & bits[7]:
            table[7, i] = 2.0
        else:
            table[7, i] = 1.0 if emphasis[tag[owners[i]]] else 0.0
    middle: cython.Py_ssize_t = _find_middle_depth(depth, rows, words, deepest) if n else 0
    for i in range(n):
        table[8, i] = depth[rows[i]] - middle
    return made


@cython.cfunc
def _find_middle_depth(
    depth: cython.const[cython.longlong][::1],
    rows: cython.const[cython.longlong][::1],
    words: cython.const[cython.double][::1],
    deepest: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """The depth of the page's median word: of blocks by depth, the first at which half of the words are reached."""
    n: cython.Py_ssize_t = rows.shape[0]
    next_place: cython.Py_ssize_t[::1] = np.zeros(deepest + 2, dtype=np.intp)
    order: cython.Py_ssize_t[::1] = np.empty(n, dtype=np.intp)
    running: cython.double[::1] = np.empty(n, dtype=np.float64)
    total: cython.double = 0.0
    i: cython.Py_ssize_t
    for i in range(n):
        next_place[depth[rows[i]] + 1] += 1
    for i in range(deepest + 1):
        next_place[i + 1] += next_place[i]
    for i in range(n):
        order[next_place[depth[rows[i]]]] = i
        next_place[depth[rows[i]]] += 1
    for i in range(n):
        total += words[order[i]]
        running[i] = total
    i = 0
    while running[i] < total / 2:
        i += 1
    return depth[rows[order[i]]]


def describe_surroundings(
    tree: tuple[Any, Any, Any],
    chances: cython.const[cython.double][::1],
    words: cython.const[cython.double][::1],
    kept: cython.const[cython.uchar][::1],
    path: cython.const[cython.longlong][::1],
    containers: cython.const[cython.longlong][::1],
    windows: tuple[tuple[int, int], ...],
    smoothing: tuple[float, float],
    least_chance: cython.double,
) -> Any:
    """float64 [4 + n_windows, n_blocks]: the blocks around, see `decide.passes`.

    The share of kept words in the container, and up to the block; mean chances of the blocks with the same path, of
    those in repeated elements that are siblings, and of each window, as odds.

    tree: parents of the elements; the element of each block, and the repeated one around it or -1; chances: of each
    block to be content; path, containers: numbers of groups; windows: blocks before and after; smoothing: content words
    and words that are added to those of a window; least_chance: chances are at least this, and as far from 1.
    """
    parent: cython.const[cython.longlong][::1]
    rows: cython.const[cython.longlong][::1]
    item: cython.const[cython.longlong][::1]
    parent, rows, item = tree
    n: cython.Py_ssize_t = words.shape[0]
    kept_words: cython.double[::1] = np.empty(n, dtype=np.float64)
    siblings: cython.longlong[::1] = np.empty(n, dtype=np.int64)
    made = np.empty((4 + len(windows), n), dtype=np.float64)
    table: cython.double[:, ::1] = made
    content: cython.double[::1] = np.empty(n, dtype=np.float64)
    running: cython.double[:, ::1] = np.zeros((2, n + 1), dtype=np.float64)
    extra_content: cython.double = smoothing[0]
    extra: cython.double = smoothing[1]
    all_kept: cython.double = 0.0
    i: cython.Py_ssize_t
    low: cython.Py_ssize_t
    high: cython.Py_ssize_t
    before: cython.Py_ssize_t
    after: cython.Py_ssize_t
    row: cython.Py_ssize_t = 4
    chance: cython.double
    for i in range(n):
        kept_words[i] = words[i] if kept[i] else 0.0
        siblings[i] = parent[item[i]] if item[i] >= 0 else rows[i] + parent.shape[0]
        content[i] = words[i] * chances[i]
        running[0, i + 1] = running[0, i] + content[i]
        running[1, i + 1] = running[1, i] + words[i]
        all_kept += kept_words[i]
        table[1, i] = all_kept
    for i in range(n):
        table[1, i] /= at_least_1(all_kept)
    _average_groups(containers, kept_words, words, table[0])
    _average_groups(path, content, words, table[2])
    _average_groups(siblings, content, words, table[3])
    for before, after in windows:
        for i in range(n):
            low = i - before if i > before else 0
            high = i + after if i + after < n else n
            table[row, i] = (running[0, high] - running[0, low] + extra_content) / (
                running[1, high] - running[1, low] + extra
            )
        row += 1
    for row in range(2, table.shape[0]):
        for i in range(n):
            chance = table[row, i] if table[row, i] > least_chance else least_chance
            chance = chance if chance < 1 - least_chance else 1 - least_chance
            table[row, i] = chance / (1 - chance)
    return made


@cython.cfunc
def _average_groups(
    group: cython.const[cython.longlong][::1],
    values: cython.const[cython.double][::1],
    words: cython.const[cython.double][::1],
    averages: cython.double[::1],
) -> cython.void:
    """For each entry, the sum of the values of its group / that of its words."""
    n: cython.Py_ssize_t = group.shape[0]
    most: cython.longlong = 0
    i: cython.Py_ssize_t
    for i in range(n):
        most = group[i] if group[i] > most else most
    sums: cython.double[:, ::1] = np.zeros((2, most + 1), dtype=np.float64)
    for i in range(n):
        sums[0, group[i]] += values[i]
        sums[1, group[i]] += words[i]
    for i in range(n):
        averages[i] = sums[0, group[i]] / sums[1, group[i]]


def describe_windows(
    words: cython.const[cython.double][::1],
    link_words: cython.const[cython.double][::1],
    prose: cython.const[cython.uchar][::1],
    is_heading: cython.const[cython.uchar][::1],
    link_density: cython.const[cython.double][:],
    no_density: cython.double,
) -> Any:
    """float64 [9, n_blocks]: the blocks before and after each one, see `features.neighbours`.

    prose: running text; link_density: of blocks, and no_density after the last one.
    """
    n: cython.Py_ssize_t = words.shape[0]
    made = np.empty((9, n), dtype=np.float64)
    table: cython.double[:, ::1] = made
    running: cython.double[:, ::1] = np.zeros((3, n + 1), dtype=np.float64)
    i: cython.Py_ssize_t
    start: cython.Py_ssize_t
    end: cython.Py_ssize_t
    whole: cython.double
    for i in range(n):
        running[0, i + 1] = running[0, i] + prose[i]
        running[1, i + 1] = running[1, i] + words[i]
        running[2, i + 1] = running[2, i] + link_words[i]
    for i in range(n):
        table[0, i] = _average(running[0], i, 5, n)
        table[1, i] = _average(running[0], i, 15, n)
        table[2, i] = _average(running[1], i, 2, n)
        table[3, i] = _average(running[1], i, 10, n)
        table[4, i] = _average(running[2], i, 3, n) / _average(running[1], i, 3, n)
        table[5, i] = _average(running[2], i, 12, n) / _average(running[1], i, 12, n)
        table[6, i] = words[i - 1] if i else 0.0
        table[7, i] = link_density[i + 1] if i + 1 < n else no_density
    start = 0
    while start < n:
        end, whole = start, 0.0
        while end < n and (end == start or not is_heading[end]):
            whole += 0.0 if is_heading[end] else words[end]
            end += 1
        for i in range(start, end):
            table[8, i] = whole / at_least_1(end - start - 1)
        start = end
    return made


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _average(
    running: cython.double[::1], at: cython.Py_ssize_t, reach: cython.Py_ssize_t, n: cython.Py_ssize_t
) -> cython.double:
    """Mean over an entry and up to `reach` entries on either side. running: sums of the entries before each."""
    low: cython.Py_ssize_t = at - reach if at > reach else 0
    high: cython.Py_ssize_t = at + reach + 1 if at + reach + 1 < n else n
    return (running[high] - running[low]) / (high - low)


def describe_wider_containers(
    above: cython.const[cython.longlong][:, ::1],
    n_words: cython.const[cython.double][::1],
    n_link_words: cython.const[cython.double][::1],
    n_blocks_below: cython.const[cython.double][::1],
    n_prose_words: cython.const[cython.double][::1],
    page_words: cython.double,
) -> Any:
    """float64 [11, n_blocks]: words, link words and running text of the elements around a block, see
    `features.container`; above: the block elements 0, 1, 2, ... levels up; the others: of elements."""
    n: cython.Py_ssize_t = above.shape[1]
    made = np.empty((11, n), dtype=np.float64)
    table: cython.double[:, ::1] = made
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    row: cython.Py_ssize_t
    for i in range(n):
        table[0, i] = n_words[above[1, i]] / at_least_1(n_blocks_below[above[1, i]])
        for k in range(3):
            row = above[2 * k + 1, i]
            table[1 + k, i] = n_link_words[row] / at_least_1(n_words[row])
        for k in range(3):
            table[4 + k, i] = n_words[above[1 << k, i]] / page_words
        for k in range(2):
            table[7 + k, i] = n_words[above[k, i]] / at_least_1(n_words[above[k + 1, i]])
            table[9 + k, i] = n_prose_words[above[2 * k + 1, i]]
    return made


def describe_densest(
    tree: tuple[Any, Any, Any],
    rows: cython.const[cython.longlong][::1],
    words: cython.const[cython.double][::1],
    link_words: cython.const[cython.double][::1],
    prose: cython.const[cython.uchar][::1],
    n_words: cython.const[cython.double][::1],
    page_words: cython.double,
) -> Any:
    """float64 [3, n_blocks]: where a block stands beside the densest running text and the largest block, see
    `features.container`; tree: parent, end and depth of the elements; n_words: of elements."""
    parent: cython.const[cython.longlong][::1]
    end: cython.const[cython.longlong][::1]
    depth: cython.const[cython.longlong][::1]
    parent, end, depth = tree
    n: cython.Py_ssize_t = parent.shape[0]
    n_blocks: cython.Py_ssize_t = rows.shape[0]
    made = np.empty((3, n_blocks), dtype=np.float64)
    table: cython.double[:, ::1] = made
    near: cython.double[:, ::1] = np.zeros((2, n), dtype=np.float64)  # of children, of grandchildren
    common: cython.longlong[:, ::1] = np.empty((2, n), dtype=np.int64)
    densest: cython.Py_ssize_t = 0
    largest: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t
    up: cython.Py_ssize_t
    for i in range(n_blocks):
        if words[i] - link_words[i] > words[largest] - link_words[largest]:
            largest = i
        if prose[i]:
            up = parent[rows[i]] if parent[rows[i]] > 0 else 0
            near[0, up] += words[i] - link_words[i]
            near[1, parent[up] if parent[up] > 0 else 0] += (words[i] - link_words[i]) / 2
    for i in range(n):
        if near[0, i] + near[1, i] > near[0, densest] + near[1, densest]:
            densest = i
    largest = rows[largest] if n_blocks else 0
    for i in range(n):
        common[0, i] = i if i <= densest < end[i] else common[0, parent[i]]
        common[1, i] = i if i <= largest < end[i] else common[1, parent[i]]
    for i in range(n_blocks):
        table[0, i] = n_words[common[0, rows[i]]] / page_words
        table[1, i] = depth[rows[i]] - depth[common[0, rows[i]]]
        table[2, i] = n_words[common[1, rows[i]]] / page_words
    return made
