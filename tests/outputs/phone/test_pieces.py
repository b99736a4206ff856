"""What a row of a page belongs to, where entries lie in entries."""

from __future__ import annotations

from itertools import permutations

import pytest

from webclean.outputs.phone.pieces import Spans


@pytest.mark.parametrize("spans", list(permutations([(2, 9), (2, 5), (3, 4), (6, 8), (11, 12)])))
def test_a_row_is_of_the_innermost_span_that_holds_it(spans: tuple[tuple[int, int], ...]) -> None:
    found = [spans[number] if (number := Spans(spans).find(row)) >= 0 else None for row in range(13)]
    assert found == [
        *(None, None, (2, 5), (3, 4), (2, 5), (2, 9), (6, 8), (6, 8), (2, 9)),
        *(None, None, (11, 12), None),
    ]  # fmt: skip
