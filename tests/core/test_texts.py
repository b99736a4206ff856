"""Which texts of a page are the same."""

from __future__ import annotations

from webclean import core
from webclean.features.words import list_lower


def test_texts_are_the_same_in_whatever_case() -> None:
    texts = ["Read more", "READ MORE", "read  more", "ΟΔΟΣ", "οδος", "οδος", "\U00010400", "\U00010428", ""]
    assert core.find_same(texts, list_lower()).tolist() == [0, 0, 2, 3, 3, 3, 6, 6, 8]


def test_lines_that_begin_and_end_alike_are_told_apart() -> None:
    texts = [f"2026-11-02 GET {number:05d} of a visitor" for number in range(16_000)]
    assert core.find_same([*texts, *texts], list_lower()).tolist() == [*range(16_000)] * 2
