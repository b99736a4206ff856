"""The kernel `features` gives what the features give that are defined one by one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from tests.blocks.markup import MARKUP
from webclean.blocks import subtrees
from webclean.features import BLOCK_FEATURES, PageColumns, measure, repetition
from webclean.features.registry import TABLES
from webclean.features.repetition import Repeats, find_repeats
from webclean.kernels import IS_COMPILED
from webclean.parse import parse_page
from webclean.pipeline import build_columns

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="the kernels are not compiled")
FIXTURES = sorted((Path(__file__).resolve().parents[2] / "fixtures").rglob("input.html"))
NAMED = "<div class='nav sidebar'><p class=teaser>One. <p class=teaser>Two. <p class=teaser>Three.</div><h2>Also</h2>"


def list_columns(repeats: Repeats) -> list[object]:
    """Groups of siblings by what their elements have, for groups are numbered in any order."""
    of_elements = (column[repeats.group] for column in (repeats.size, repeats.words, repeats.spread))
    return [column.tolist() for column in (repeats.item, repeats.outer, repeats.path, repeats.group >= 0, *of_elements)]


def list_plainly(columns: PageColumns) -> list[object]:
    """The same without the kernel, and the elements above each block."""
    with pytest.MonkeyPatch.context() as plain:
        plain.setattr(repetition, "FEATURES", None)
        plain.setattr(subtrees, "TREES", None)
        anew = PageColumns(columns.document, columns.blocks)
        return [*list_columns(find_repeats.__wrapped__(columns)), anew.levels.tolist()]  # type: ignore[attr-defined]


def check_features(page: bytes | str) -> None:
    columns = build_columns(parse_page(page))
    assert [*list_columns(find_repeats(columns)), columns.levels.tolist()] == list_plainly(columns)
    for name in TABLES:
        defined = np.asarray(BLOCK_FEATURES.find(name).compute(columns), dtype=np.float64)
        assert measure(columns, name).tolist() == defined.tolist(), name


@pytest.mark.parametrize("path", FIXTURES[::2], ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_features_are_equal_on_fixtures(path: Path) -> None:
    check_features(path.read_bytes())


@given(MARKUP)
def test_features_are_equal_on_any_page(markup: str) -> None:
    check_features(f"{NAMED}{markup}")


@pytest.mark.parametrize("page", ["", "<p>", "<article><p>One. Two.", "<main><h1>One</h1><b>Two</b></main>" * 3])
def test_features_are_equal_on_small_pages(page: str) -> None:
    check_features(page)
