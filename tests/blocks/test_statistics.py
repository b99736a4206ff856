"""Largest and second-largest text block against a literal post-order walk (patent A3)."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given

from tests.blocks.markup import MARKUP, SOUP
from webclean.blocks.structure import compute_statistics
from webclean.blocks.text_blocks import find_text_blocks
from webclean.model import Document
from webclean.parse import parse_page
from webclean.rules import load_rules

RULES = load_rules().statistics


@dataclass
class PostOrderWalk:
    """The patent's walk, one call a node: counts go up, and so does whether a block is below."""

    document: Document
    chars: list[int]
    link_chars: list[int]
    candidates: list[int] = field(default_factory=list)

    def visit(self, row: int) -> tuple[int, int, bool]:
        document = self.document
        n, n_link, holds = self.chars[row], self.link_chars[row], False
        for child in range(row + 1, len(document)):
            if document.parent[child] == row:
                below, link_below, block_below = self.visit(child)
                n, n_link, holds = n + below, n_link + link_below, holds or block_below
        if not holds and document.names[row] in RULES.block_tags and n > RULES.min_chars:
            holds = True
            if n >= RULES.text_ratio * n_link:
                self.candidates.append(row)
        return n, n_link, holds


def walk_literally(document: Document) -> tuple[list[int], dict[int, int]]:
    """The two largest candidates, and the characters of each element."""
    blocks = find_text_blocks(document)
    chars, link_chars = [0] * len(document), [0] * len(document)
    for text, owner, block in zip(document.text, document.text_owner, blocks.block_of, strict=True):
        if block >= 0 and blocks.visible[block]:
            chars[owner] += len("".join(text.split()))
            if any_link_above(document, int(owner)):
                link_chars[owner] += len("".join(text.split()))
    walk = PostOrderWalk(document, chars, link_chars)
    walk.visit(0)
    size = {row: PostOrderWalk(document, chars, link_chars).visit(row)[0] for row in range(len(document))}
    return sorted(walk.candidates, key=lambda row: -size[row])[:2], size


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
    rows = [row for row, name in enumerate(document.names) if name in RULES.block_tags]
    assert found.n_chars[rows].tolist() == [size[row] for row in rows]


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
        ("<div>" + "o" * 90 + "<div>" + "i" * 30 + "</div></div>", "i" * 30, None),
        ("<div><a href=x>" + "l" * 60 + "</a></div><div>" + "t" * 25 + "</div>", "t" * 25, None),
        ("<div><p>" + "t" * 15 + "</p><p>" + "u" * 15 + "</p></div>", "t" * 15 + "u" * 15, None),
    ],
    ids=["two", "too short", "innermost only", "links do not compete", "paragraphs belong to their block"],
)
def test_largest_and_second(markup: str, largest: str | None, second: str | None) -> None:
    document = parse_page(markup)
    found = compute_statistics(document, find_text_blocks(document), RULES)
    for row, text in ((found.largest, largest), (found.second, second)):
        if text is None:
            continue
        inside = [t for t, o in zip(document.text, document.text_owner, strict=True) if row <= o < document.end[row]]
        assert "".join(inside) == text
    assert (found.largest >= 0) == (largest is not None)
    assert (found.second >= 0) == (second is not None)
