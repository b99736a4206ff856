"""What the search for repeated units goes by: sums over rows, and the repeated unit of a sequence of tags.

`h3 p a, h3 p, b, h3 p c` repeats `h3 p` (patent A4, tag repetition). The most frequent tag is the anchor, for a unit
has one of it; from there the unit grows to both sides while enough of the anchors have the same neighbour. Runs of
equal tags count as one: an entry has one paragraph or five.

Enters: a page with texts, the flags of tags; tags as numbers. Leaves: prefix sums and lists of children; a unit, and
where it occurs; the semantic block that units are in. Keep: sums are prefix sums over rows, so the value of a unit is
a difference of two, whatever it spans; children are listed in document order; each tag is in a unit once (`is_taken`),
so a unit never is longer than there are tags. Tested by `tests/segments/test_units.py`,
`tests/segments/test_listing.py`, `tests/segments/test_cut.py`.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np

from webclean.core.page import Page

CHARS = cython.declare(cython.Py_ssize_t, 0)  # the rows of the sums
LINKED = cython.declare(cython.Py_ssize_t, 1)
HEADINGS = cython.declare(cython.Py_ssize_t, 2)
LINKS = cython.declare(cython.Py_ssize_t, 3)
ALONE = cython.declare(cython.Py_ssize_t, 4)
IS_HEADING = cython.declare(cython.Py_ssize_t, 0)  # the rows of `segments.units.KINDS`
IS_LIST = cython.declare(cython.Py_ssize_t, 1)
_IS_INVISIBLE = cython.declare(cython.Py_ssize_t, 2)


def add_up_rows(
    page: Page,
    length: cython.const[cython.longlong][:],
    is_tag: cython.const[cython.uchar][:, ::1],
    min_units: cython.Py_ssize_t,
) -> Any:
    """The columns of `segments.units.UnitSums`, in its order.

    Args:
        length: int64 [n_texts], of each text without white space at its ends.
        is_tag: uint8 [n_kinds, n_codes], which tags are headings, lists, invisible.
        min_units: units of a list, at least.
    """
    n: cython.Py_ssize_t = page.n_elements
    sums, text_chars = np.zeros((5, n + 1)), np.zeros(page.n_texts)
    total: cython.double[:, ::1] = sums
    chars: cython.double[::1] = text_chars
    line: cython.double[::1] = np.zeros(n + 1)
    for at in range(page.n_texts):
        row = page.text_owner[at]
        if page.displayed[row]:
            chars[at] = length[at]
            # text right in a block element is its line; what block elements inside it hold are lines of theirs
            line[page.block[row]] += chars[at]
            total[CHARS, row + 1] += chars[at]
            if page.link[row] >= 0:
                total[LINKED, row + 1] += chars[at]
    for i in range(n):
        total[HEADINGS, i + 1] = is_tag[IS_HEADING, page.tag[i]]
        total[LINKS, i + 1] = page.link[i] == i
        for kind in range(ALONE):
            total[kind, i + 1] += total[kind, i]
    for i in range(n):
        own = total[CHARS, page.end[i]] - total[CHARS, i]
        # after the sums above are complete, which `own` is a difference of
        total[ALONE, i + 1] = total[ALONE, i] + (page.link[i] == i and own > 0 and own >= line[page.block[i]])
    return (text_chars, sums, *_list_children(page, is_tag, total, min_units))


def place_units(
    page: Page,
    bounds: cython.const[cython.longlong][:, :],
    chars: cython.const[cython.double][:],
    owner: cython.const[cython.int][:],
    mostly: cython.double,
) -> Any:
    """int64 [n_units]: the semantic block that holds at least the share `mostly` of a unit's characters, else the one
    in which its first shown text is, else its first one; -1 for none.

    The only block that may hold most of a unit is found without a table of all units and blocks, as the winner of a
    vote by characters (Boyer and Moore, "MJRTY: a fast majority vote algorithm", 1981): a text of another block takes
    away what those before it gave. In a second pass its characters are counted.

    Args:
        bounds: int64 [n_units, 2], first row and end of each unit, apart from each other.
        chars: of each text.
        owner: the semantic block of each element, -1 for none.
    """
    n: cython.Py_ssize_t = bounds.shape[0]
    blocks = np.full((2, n), -1, dtype=np.int64)
    sums: cython.double[:, ::1] = np.zeros((4, n))
    unit_of: cython.longlong[::1] = np.full(page.n_elements, -1, dtype=np.int64)
    found: cython.longlong[::1] = blocks[0]
    heaviest: cython.longlong[::1] = blocks[1]  # the block that leads the vote, by `weight` characters
    total: cython.double[::1] = sums[0]
    held: cython.double[::1] = sums[1]
    weight: cython.double[::1] = sums[2]
    begun: cython.double[::1] = sums[3]  # 1 by a hidden text, 2 by a shown one
    unit: cython.Py_ssize_t
    for unit in range(n):
        for row in range(bounds[unit, 0], bounds[unit, 1]):
            unit_of[row] = unit
    for is_second in range(2):
        for at in range(page.n_texts):
            own: cython.Py_ssize_t = owner[page.text_owner[at]]
            unit = unit_of[page.text_owner[at]]
            if chars[at] <= 0 or own < 0 or unit < 0:
                continue
            if is_second:
                held[unit] += chars[at] if own == heaviest[unit] else 0.0
                continue
            total[unit] += chars[at]
            # a hidden number before a headline begins nothing
            kind = 2.0 if page.block_of[at] >= 0 and page.visible[page.block_of[at]] else 1.0
            if kind > begun[unit]:
                begun[unit], found[unit] = kind, own
            if own == heaviest[unit]:
                weight[unit] += chars[at]
            elif weight[unit] >= chars[at]:
                weight[unit] -= chars[at]
            else:
                heaviest[unit], weight[unit] = own, chars[at] - weight[unit]
    for unit in range(n):
        if total[unit] > 0 and held[unit] >= mostly * total[unit]:
            found[unit] = heaviest[unit]
    return blocks[0]


def _list_children(
    page: Page, is_tag: cython.const[cython.uchar][:, ::1], total: cython.double[:, ::1], min_units: cython.Py_ssize_t
) -> tuple:
    """The children with text of all elements, where those of each begin, and the elements that may have units."""
    n: cython.Py_ssize_t = page.n_elements
    has_text: cython.uchar[::1] = np.zeros(n + 1, dtype=np.uint8)
    counts = np.zeros((3, n + 1), dtype=np.int64)
    first_child: cython.longlong[::1] = counts[0]
    n_linked: cython.longlong[::1] = counts[1]  # children with link text
    n_items: cython.longlong[::1] = counts[2]  # such children of the lists among the children
    for row in range(n):
        up = page.parent[row]
        end = page.end[row]
        if total[CHARS, end] > total[CHARS, row] and up >= 0 and not is_tag[_IS_INVISIBLE, page.tag[row]]:
            has_text[row] = 1
            first_child[up + 1] += 1
            if total[LINKED, end] > total[LINKED, row]:
                n_linked[up] += 1
                # of columns of two links each no list has enough children: their items count for the element around
                # them
                if is_tag[IS_LIST, page.tag[up]] and page.parent[up] >= 0:
                    n_items[page.parent[up]] += 1
    for row in range(n):
        first_child[row + 1] += first_child[row]
    found = np.empty(first_child[n], dtype=np.int64)
    child: cython.longlong[::1] = found
    place: cython.longlong[::1] = counts[0].copy()
    searched: list = []
    for row in range(n):
        if has_text[row]:
            child[place[page.parent[row]]] = row
            place[page.parent[row]] += 1
        # most elements end here, and are never looked at by the search
        if max(n_linked[row], n_items[row]) >= min_units <= total[LINKS, page.end[row]] - total[LINKS, row]:
            searched.append(row)
    return found, counts[0], searched


class TagSequence:
    """A sequence of n tags, which are numbers below `n_tags`, and its repeated unit, found by extending around the most
    frequent tag. A run of equal tags counts once, so that occurrences of a unit may differ in length:

        h3 p hr | h3 p p hr | h3 p      for an agreement of .6 the unit is (h3, p, hr), with occurrences at 0:3 and 3:7

    1. The anchor is the tag with the most runs, the first of equals: h3.
    2. Extend to the right as long as enough occurrences (`agreement`) have the same next tag: p after all three, then
       hr after two of them; then h3 follows, the anchor, and the unit ends. Extend to the left in the same way.
    3. An occurrence is accepted if it has enough of the unit's tags: at the end of the sequence, where tags may be
       missing, the last one has two of three, which an agreement of .5 takes and the one that ships refuses.

    Every step is linear in the sequence, which is cheaper than the longest repeated substring by a suffix tree.

    start, of_run: where each run of equal tags begins, and its tag. found: the runs of the anchor. counts: of tags.
    left, right: tags of the unit before the anchor, the nearest first, and after it. is_taken: tags of the unit.
    """

    n: cython.Py_ssize_t
    n_tags: cython.Py_ssize_t
    n_runs: cython.Py_ssize_t
    n_found: cython.Py_ssize_t
    n_left: cython.Py_ssize_t
    n_right: cython.Py_ssize_t
    tags: cython.longlong[::1]
    start: cython.longlong[::1]
    of_run: cython.longlong[::1]
    found: cython.longlong[::1]
    counts: cython.longlong[::1]
    left: cython.longlong[::1]
    right: cython.longlong[::1]
    is_taken: cython.longlong[::1]

    def __init__(self, most: cython.Py_ssize_t) -> None:
        """most: tags of the longest sequence."""
        room: cython.longlong[:, ::1] = np.empty((7, most + 2), dtype=np.int64)
        self.start, self.of_run, self.found, self.counts = room[0], room[1], room[2], room[3]
        self.left, self.right, self.is_taken = room[4], room[5], room[6]

    @cython.cfunc
    def find(
        self,
        tags: cython.longlong[::1],
        n: cython.Py_ssize_t,
        n_tags: cython.Py_ssize_t,
        agreement: cython.double,
    ) -> list:
        """(first, last + 1) of each occurrence of the unit of the first n tags, each of which begins after the one
        before."""
        self.tags, self.n, self.n_tags, self.n_left, self.n_right = tags, n, n_tags, 0, 0
        anchor = self.find_anchor()
        self.find_runs(anchor)
        spans: list = []
        if self.n_found == 0:
            return spans
        for i in range(n_tags):
            self.is_taken[i] = 0
        self.is_taken[anchor] = 1
        # two at least: what one occurrence has is no repetition
        least: cython.double = max(2.0, agreement * self.n_found)
        # the right side first: it takes a tag that stands on both sides, since what follows a heading belongs to it
        self.n_right = self.extend(self.right, least, 1)
        self.n_left = self.extend(self.left, least, -1)
        enough: cython.double = agreement * (self.n_left + self.n_right)
        done: cython.longlong = 0
        for i in range(self.n_found):
            before = self.match(self.found[i], self.left, self.n_left, -1)
            after = self.match(self.found[i], self.right, self.n_right, 1)
            # an occurrence without its end may meet the beginning of the next: what was given away is not given twice
            first = max(done, self.start[self.found[i] - before])
            end = self.start[self.found[i] + after + 1]
            if before + after >= enough and first < end:
                done = end
                spans.append((first, end))
        return spans

    def find_anchor(self) -> cython.longlong:
        """The tag with the most runs, the first of equals; the most frequent one where no tag has two runs."""
        best = self.tags[0]
        has_two: cython.bint = False
        for i in range(self.n_tags):
            self.counts[i] = 0
        for i in range(self.n):
            if i == 0 or self.tags[i] != self.tags[i - 1]:
                self.counts[self.tags[i]] += 1
                has_two = has_two or self.counts[self.tags[i]] > 1
        if not has_two:
            for i in range(self.n):
                self.counts[self.tags[i]] += 1  # one more for each: the order is the same
        for i in range(self.n):
            if self.counts[self.tags[i]] > self.counts[best]:
                best = self.tags[i]
        return best

    @cython.cfunc
    def find_runs(self, anchor: cython.longlong) -> None:
        """The runs of equal tags; the anchor is never joined to a run."""
        self.n_runs = self.n_found = 0
        for i in range(self.n):
            if i == 0 or self.tags[i] != self.tags[i - 1] or self.tags[i] == anchor:
                if self.tags[i] == anchor:
                    self.found[self.n_found] = self.n_runs
                    self.n_found += 1
                self.start[self.n_runs] = i
                self.of_run[self.n_runs] = self.tags[i]
                self.n_runs += 1
        self.start[self.n_runs] = self.n

    def extend(self, grown: cython.longlong[::1], least: cython.double, step: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The tags that follow (step 1) or precede (step -1) so many of the anchors, until one would repeat."""
        n: cython.Py_ssize_t = 0
        while True:
            n_seen, best = 0, -1
            for i in range(self.n_tags):
                self.counts[i] = 0
            for i in range(self.n_found):
                at = self.found[i] + (n + 1) * step
                if 0 <= at < self.n_runs:
                    n_seen += 1
                    self.counts[self.of_run[at]] += 1
            for i in range(self.n_found):
                at = self.found[i] + (n + 1) * step
                if 0 <= at < self.n_runs and (best < 0 or self.counts[self.of_run[at]] > self.counts[best]):
                    best = self.of_run[at]
            # a tag that is in the unit already begins the next one
            if n_seen < 2 or self.counts[best] < least or self.is_taken[best]:
                return n
            self.is_taken[best] = 1
            grown[n] = best
            n += 1

    def match(
        self, at: cython.Py_ssize_t, unit: cython.longlong[::1], n_unit: cython.Py_ssize_t, step: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """How many tags of one side of the unit, counted from the anchor, an occurrence has."""
        n: cython.Py_ssize_t = 0
        while n < n_unit and 0 <= at + (n + 1) * step < self.n_runs and self.of_run[at + (n + 1) * step] == unit[n]:
            n += 1
        return n


def find_repetition(tags: list[int], n_tags: int, agreement: cython.double) -> list:
    """The unit of a sequence of tags that has two occurrences or more; empty for none. tags: numbers below `n_tags`,
    more than one of them."""
    sequence: TagSequence = TagSequence(max(len(tags), n_tags))
    given: cython.longlong[::1] = np.array(tags, dtype=np.int64)
    if len(sequence.find(given, len(tags), n_tags, agreement)) < 2:
        return []
    unit: list = [sequence.left[i] for i in range(sequence.n_left - 1, -1, -1)]
    unit.append(sequence.of_run[sequence.found[0]])
    return unit + [sequence.right[i] for i in range(sequence.n_right)]
