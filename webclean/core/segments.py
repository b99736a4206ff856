"""Features of the semantic blocks of a page, of which there are n, and the columns that they are made of.

Each feature is a line of `features.toml`.

Enters: a page with blocks, semantic blocks by `owner` of elements, points of text blocks. Leaves: a table, one row a
feature. Keep: a text belongs to the block that owns its element, so sums over blocks are those over texts, once each;
the flags of surroundings stand in the order of the features `in_...`. Tested by `tests/segments/test_roles.py` and
`tests/features/test_table.py`.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

from webclean.core.features import at_least_1
from webclean.core.generated import fill_segment
from webclean.core.page import Page


class SegmentSums:
    """What the features of semantic blocks are made of.

    Of blocks, float64 [n] (`sum_segments`): their text blocks, characters, words, characters in links, sentences,
    characters that are seen, characters before them; weights: words, at least 1 a text block; points: of text blocks
    over the cut, times weights; links and elements of five kinds. first_rows: their first elements. inside: float64
    [n_flags, n], characters inside elements with each flag (`sum_surroundings`).
    Of the page: whole: characters in blocks; first_h1: row of the first h1, -1 for none; is_seen_page: most characters
    are seen.
    """

    n: cython.Py_ssize_t
    done: cython.ulonglong
    page: Page
    owner: cython.const[cython.int][:]
    is_kind: cython.const[cython.uchar][:, ::1]
    score: cython.const[cython.double][:]
    cut: cython.double
    marks: tuple

    first_h1: cython.Py_ssize_t
    is_seen_page: cython.bint
    first_rows: cython.longlong[::1]
    inside: cython.double[:, ::1]

    def __init__(
        self, page: Page, segments: tuple[Any, Any], is_kind: Any, decided: tuple[Any, float], marks: tuple
    ) -> None:
        """
        Args:
            segments: int32 [n_elements], the semantic block of each element, -1 for none; the outermost elements of
                each block.
            is_kind: uint8 [5, n_codes], which tags are images, controls, headings, h1, cells.
            decided: float64, the points of text blocks; those from which they are kept.
            marks: int64 [n_elements], groups of tokens as bits; uint16 [n_codes], flags of tags; pairs (groups of
                tokens, flag that a name of these gives); rows of elements, each time with their flags; how many flags
                there are; the share of the text from which an element has none of those that a name gives.
        """
        self.page, self.is_kind, self.marks = page, is_kind, marks
        self.owner, roots = segments
        self.score, self.cut = decided
        self.n = len(roots)
        self.first_rows = np.array([rows[0] for rows in roots], dtype=np.int64)

    def fill(self, numbers: tuple[int, ...]) -> Any:
        """float64 [n_numbers, n]: features by their numbers in the order of the tables."""
        made = np.empty((len(numbers), self.n))
        table: cython.double[:, ::1] = made
        for at in range(len(numbers)):
            if self.n:
                fill_segment(self, numbers[at], cython.address(table[at, 0]))
        return made


@cython.cfunc
def sum_segments(segments: SegmentSums) -> None:
    """All columns but `inside`."""
    page: Page = segments.page
    n: cython.Py_ssize_t = segments.n
    segments.blocks, segments.chars = page.take_floats(n, True), page.take_floats(n, True)
    segments.words, segments.link_chars = page.take_floats(n, True), page.take_floats(n, True)
    segments.sentences, segments.seen_chars = page.take_floats(n, True), page.take_floats(n, True)
    segments.before, segments.weights = page.take_floats(n), page.take_floats(n, True)
    segments.points, segments.links = page.take_floats(n, True), page.take_floats(n, True)
    segments.images, segments.controls = page.take_floats(n, True), page.take_floats(n, True)
    segments.headings, segments.h1s = page.take_floats(n, True), page.take_floats(n, True)
    segments.cells = page.take_floats(n, True)
    seen: cython.double = 0
    shown: cython.double = 0
    for i in range(page.n_blocks):
        chars, words = page.n_chars[i], at_least_1(page.n_words[i])
        shown += chars
        seen += chars if page.visible[i] else 0
        k = segments.owner[page.row[i]]
        if k >= 0:
            segments.blocks[k] += 1
            segments.chars[k] += chars
            segments.words[k] += page.n_words[i]
            segments.link_chars[k] += page.n_link_chars[i]
            segments.sentences[k] += page.n_sentences[i]
            # a block of pictures or signs has no words, and still has points
            segments.weights[k] += words
            segments.points[k] += words * (segments.score[i] - segments.cut)
            segments.seen_chars[k] += chars if page.visible[i] else 0
    # a page drawn by a script is hidden whole until it runs: there `hidden` tells nothing of a block
    segments.is_seen_page = 2 * seen >= shown
    segments.first_h1 = -1
    for i in range(page.n_elements):
        if segments.first_h1 < 0 and segments.is_kind[3, page.tag[i]]:
            segments.first_h1 = i
        k = segments.owner[i]
        if k >= 0:
            segments.links[k] += page.link[i] == i
            segments.images[k] += segments.is_kind[0, page.tag[i]]
            segments.controls[k] += segments.is_kind[1, page.tag[i]]
            segments.headings[k] += segments.is_kind[2, page.tag[i]]
            segments.h1s[k] += segments.is_kind[3, page.tag[i]]
            segments.cells[k] += segments.is_kind[4, page.tag[i]]
    segments.whole = 0
    for k in range(segments.n):
        segments.before[k] = segments.whole
        segments.whole += segments.chars[k]


@cython.cfunc
def sum_surroundings(segments: SegmentSums) -> None:
    """inside: the characters of each block inside elements with each flag."""
    page: Page = segments.page
    n: cython.Py_ssize_t = page.n_elements
    names: cython.const[cython.longlong][:]
    of_tag: cython.const[cython.ushort][:]
    by_name: list
    by_role: list
    n_flags: cython.Py_ssize_t
    page_share: cython.double
    names, of_tag, by_name, by_role, n_flags, page_share = segments.marks
    segments.inside = np.zeros((n_flags, segments.n))
    running: cython.double[::1] = np.zeros(n + 1)
    joined: cython.ushort[::1] = np.zeros(n, dtype=np.uint16)
    groups: cython.longlong
    given: cython.ushort
    bounded: cython.ushort = 0
    i: cython.Py_ssize_t
    for i in range(page.n_blocks):
        running[page.row[i] + 1] += page.n_chars[i]
    for i in range(n):
        running[i + 1] += running[i]
        joined[i] = of_tag[page.tag[i]]
    for rows, given in by_role:
        for i in rows:
            joined[i] |= given
    for groups, given in by_name:
        bounded |= given
        for i in range(n):
            if names[i] & groups:
                joined[i] |= given
    for i in range(n):
        # A dialog or sidebar with most of the text is the page itself, framed by a tool of that name.
        if joined[i] & bounded and running[page.end[i]] - running[i] >= page_share * running[n]:
            joined[i] &= ~bounded
        if page.parent[i] >= 0:
            # parents come first, so a flag goes down in the same pass; after the bound, so that a framed page hands
            # none down
            joined[i] |= joined[page.parent[i]]
    for i in range(page.n_blocks):
        k = segments.owner[page.row[i]]
        for flag in range(n_flags if k >= 0 else 0):
            if joined[page.row[i]] >> flag & 1:
                segments.inside[flag, k] += page.n_chars[i]


def describe_block_names(
    page: Page,
    roots: tuple[tuple[int, ...], ...],
    names: cython.const[cython.longlong][:],
    groups: cython.const[cython.longlong][:],
) -> Any:
    """float64 [n_groups, n]: 1 where the block's own elements are named by a group of tokens, 0.5 where one around is.

    Args:
        roots: the outermost elements of each semantic block. What is their only child is its own as well.
        names: int64 [n_elements], groups of tokens in the names of each element, as bits.
        groups: int64 [n_groups], their bits.
    """
    made = np.zeros((groups.shape[0], len(roots)))
    table: cython.double[:, ::1] = made
    row: cython.Py_ssize_t
    for k in range(len(roots)):
        own: cython.longlong = 0
        around: cython.longlong = 0
        for row in roots[k]:
            own |= names[row]
            # an only child is the block as well: authors name either (`<section><div class=comments>`)
            while row + 1 < page.end[row] and page.end[row + 1] == page.end[row]:
                row += 1  # noqa: PLW2901
                own |= names[row]
        row = roots[k][0]
        while page.parent[row] >= 0:
            row = page.parent[row]
            around |= names[row]
        for i in range(groups.shape[0] if own | around else 0):
            table[i, k] = 1.0 if own & groups[i] else 0.5 if around & groups[i] else 0.0
    return made


def arrange(page: Page, roots: list[tuple[int, ...]]) -> Any:
    """The block around each semantic block, -1 for none; int32 [n_elements], the block that each element is in, -1 for
    none. roots: the outermost elements of each block, those of blocks before the blocks inside them."""
    made = np.full(page.n_elements, -1, dtype=np.int32)
    owner: cython.int[::1] = made
    parents: list = []
    row: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for number in range(len(roots)):
        row = roots[number][0]
        # before its own rows are set: who owns the row now is the block around
        parents.append(owner[row])
        for row in roots[number]:
            for i in range(row, page.end[row]):
                owner[i] = number
    return parents, made
