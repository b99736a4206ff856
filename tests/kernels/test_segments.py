"""The kernel of semantic blocks gives what its plain twins give."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.blocks.markup import MARKUP
from webclean.blocks.text_blocks import find_text_blocks
from webclean.features import PageColumns
from webclean.kernels import IS_COMPILED
from webclean.model import Floats
from webclean.parse import columns as parse_columns
from webclean.parse import parse_page
from webclean.parse.columns import list_distinct, read_attributes
from webclean.rules import load_rules
from webclean.segments import cut_tree, folders, node_columns, node_features
from webclean.segments.node_parts import NodeParts, measure_parts, measure_plainly

pytestmark = pytest.mark.skipif(not IS_COMPILED, reason="the kernels are not compiled")
FIXTURES = sorted((Path(__file__).resolve().parents[2] / "fixtures").rglob("input.html"))


def measure_all(columns: node_columns.NodeColumns) -> dict[str, Floats]:
    """Each feature of the nodes, those of families with the names that they have in the rules."""
    names = [*node_features.NODE_FEATURES, *(f"token.{group}" for group in columns.rules.group_bits)]
    names += [f"tag.{name}" for name in {*columns.page.document.names, "td", "x-unknown"}]
    return {name: node_features.measure_nodes(columns, name) for name in names} if len(columns) else {}


def check_tree(page: bytes | str) -> None:
    document = parse_page(page)
    blocks = find_text_blocks(document)
    own = cut_tree.count_own_chars(document, blocks)
    tree = cut_tree.build_cut_tree(document, own)
    assert np.array_equal(own, cut_tree.count_plainly(document, blocks))
    slow = cut_tree.build_plainly(document, own)
    for name in cut_tree.CutTree.__slots__:
        assert getattr(tree, name) == getattr(slow, name), name
    nodes = node_columns.list_nodes(tree)
    plain = node_columns.NodeColumns(PageColumns(document, blocks), tree, load_rules().segments, nodes)
    with pytest.MonkeyPatch.context() as without:
        without.setattr(node_columns, "SEGMENTS", None)
        without.setattr(node_columns, "NODES", None)
        without.setattr(node_features, "NODE_TABLES", {})
        assert nodes == node_columns.list_nodes(tree)
        shapes, expected = plain.shapes, measure_all(plain)
    quick = node_columns.NodeColumns(PageColumns(document, blocks), tree, load_rules().segments, nodes)
    for name, values in measure_all(quick).items():
        assert np.array_equal(values, expected[name]), name
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


@given(st.lists(st.sampled_from(["/a", "/a/b", "/a/c?d/e", "?q=/a", "", "#a", "tel:1", "Mailto:x", "javascript:;"])))
def test_directories_are_numbered_equally(targets: list[str]) -> None:
    with pytest.MonkeyPatch.context() as without:
        without.setattr(folders, "NODES", None)
        expected = folders.number_folders(targets).tolist()
    found = folders.number_folders(targets).tolist()
    known = {-1: -1} | {number: at for at, number in enumerate(dict.fromkeys(n for n in found if n >= 0))}
    assert [known[number] for number in found] == expected


LINKS = st.sampled_from(["/a/1", "/a/2", "/b/1", "#top", "tel:1"]).map("<a href={0}>a link</a>".format)
PARTS = st.recursive(
    st.one_of(LINKS, st.sampled_from(["<h2>Tea</h2>", "some words", "<img src=a>", "<hr>", "<input>"])),
    lambda inside: st.builds(
        lambda name, parts: f"<{name}>{''.join(parts)}</{name.split()[0]}>",
        st.sampled_from(["div class='nav box'", "ul id=footer", "li class=box", "li", "p", "form", "x-a", "section"]),
        st.lists(inside, max_size=5),
    ),
    max_leaves=40,
)


@given(st.lists(PARTS, min_size=2, max_size=6).map("".join))
def test_nodes_are_equal_in_parts_with_links_and_names(markup: str) -> None:
    check_tree(f"<body>{markup}")


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
