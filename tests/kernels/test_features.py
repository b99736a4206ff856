"""The kernel `features` gives what the features give that are defined one by one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.blocks.markup import MARKUP
from webclean.blocks import subtrees
from webclean.classify.features.sums import sum_page, sum_plainly
from webclean.classify.record_groups import find_records, find_records_plainly
from webclean.decide import passes
from webclean.features import BLOCK_FEATURES, PageColumns, measure, repetition, text
from webclean.features.measures import measure_plainly
from webclean.features.registry import TABLES
from webclean.features.repetition import Repeats, find_repeats
from webclean.kernels import IS_COMPILED, REPEATS
from webclean.parse import parse_page
from webclean.parse.columns import find_attribute, list_holding, read_attributes
from webclean.pipeline import build_columns

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="the kernels are not compiled")
FIXTURES = sorted((Path(__file__).resolve().parents[2] / "fixtures").rglob("input.html"))
NAMED = "<div class='nav sidebar'><p class=teaser>One. <p class=teaser>Two. <p class=teaser>Three.</div><h2>Also</h2>"


def list_columns(repeats: Repeats) -> list[object]:
    """Groups of siblings, and what their elements have."""
    of_elements = (column[repeats.group] for column in (repeats.size, repeats.words, repeats.spread))
    return [column.tolist() for column in (repeats.item, repeats.outer, repeats.path, repeats.group, *of_elements)]


def list_plainly(columns: PageColumns) -> list[object]:
    """The same without the kernel, and the elements above each block."""
    with pytest.MonkeyPatch.context() as plain:
        plain.setattr(repetition, "REPEATS", None)
        plain.setattr(subtrees, "TREES", None)
        anew = PageColumns(columns.document, columns.blocks)
        return [*list_columns(find_repeats.__wrapped__(columns)), anew.levels.tolist()]  # type: ignore[attr-defined]


def check_features(page: bytes | str) -> None:
    columns = build_columns(parse_page(page))
    for name, plain in measure_plainly(columns.document, columns.blocks)._asdict().items():
        assert getattr(columns, name).tolist() == plain.tolist(), name
    assert [*list_columns(find_repeats(columns)), columns.levels.tolist()] == list_plainly(columns)
    repeats, records = find_repeats(columns), find_records(columns).rows
    found, plain = (sum_up(columns, 3.0, repeats.outer, records) for sum_up in (sum_page, sum_plainly))
    assert found.is_link.tolist() == plain.is_link.tolist()
    assert found[1:] == plain[1:]
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


@given(st.integers(0, 1 << 30), st.integers(0, 40))
def test_records_are_equal(seed: int, n: int) -> None:
    chance = np.random.default_rng(seed)
    group = chance.integers(-1, 5, n)
    columns = group, chance.integers(0, 5, n).astype(float), chance.integers(0, 9, n).astype(float)
    found, plain = REPEATS.find_records(*columns), find_records_plainly(*columns)
    assert (found[0].tolist(), *found[1:]) == (plain[0].tolist(), *plain[1:])


def check_surroundings(page: bytes | str, seed: int) -> None:
    columns, names = build_columns(parse_page(page)), tuple(passes.SURROUNDINGS_FEATURES)
    points = np.round(np.random.default_rng(seed).normal(0, 3, len(columns.blocks)), 1)
    found = passes.measure_surroundings(columns, points, names)
    with pytest.MonkeyPatch.context() as plain:
        plain.setattr(passes, "FEATURES", None)
        assert found.tolist() == passes.measure_surroundings(columns, points, names).tolist()


@pytest.mark.parametrize("path", FIXTURES[::4], ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_surroundings_are_equal_on_fixtures(path: Path) -> None:
    check_surroundings(path.read_bytes(), 1)


@given(MARKUP, st.integers(0, 1 << 30))
def test_surroundings_are_equal_on_any_page(markup: str, seed: int) -> None:
    check_surroundings(f"{NAMED}{markup}", seed)


ENDS = st.sampled_from(
    ["", ".", "..", "...", "…", "[...]", "a]", "a;", "τι;", "a.", "。", "\U0001f600", "a", ";", "…."]
)


@given(st.lists(ENDS))
def test_last_characters_are_equal(texts: list[str]) -> None:
    found = text._list_last_characters(texts)
    with pytest.MonkeyPatch.context() as plain:
        plain.setattr(text, "TEXTS", None)
        assert found.tolist() == text._list_last_characters(texts).tolist()


VALUES = st.sampled_from(["", "#", "a#", "A#b", "NONE", "nonone", "no", "n", "display:None", "中none", "é", "&lt;none"])


@given(st.lists(VALUES, max_size=6), st.sampled_from(["none", "#", "x"]))
def test_attributes_with_a_part_are_those_that_have_it(values: list[str], part: str) -> None:
    document = parse_page("".join(f'<p class="{value}" title="{value}"><b>' for value in values))
    for name in ("class", "title", "id"):
        rows = find_attribute(document, name)
        every = zip(rows, read_attributes(document, rows, name), strict=True)
        assert list_holding(document, name, part) == [(row, value) for row, value in every if part in value.lower()]
