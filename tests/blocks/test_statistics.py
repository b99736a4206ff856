"""Largest and second-largest text block against a literal post-order walk (patent A3)."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given

from tests.blocks.markup import MARKUP, SOUP
from webclean.blocks.text_blocks import compute_statistics, find_text_blocks
from webclean.model import Document
from webclean.parse import parse_page
from webclean.rules import load_rules

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
            if any_link_above(document, int(owner)):
                link_chars[owner] += len("".join(text.split()))
    walk = PostOrderWalk(document, chars, link_chars)
    walk.visit(0)
    return sorted(walk.candidates, key=lambda row: (-walk.own[row], row))[:2], walk.own


def any_link_above(document: Document, row: int) -> bool:
    while row >= 0:
        if document.names[row] == "a" and "href" in document.attrs[row]:
            return True
        row = int(document.parent[row])
    return False


def check(markup: str) -> None:
    document = parse_page(markup)
    found = compute_statistics(document, find_text_blocks(document), RULES)
    expected, size = walk_literally(document)
    assert [row for row in (found.largest, found.second) if row >= 0] == expected
    assert {row: int(found.n_chars[row]) for row in found.row.tolist()} == size
    assert int(found.n_chars.sum()) == sum(size.values())


@given(MARKUP)
def test_agrees_with_the_literal_walk(markup: str) -> None:
    check(markup)


@given(SOUP)
def test_agrees_with_the_literal_walk_on_broken_markup(markup: str) -> None:
    check(markup)


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
