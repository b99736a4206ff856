"""Trees as arrays: each function gives what walking up from every node gives."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from webclean.parse.columns import find_nearest, mark_slices

TREES = st.lists(st.integers(1, 6), max_size=30)
"""How many levels up from the node before the parent of each further node is; more than there are: under the root."""


def make_tree(steps: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """(parent, end) of a tree in document order."""
    parent, path = [-1], [0]
    for row, up in enumerate(steps, start=1):
        path = path[: max(1, len(path) - up + 1)]
        parent.append(path[-1])
        path.append(row)
    n = len(parent)
    end = [max(other for other in range(n) if row in list_above(parent, other)) + 1 for row in range(n)]
    return np.array(parent), np.array(end)


def list_above(parent: list[int], row: int) -> list[int]:
    """A node and its ancestors."""
    found = []
    while row >= 0:
        found.append(row)
        row = parent[row]
    return found


@given(TREES, st.sets(st.integers(0, 30)))
def test_nearest_is_the_first_on_the_way_up(steps: list[int], chosen: set[int]) -> None:
    parent, _ = make_tree(steps)
    wanted = np.array([row in chosen for row in range(len(parent))])
    ways = [list_above(parent.tolist(), row) for row in range(len(parent))]
    assert find_nearest(parent, wanted).tolist() == [next((at for at in way if wanted[at]), -1) for way in ways]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9))))
def test_slices_cover_the_rows_inside_them(pairs: list[tuple[int, int]]) -> None:
    slices = [(min(pair), max(pair)) for pair in pairs]
    starts, ends = (np.array([pair[at] for pair in slices], dtype=np.intp) for at in (0, 1))
    covered = mark_slices(starts, ends, 9)
    assert covered.tolist() == [any(first <= row < last for first, last in slices) for row in range(9)]
