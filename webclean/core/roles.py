"""Features of the semantic blocks of a page, of which there are n, and the columns that they are made of.

Each feature is a line of `features.toml`.

Enters: semantic blocks by `owner` of elements, columns of the page, points of text blocks. Leaves: a table, one row a
feature. Keep: a text belongs to the block that owns its element, so sums over blocks are those over texts, once each;
the flags of surroundings stand in the order of `SEGMENT_SURROUNDINGS`. Tested by `tests/segments/test_evidence.py` and
`tests/features/test_table.py`.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

from webclean.core.features import at_least_1
from webclean.core.generated import fill_segment


@cython.final
@cython.cclass
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
    owner: cython.const[cython.int][:]
    tag: cython.const[cython.longlong][:]
    link: cython.const[cython.longlong][:]
    is_kind: cython.const[cython.uchar][:, ::1]
    text_blocks: tuple
    decided: tuple
    marks: tuple

    whole: cython.double
    first_h1: cython.Py_ssize_t
    is_seen_page: cython.bint
    first_rows: cython.longlong[::1]
    blocks: cython.double[::1]
    chars: cython.double[::1]
    words: cython.double[::1]
    link_chars: cython.double[::1]
    sentences: cython.double[::1]
    seen_chars: cython.double[::1]
    before: cython.double[::1]
    weights: cython.double[::1]
    points: cython.double[::1]
    links: cython.double[::1]
    images: cython.double[::1]
    controls: cython.double[::1]
    headings: cython.double[::1]
    h1s: cython.double[::1]
    cells: cython.double[::1]
    inside: cython.double[:, ::1]

    def __init__(
        self,
        owner: cython.const[cython.int][:],
        roots: tuple[tuple[int, ...], ...],
        elements: tuple[Any, Any],
        is_kind: cython.const[cython.uchar][:, ::1],
        text_blocks: tuple[Any, Any, Any, Any, Any],
        decided: tuple[Any, Any, float],
    ) -> None:
        """
        Args:
            owner: int32 [n_elements], the semantic block of each element, -1 for none.
            roots: the outermost elements of each semantic block.
            elements: int64 [n_elements] each, tags, and the link around each element.
            is_kind: uint8 [5, n_codes], which tags are images, controls, headings, h1, cells.
            text_blocks: their elements, int64; characters, words, characters in links and sentences, float64.
            decided: of the text blocks, uint8, which are seen, and float64, their points; those from which they are
                kept.
        """
        self.n, self.owner, self.is_kind = len(roots), owner, is_kind
        self.tag, self.link = elements
        self.text_blocks, self.decided = text_blocks, decided
        self.first_rows = np.array([rows[0] for rows in roots], dtype=np.int64)

    def give_marks(self, marks: tuple) -> None:
        """marks: the arguments of `sum_surroundings`."""
        self.marks = marks

    def fill(self, numbers: tuple[int, ...]) -> Any:
        """float64 [n_numbers, n]: features by their numbers in the order of the tables."""
        made = np.empty((len(numbers), self.n))
        table: cython.double[:, ::1] = made
        for at in range(len(numbers)):
            if self.n:
                fill_segment(self, numbers[at], cython.address(table[at, 0]))
        return made


@cython.cfunc
def sum_segments(segments: SegmentSums) -> cython.int:
    """All columns but `inside`."""
    sums: cython.double[:, ::1] = np.zeros((15, segments.n))
    segments.blocks, segments.chars, segments.words, segments.link_chars = sums[0], sums[1], sums[2], sums[3]
    segments.sentences, segments.seen_chars, segments.before = sums[4], sums[5], sums[6]
    segments.weights, segments.points, segments.links = sums[7], sums[8], sums[9]
    segments.images, segments.controls, segments.headings = sums[10], sums[11], sums[12]
    segments.h1s, segments.cells = sums[13], sums[14]
    # before `before` is added up, which needs the characters of all
    segments.is_seen_page = _sum_texts(segments)
    kind: cython.Py_ssize_t
    segments.first_h1 = -1
    for i in range(segments.tag.shape[0]):
        if segments.first_h1 < 0 and segments.is_kind[3, segments.tag[i]]:
            segments.first_h1 = i
        k = segments.owner[i]
        if k >= 0:
            segments.links[k] += segments.link[i] == i
            for kind in range(5):
                sums[10 + kind, k] += segments.is_kind[kind, segments.tag[i]]
    segments.whole = 0
    for k in range(segments.n):
        segments.before[k] = segments.whole
        segments.whole += segments.chars[k]
    return 0


@cython.cfunc
def _sum_texts(segments: SegmentSums) -> cython.bint:
    """What blocks have of their text blocks; whether most characters of the page are seen."""
    row: cython.const[cython.longlong][:]
    chars: cython.const[cython.double][:]
    words: cython.const[cython.double][:]
    linked: cython.const[cython.double][:]
    sentences: cython.const[cython.double][:]
    is_seen: cython.const[cython.uchar][:]
    score: cython.const[cython.double][:]
    cut: cython.double
    row, chars, words, linked, sentences = segments.text_blocks
    is_seen, score, cut = segments.decided
    seen: cython.double = 0
    shown: cython.double = 0
    k: cython.Py_ssize_t
    for i in range(row.shape[0]):
        shown += chars[i]
        seen += chars[i] if is_seen[i] else 0
        k = segments.owner[row[i]]
        if k >= 0:
            segments.blocks[k] += 1
            segments.chars[k] += chars[i]
            segments.words[k] += words[i]
            segments.link_chars[k] += linked[i]
            segments.sentences[k] += sentences[i]
            # a block of pictures or signs has no words, and still has points
            segments.weights[k] += at_least_1(words[i])
            segments.points[k] += at_least_1(words[i]) * (score[i] - cut)
            segments.seen_chars[k] += chars[i] if is_seen[i] else 0
    # a page drawn by a script is hidden whole until it runs: there `hidden` tells nothing of a block
    return 2 * seen >= shown


@cython.cfunc
def sum_surroundings(segments: SegmentSums) -> cython.int:
    """inside: the characters of each block inside elements with each flag.

    The marks that were given: parent and end of elements; int64 [n_elements], groups of tokens as bits; uint16
    [n_codes], flags of tags; pairs (groups of tokens, flag that a name of these gives); rows of elements, each time
    with their flags; how many flags there are; the share of the text from which an element has none of `by_name`.
    """
    parent: cython.const[cython.longlong][:]
    end: cython.const[cython.longlong][:]
    names: cython.const[cython.longlong][:]
    of_tag: cython.const[cython.ushort][:]
    by_name: list
    by_role: list
    n_flags: cython.Py_ssize_t
    page_share: cython.double
    parent, end, names, of_tag, by_name, by_role, n_flags, page_share = segments.marks
    row: cython.const[cython.longlong][:] = segments.text_blocks[0]
    chars: cython.const[cython.double][:] = segments.text_blocks[1]
    segments.inside = np.zeros((n_flags, segments.n))
    running: cython.double[::1] = np.zeros(parent.shape[0] + 1)
    joined: cython.ushort[::1] = np.zeros(parent.shape[0], dtype=np.uint16)
    groups: cython.longlong
    given: cython.ushort
    bounded: cython.ushort = 0
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    flag: cython.Py_ssize_t
    for i in range(row.shape[0]):
        running[row[i] + 1] += chars[i]
    for i in range(parent.shape[0]):
        running[i + 1] += running[i]
        joined[i] = of_tag[segments.tag[i]]
    for rows, given in by_role:
        for i in rows:
            joined[i] |= given
    for groups, given in by_name:
        bounded |= given
        for i in range(parent.shape[0]):
            if names[i] & groups:
                joined[i] |= given
    for i in range(parent.shape[0]):
        # A dialog or sidebar with most of the text is the page itself, framed by a tool of that name.
        if joined[i] & bounded and running[end[i]] - running[i] >= page_share * running[parent.shape[0]]:
            joined[i] &= ~bounded
        if parent[i] >= 0:
            # parents come first, so a flag goes down in the same pass; after the bound, so that a framed page hands
            # none down
            joined[i] |= joined[parent[i]]
    for i in range(row.shape[0]):
        k = segments.owner[row[i]]
        if k >= 0:
            for flag in range(n_flags):
                if joined[row[i]] >> flag & 1:
                    segments.inside[flag, k] += chars[i]
    return 0


def share_kept(
    owner: cython.const[cython.int][:],
    n: cython.Py_ssize_t,
    row: cython.const[cython.longlong][:],
    words: cython.const[cython.double][:],
    is_kept: cython.const[cython.uchar][:],
) -> Any:
    """float64 [n]: the share of each block's words in text blocks that are kept.

    Args:
        owner: int32 [n_elements], the semantic block of each element, -1 for none.
        n: semantic blocks.
        row, words, is_kept: of the text blocks, int64, float64 and uint8. Each counts for a word at least.
    """
    made = np.zeros(n)
    share: cython.double[::1] = made
    total: cython.double[::1] = np.zeros(n)
    for i in range(row.shape[0]):
        k = owner[row[i]]
        if k >= 0:
            total[k] += max(1.0, words[i])
            share[k] += max(1.0, words[i]) if is_kept[i] else 0
    for k in range(n):
        share[k] /= max(1.0, total[k])
    return made


def describe_block_names(
    roots: tuple[tuple[int, ...], ...],
    tree: tuple[Any, Any],
    names: cython.const[cython.longlong][:],
    groups: cython.const[cython.longlong][:],
) -> Any:
    """float64 [n_groups, n]: 1 where the block's own elements are named by a group of tokens, 0.5 where one around is.

    Args:
        roots: the outermost elements of each semantic block. What is their only child is its own as well.
        tree: int64 [n_elements] each, parent and end.
        names: int64 [n_elements], groups of tokens in the names of each element, as bits.
        groups: int64 [n_groups], their bits.
    """
    parent: cython.const[cython.longlong][:] = tree[0]
    end: cython.const[cython.longlong][:] = tree[1]
    made = np.zeros((groups.shape[0], len(roots)))
    table: cython.double[:, ::1] = made
    own: cython.longlong
    around: cython.longlong
    row: cython.Py_ssize_t
    for k in range(len(roots)):
        own = around = 0
        for root in roots[k]:
            row = root
            own |= names[row]
            # an only child is the block as well: authors name either (`<section><div class=comments>`)
            while row + 1 < end[row] and end[row + 1] == end[row]:
                row += 1
                own |= names[row]
        row = roots[k][0]
        row = parent[row]
        while row >= 0:
            around |= names[row]
            row = parent[row]
        if own | around:
            for i in range(groups.shape[0]):
                table[i, k] = 1.0 if own & groups[i] else 0.5 if around & groups[i] else 0.0
    return made
