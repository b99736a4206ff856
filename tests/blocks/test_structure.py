"""The structure-block tree against a slow, obvious implementation, and on a page small enough to count by hand."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.blocks.markup import MARKUP, SOUP
from webclean.blocks.text_blocks import StructureTree, build_structure_tree, find_text_blocks
from webclean.errors import RuleError
from webclean.model import Document, TextBlocks
from webclean.parse import parse_page
from webclean.rules import load_rules

TAGS = load_rules().statistics.block_tags


def build(markup: str) -> tuple[Document, TextBlocks, StructureTree]:
    document = parse_page(markup)
    blocks = find_text_blocks(document)
    return document, blocks, build_structure_tree(document, blocks, TAGS)


def list_ancestors(document: Document, row: int) -> list[int]:
    found = []
    while row >= 0:
        found.append(row)
        row = int(document.parent[row])
    return found


def check(markup: str) -> None:
    document, blocks, tree = build(markup)
    shown = [at for at in range(len(blocks)) if blocks.visible[at]]
    around = {at: list_ancestors(document, int(blocks.row[at])) for at in shown}
    rows = sorted({row for at in shown for row in around[at] if document.names[row] in TAGS and blocks.n_chars[at]})
    assert tree.row.tolist() == rows
    for number, row in enumerate(rows):
        above = [up for up in list_ancestors(document, row)[1:] if up in rows]
        assert tree.parent[number] == (rows.index(above[0]) if above else -1)
        assert tree.end[number] == sum(other < document.end[row] for other in rows)
        inside = [at for at in shown if row in around[at]]
        assert tree.n_chars[number] == sum(blocks.n_chars[at] for at in inside)
        assert tree.n_link_chars[number] == sum(blocks.n_link_chars[at] for at in inside)
        assert [tree.parent[child] for child in tree.list_children(number)] == [number] * len(
            tree.list_children(number)
        )
    assert sum(len(tree.list_children(number)) for number in range(len(tree))) == sum(tree.parent >= 0)


@given(MARKUP)
def test_agrees_with_a_walk(markup: str) -> None:
    check(markup)


@given(SOUP)
def test_agrees_with_a_walk_on_broken_markup(markup: str) -> None:
    check(markup)


def test_a_small_page_counted_by_hand() -> None:
    document, _, tree = build(
        "<body><p>abc</p><div>de<div>fghi <a href=/>jk</a></div><div hidden>no</div><ul><li>l</ul></div><div></div>"
    )
    assert [document.names[row] for row in tree.row] == ["body", "div", "div", "ul"]
    assert tree.parent.tolist() == [-1, 0, 1, 1]
    assert tree.end.tolist() == [4, 4, 3, 4]
    assert tree.n_chars.tolist() == [12, 9, 6, 1]
    assert tree.n_link_chars.tolist() == [2, 2, 2, 0]
    assert [tree.list_children(block) for block in range(4)] == [[1], [2, 3], [], []]
    assert [tree.block_of[document.names.index(name)] for name in ("html", "p", "a", "li")] == [-1, 0, 2, 3]


def test_an_unknown_element_is_an_error_of_the_rules() -> None:
    document = parse_page("<p>x")
    with pytest.raises(RuleError, match="not HTML elements: card"):
        build_structure_tree(document, find_text_blocks(document), ("div", "card"))
