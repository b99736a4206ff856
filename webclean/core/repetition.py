"""The repeated unit of a sequence of tags: `h3 p a, h3 p, b, h3 p c` repeats `h3 p` (patent A4, tag repetition).

The most frequent tag is the anchor, for a unit has one of it; from there the unit grows to both sides while enough of
the anchors have the same neighbour. Runs of equal tags count as one: an entry has one paragraph or five.

Enters: tags as numbers. Leaves: the unit, and where it occurs. Keep: each tag is in a unit once (`is_taken`), so a unit
never is longer than there are tags, and all memory is bounded by both lengths. Tested by
`tests/segments/test_signals.py`.
"""

from __future__ import annotations

from typing import Any

import cython
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc


@cython.cfunc
def allocate(n: cython.Py_ssize_t) -> cython.p_longlong:
    """Room for n numbers."""
    room: cython.p_longlong = cython.cast(cython.p_longlong, PyMem_Malloc((n + 1) * cython.sizeof(cython.longlong)))
    if not room:
        raise MemoryError
    return room


@cython.final
@cython.cclass
class TagSequence:
    """A sequence of tags, which are numbers below `n_tags`: its runs, its repeated unit and the occurrences of that."""

    n: cython.Py_ssize_t
    n_tags: cython.Py_ssize_t
    n_runs: cython.Py_ssize_t
    n_found: cython.Py_ssize_t
    n_left: cython.Py_ssize_t
    n_right: cython.Py_ssize_t
    n_spans: cython.Py_ssize_t
    n_room: cython.Py_ssize_t
    room: cython.p_longlong
    tags: cython.p_longlong  # [n]
    start: cython.p_longlong  # [n + 1], of each run
    of_run: cython.p_longlong  # [n], its tag
    found: cython.p_longlong  # [n], the runs of the anchor
    spans: cython.p_longlong  # [2 n], first and last + 1 of each occurrence
    counts: cython.p_longlong  # [n_tags]
    left: cython.p_longlong  # [n_tags], tags of the unit before the anchor, the nearest first
    right: cython.p_longlong  # [n_tags], after it
    is_taken: cython.p_longlong  # [n_tags], by the unit

    def __dealloc__(self) -> None:
        PyMem_Free(self.room)

    @cython.cfunc
    def start_with(self, n: cython.Py_ssize_t, n_tags: cython.Py_ssize_t) -> cython.p_longlong:
        """Room for the tags of a sequence."""
        # what the pointers below are cut from: a further one is a further term here
        wanted: cython.Py_ssize_t = 6 * n + 1 + 4 * n_tags
        if wanted > self.n_room:
            PyMem_Free(self.room)
            self.room, self.n_room = cython.NULL, 0
            self.room = allocate(2 * wanted)
            self.n_room = 2 * wanted
        self.n, self.n_tags = n, n_tags
        self.tags = self.room
        self.start = self.tags + n
        self.of_run = self.start + n + 1
        self.found = self.of_run + n
        self.spans = self.found + n
        self.counts = self.spans + 2 * n
        self.left = self.counts + n_tags
        self.right = self.left + n_tags
        self.is_taken = self.right + n_tags
        return self.tags

    @cython.cfunc
    @cython.exceptval(check=False)
    def find_anchor(self) -> cython.longlong:
        """The tag with the most runs, the first of equals; the most frequent one where no tag has two runs."""
        best: cython.longlong = self.tags[0]
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
    @cython.exceptval(check=False)
    def find_runs(self, anchor: cython.longlong) -> cython.void:
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

    @cython.cfunc
    @cython.exceptval(check=False)
    def extend(self, grown: cython.p_longlong, least: cython.double, step: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """The tags that follow (step 1) or precede (step -1) so many of the anchors, until one would repeat."""
        n: cython.Py_ssize_t = 0
        n_seen: cython.Py_ssize_t
        at: cython.Py_ssize_t
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

    @cython.cfunc
    @cython.exceptval(check=False)
    def match(
        self, at: cython.Py_ssize_t, unit: cython.p_longlong, n_unit: cython.Py_ssize_t, step: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """How many tags of one side of the unit, counted from the anchor, an occurrence has."""
        n: cython.Py_ssize_t = 0
        while n < n_unit and 0 <= at + (n + 1) * step < self.n_runs and self.of_run[at + (n + 1) * step] == unit[n]:
            n += 1
        return n

    @cython.cfunc
    @cython.exceptval(check=False)
    def find(self, agreement: cython.double, anchor: cython.longlong) -> cython.void:
        """Find unit and occurrences, each of which begins after the one before."""
        at: cython.Py_ssize_t
        done: cython.longlong = 0
        self.n_spans = self.n_left = self.n_right = 0
        self.find_runs(anchor)
        if self.n_found == 0:
            return
        for i in range(self.n_tags):
            self.is_taken[i] = 0
        self.is_taken[anchor] = 1
        # two at least: what one occurrence has is no repetition
        least: cython.double = max(2.0, agreement * self.n_found)
        # to the right first, which so takes a tag that stands on both sides: what follows a heading belongs to it
        self.n_right = self.extend(self.right, least, 1)
        self.n_left = self.extend(self.left, least, -1)
        enough: cython.double = agreement * (self.n_left + self.n_right)
        for i in range(self.n_found):
            at = self.found[i]
            before = self.match(at, self.left, self.n_left, -1)
            after = self.match(at, self.right, self.n_right, 1)
            # an occurrence without its end may meet the beginning of the next: what was given away is not given twice
            first = max(done, self.start[at - before])
            if before + after >= enough and first < self.start[at + after + 1]:
                done = self.start[at + after + 1]
                self.spans[2 * self.n_spans] = first
                self.spans[2 * self.n_spans + 1] = done
                self.n_spans += 1


def find_repetition(tags: list[int], n_tags: int, agreement: cython.double, anchor: cython.longlong) -> Any:
    """The repeated unit of a sequence of tags, and (first, last + 1) of each of its occurrences, each of which begins
    after the one before. tags: numbers below `n_tags`, more than one of them. anchor: -1 for the most frequent."""
    sequence: TagSequence = TagSequence()
    given: cython.p_longlong = sequence.start_with(len(tags), n_tags)
    for i in range(sequence.n):
        given[i] = tags[i]
    anchor = sequence.find_anchor() if anchor < 0 else anchor
    sequence.find(agreement, anchor)
    if sequence.n_found == 0:
        return [], []
    unit: list = [sequence.left[i] for i in range(sequence.n_left - 1, -1, -1)] + [anchor]
    unit += [sequence.right[i] for i in range(sequence.n_right)]
    return unit, [(sequence.spans[2 * i], sequence.spans[2 * i + 1]) for i in range(sequence.n_spans)]
