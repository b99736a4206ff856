"""The kernel of semantic blocks gives what its plain twins give."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.blocks.markup import MARKUP
from webclean.blocks.subtrees import sum_subtrees
from webclean.blocks.text_blocks import find_text_blocks
from webclean.features import PageColumns
from webclean.kernels import IS_COMPILED
from webclean.parse import columns as parse_columns
from webclean.parse import parse_page
from webclean.parse.columns import list_distinct, read_attributes
from webclean.rules import load_rules
from webclean.segments import cut_tree, node_columns
from webclean.segments.node_parts import NodeParts, measure_parts, measure_plainly
from webclean.segments.tag_sequence import _make_repetition, _part_overlaps, find_anchor, find_plainly, find_repetition

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="the kernels are not compiled")
FIXTURES = sorted((Path(__file__).resolve().parents[2] / "fixtures").rglob("input.html"))


def check_tree(page: bytes | str) -> None:
    document = parse_page(page)
    blocks = find_text_blocks(document)
    own = cut_tree.count_own_chars(document, blocks)
    tree = cut_tree.build_cut_tree(document, own)
    plain = cut_tree.build_plainly(document, own, sum_subtrees(document, np.arange(len(document)), own))
    for name in cut_tree.CutTree.__slots__:
        assert getattr(tree, name) == getattr(plain, name), name
    nodes = node_columns.list_nodes(tree)
    with pytest.MonkeyPatch.context() as without:
        without.setattr(node_columns, "SEGMENTS", None)
        assert nodes == node_columns.list_nodes(tree)
        slow = node_columns.NodeColumns(PageColumns(document, blocks), tree, load_rules().segments, nodes)
        chains, shapes = slow.chains, slow.shapes
    quick = node_columns.NodeColumns(PageColumns(document, blocks), tree, load_rules().segments, nodes)
    assert [column.tolist() for column in quick.chains] == [column.tolist() for column in chains]
    for name, measured, expected in zip(
        NodeParts._fields, measure_parts(tree, nodes), measure_plainly(tree, nodes), strict=True
    ):
        assert np.array_equal(measured, expected), name
    reached = [0, *quick.parts.tolist()] if len(tree) else []
    assert [shapes[reached].tolist().index(shape) for shape in shapes[reached]] == [
        quick.shapes[reached].tolist().index(shape) for shape in quick.shapes[reached]
    ]


@pytest.mark.parametrize("path", FIXTURES[::4], ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_cut_trees_are_equal_on_fixtures(path: Path) -> None:
    check_tree(path.read_bytes())


@given(MARKUP)
def test_cut_trees_are_equal_on_any_tree(markup: str) -> None:
    check_tree(markup)


@given(
    st.lists(st.sampled_from("abcd"), min_size=1, max_size=24),
    st.sampled_from([0.0, 0.5, 0.6, 1.0]),
    st.sampled_from([None, "a", "x"]),
)
def test_repetitions_are_equal(sequence: list[str], agreement: float, anchor: str | None) -> None:
    found = find_repetition(sequence, agreement=agreement, anchor=anchor)
    if len(set(sequence)) > 1:
        assert found == find_plainly(sequence, agreement, find_anchor(sequence) if anchor is None else anchor)
    else:
        spans = [(at, at + 1) for at in range(len(sequence))]
        assert found == _make_repetition((sequence[0],), _part_overlaps(spans), len(sequence))


VALUES = st.sampled_from(["", "a", "A", "b c", "&amp;", "&", "中", "a-value-longer-than-what-is-hashed", "'"])


@given(st.lists(VALUES, max_size=40))
def test_distinct_values_stand_for_all(values: list[str]) -> None:
    page = parse_page("".join(f'<a href="{value}">x</a>' for value in values))
    rows = np.flatnonzero(page.link == np.arange(len(page)))
    distinct, number = list_distinct(page, rows, "href")
    assert [distinct[at] for at in number.tolist()] == read_attributes(page, rows.tolist(), "href")
    assert len(set(distinct)) == len(distinct)
    with pytest.MonkeyPatch.context() as plain:
        plain.setattr(parse_columns, "AttributeTable", ())
        assert distinct == list_distinct(page, rows, "href")[0]


def test_many_values_that_differ_in_a_number_are_soon_told_apart() -> None:
    markup = "".join(f"<a href=/news/2024/{number}/page.html>x</a>" for number in range(40_000))
    start = time.process_time()
    page = parse_page(markup)
    parsed = time.process_time()
    distinct, _ = list_distinct(page, np.flatnonzero(page.link == np.arange(len(page))), "href")
    assert len(distinct) == 40_000
    assert time.process_time() - parsed < parsed - start


def test_white_space_is_shared_but_kept() -> None:
    spaces = ["\n", " ", "\n  ", "\n   ", "\t", "\n" + 70 * " ", " \n", "\n  "]
    page = parse_page("<body>" + "".join(f"<p>{space}</p>" for space in spaces) + "\u4e2d")
    assert page.text[:-1] == spaces
    assert page.text[2] is page.text[7]
