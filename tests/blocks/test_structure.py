"""The structure-block tree, and its largest and second-largest text block (patent A3), against slow, obvious walks and
on a page small enough to count by hand."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given

from tests.blocks.markup import EITHER, list_ancestors
from webclean.blocks.text_blocks import StructureTree, build_structure_tree, compute_statistics, find_text_blocks
from webclean.errors import RuleError
from webclean.model import Document, TextBlocks
from webclean.parse import parse_page
from webclean.rules import load_rules

TAGS = load_rules().statistics.block_tags


def build(markup: str) -> tuple[Document, TextBlocks, StructureTree]:
    document = parse_page(markup)
    blocks = find_text_blocks(document)
    return document, blocks, build_structure_tree(document, blocks, TAGS)


@given(EITHER)
def test_the_tree_agrees_with_a_walk(markup: str) -> None:
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


RULES = load_rules().statistics


@dataclass
class PostOrderWalk:
    """The patent's walk, one call a node: what is in no valid block yet goes up."""

    document: Document
    chars: list[int]
    link_chars: list[int]
    own: dict[int, int] = field(default_factory=dict)
    candidates: list[int] = field(default_factory=list)

    def visit(self, row: int) -> tuple[int, int]:
        document = self.document
        n, n_link = self.chars[row], self.link_chars[row]
        for child in range(row + 1, len(document)):
            if document.parent[child] == row:
                below, link_below = self.visit(child)
                n, n_link = n + below, n_link + link_below
        if document.names[row] not in RULES.block_tags or n <= RULES.min_chars:
            return n, n_link
        self.own[row] = n
        if n >= RULES.text_ratio * n_link:
            self.candidates.append(row)
        return 0, 0


def walk_literally(document: Document) -> tuple[list[int], dict[int, int]]:
    """The two largest candidates, and the characters of each valid block."""
    blocks = find_text_blocks(document)
    chars, link_chars = [0] * len(document), [0] * len(document)
    for text, owner, block in zip(document.text, document.text_owner, blocks.block_of, strict=True):
        if block >= 0 and blocks.visible[block]:
            chars[owner] += len("".join(text.split()))
            if any(
                document.names[up] == "a" and "href" in document.attrs[up]
                for up in list_ancestors(document, int(owner))
            ):
                link_chars[owner] += len("".join(text.split()))
    walk = PostOrderWalk(document, chars, link_chars)
    walk.visit(0)
    return sorted(walk.candidates, key=lambda row: (-walk.own[row], row))[:2], walk.own


@given(EITHER)
def test_largest_and_second_agree_with_the_literal_walk(markup: str) -> None:
    document = parse_page(markup)
    found = compute_statistics(document, find_text_blocks(document), RULES)
    expected, size = walk_literally(document)
    assert [row for row in (found.largest, found.second) if row >= 0] == expected
    assert {row: int(found.n_chars[row]) for row in found.row.tolist()} == size
    assert int(found.n_chars.sum()) == sum(size.values())


@pytest.mark.parametrize(
    ("markup", "largest", "second"),
    [
        ("<div>" + "t" * 21 + "</div><div>" + "u" * 40 + "</div>", "u" * 40, "t" * 21),
        ("<div>" + "t" * 20 + "</div>", None, None),
        ("<div>" + "o" * 90 + "<div>" + "i" * 30 + "</div></div>", "o" * 90, "i" * 30),
        ("<div>" + "o" * 90 + "<div>" + "i" * 20 + "</div></div>", "o" * 90 + "i" * 20, None),
        ("<div>" + "o" * 40 + "<ul><a href=x>" + "l" * 90 + "</a></ul></div>", "o" * 40, None),
        ("<div><a href=x>" + "l" * 60 + "</a></div><div>" + "t" * 25 + "</div>", "t" * 25, None),
        ("<div><p>" + "t" * 15 + "</p><p>" + "u" * 15 + "</p></div>", "t" * 15 + "u" * 15, None),
    ],
    ids=[
        "two",
        "too short",
        "own text",
        "a label is no block",
        "links inside are another block",
        "links do not compete",
        "paragraphs belong to their block",
    ],
)
def test_largest_and_second(markup: str, largest: str | None, second: str | None) -> None:
    document = parse_page(markup)
    found = compute_statistics(document, find_text_blocks(document), RULES)
    for row, text in ((found.largest, largest), (found.second, second)):
        if text is None:
            continue
        own = [t for t, o in zip(document.text, document.text_owner, strict=True) if found.owner[o] == row]
        assert "".join(own) == text
    assert (found.largest >= 0) == (largest is not None)
    assert (found.second >= 0) == (second is not None)
