"""What is computed of a page is computed once, and never of another page or with other words."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest

from webclean.blocks.text_blocks import find_text_blocks
from webclean.caching import cached_per_page
from webclean.features import BLOCK_FEATURES, PageColumns, measure
from webclean.features.page_words import find_names
from webclean.features.words import CompiledWordPoints
from webclean.model import PageCache
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules

PAGES = sorted((Path(__file__).parents[2] / "fixtures" / "content").glob("*/input.html"))[:4]


@dataclass(frozen=True)
class Counted:
    """A page that knows how often something was computed of it."""

    calls: list[object] = field(default_factory=list)
    cache: PageCache = field(default_factory=PageCache)


@cached_per_page
def count_calls(page: Counted, *given: object) -> int:
    page.calls.append(given)
    return len(page.calls)


def test_a_function_is_computed_once_a_page() -> None:
    one, other = Counted(), Counted()
    assert [count_calls(one), count_calls(one), count_calls(other)] == [1, 1, 1]
    assert len(one.calls) == len(other.calls) == 1


def test_other_arguments_are_computed_anew_and_compared_by_identity() -> None:
    page, first, second = Counted(), np.zeros(3), np.zeros(3)
    assert [count_calls(page, first), count_calls(page, first), count_calls(page, second), count_calls(page)] == [
        *(1, 1),
        2,
        3,
    ]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.parent.name)
def test_columns_under_other_words_are_those_of_a_fresh_page(path: Path) -> None:
    document = parse_page(path)
    known = build_columns(document, load_rules())
    for name in BLOCK_FEATURES:
        measure(known, name)
    points = CompiledWordPoints(names={"nav": -1.0, "main": 2.0}, words={"share": -3.0}, headings={"related": -2.0})
    view, fresh = (
        replace(known, word_points=points),
        PageColumns(document, find_text_blocks(document), points, known.prices_dates),
    )
    for name in BLOCK_FEATURES:
        assert measure(view, name).tolist() == measure(fresh, name).tolist(), name
    assert find_names(view) is find_names(known)
