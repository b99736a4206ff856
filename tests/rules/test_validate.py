"""Where in a value a fault is."""

from __future__ import annotations

from typing import Any

import pytest

from webclean.rules.validate import find_faults


@pytest.mark.parametrize(
    ("value", "kind", "places"),
    [
        ([1, "a"], tuple[int, str], []),
        (["x", "a"], tuple[int, str], [(0,)]),
        ([1, 2], tuple[int, str], [(1,)]),
        ([1, "a", "b"], tuple[int, str], [(1,), (2,)]),
        ([1, "a", 2], tuple[int, ...], [(1,)]),
        ([1, "a"], list[int], [(1,)]),
        ({"a": 1, "b": "x"}, dict[str, int], [("b",)]),
        ({"a": [1, "x"]}, dict[str, list[int]], [("a", 1)]),
        ({"a": "x"}, dict[str, int] | int, [("a",)]),
        ("x", dict[str, int] | int, [()]),
        (1, int, []),
    ],
)
def test_the_place_of_a_fault(value: object, kind: Any, places: list[tuple[object, ...]]) -> None:
    assert [path for path, _ in find_faults(value, kind, ())] == places
