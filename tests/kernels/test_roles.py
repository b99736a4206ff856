"""The tables of features of semantic blocks have the values that the features' definitions give."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import webclean
from tests.blocks.markup import MARKUP
from webclean.kernels import IS_COMPILED
from webclean.model import Floats
from webclean.segments import arrange, features, parts, segment_columns, segment_page
from webclean.segments.segment_columns import SegmentColumns
from webclean.segments.segment_tables import LANDMARKS

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="the kernels are not compiled")
FIXTURES = sorted((Path(__file__).resolve().parents[2] / "fixtures").rglob("input.html"))


def measure_all(columns: SegmentColumns) -> dict[str, Floats]:
    """Each feature of the blocks, those of families with the names that they have in the rules."""
    families = {"token.": columns.rules.group_bits, "share.": columns.rules.patterns}
    names = [*features.SEGMENT_FEATURES, *(prefix + name for prefix, group in families.items() for name in group)]
    return {name: features.measure_segments(columns, name) for name in names}


def check_blocks(html: bytes | str) -> dict[str, Floats]:
    analysis = webclean.clean(html).analysis
    columns = replace(segment_page(analysis.columns, analysis.rules, analysis.decisions).columns)
    with pytest.MonkeyPatch.context() as without:
        without.setattr(segment_columns, "ROLES", None)
        without.setattr(features, "SEGMENT_TABLES", {})
        expected = {**measure_all(replace(columns)), "kept": columns.share_kept(analysis.decisions.kept)}
    measured = {**measure_all(columns), "kept": columns.share_kept(analysis.decisions.kept)}
    for name, values in measured.items():
        assert np.array_equal(values, expected[name]), name
    check_contents(columns)
    return measured


def check_contents(columns: SegmentColumns) -> None:
    """Which block each element and text is in."""
    segments, end = columns.segments, columns.page.document.end
    parents, owner = arrange.SEGMENTS.arrange(list(segments.roots), end)
    expected, owners = arrange.arrange_plainly(list(segments.roots), end)
    assert tuple(parents) == tuple(expected) == segments.parent
    assert owner.dtype == owners.dtype
    assert owner.tolist() == owners.tolist() == segments.owner.tolist()
    assert parts.collect_texts(columns) == parts.collect_plainly(columns)


@pytest.mark.parametrize("path", FIXTURES[2::4], ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_features_are_equal_on_fixtures(path: Path) -> None:
    check_blocks(path.read_bytes())


@given(MARKUP)
def test_features_are_equal_on_any_tree(markup: str) -> None:
    check_blocks(markup)


NAMES = [*LANDMARKS, "dialog", *(f"div role={role}" for role in (*LANDMARKS.values(), "dialog", "alertdialog"))]
NAMES += [
    "div class='modal nav'",
    "div id=footer",
    "div",
    "h1",
    "td",
    "form",
    "div hidden",
    "section style='display:none'",
]
LEAVES = ["Some words of a sentence, which ends.", "<a href=/x>a link</a>", "<img src=a>", "<input>", "<h2>Tea</h2>"]
PARTS = st.recursive(
    st.sampled_from(LEAVES),
    lambda inside: st.builds(
        lambda name, parts: f"<{name}>{''.join(parts)}</{name.split()[0]}>",
        st.sampled_from(NAMES),
        st.lists(inside, max_size=4),
    ),
    max_leaves=30,
)


@given(st.lists(PARTS, min_size=2, max_size=5).map("".join))
def test_features_are_equal_in_landmarks_and_dialogs(markup: str) -> None:
    check_blocks(f"<body>{markup}")


def test_a_dialog_of_most_of_the_page_is_the_page() -> None:
    text = "<p>A sentence of some words, with an end.</p>"
    for n_inside, is_counted in ((1, True), (2, False), (3, False)):
        found = check_blocks(f"<body><main>{text * (4 - n_inside)}</main><div role=dialog>{text * n_inside}</div>")
        assert (found["in_dialog"].max() == 1) == is_counted
