"""Headings of a phone page -> ids to go to, and a list of contents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from webclean.outputs.flow import Node
from webclean.outputs.flow.nodes import HEADINGS, read_text
from webclean.rules.uses_schema import Phone

_APART = frozenset(("li", "article", "details", "table", "blockquote"))
"""Elements whose headings are none of the page's own."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading in the list of contents. level: 1 for the first that the list has."""

    anchor: str
    text: str
    level: int


def mark_headings(nodes: list[Node]) -> list[tuple[Node, str]]:
    """Give each heading of the page's own an id, in place; all of them with their text, in order."""
    found = [(node, " ".join(read_text(node).split())) for node in _walk(nodes)]
    named = [(node, text) for node, text in found if text]
    for number, (node, _) in enumerate(named, start=1):
        node.attributes["id"] = f"h{number}"
    return named


def list_contents(headings: list[tuple[Node, str]], rules: Phone) -> list[Heading]:
    """The headings of the first two levels, or of the first alone where there are too many; none if there are few."""
    levels = sorted({node.name for node, _ in headings})
    for n_levels in (2, 1):
        shown = levels[:n_levels]
        made = [
            Heading(node.attributes["id"], text, shown.index(node.name) + 1)
            for node, text in headings
            if node.name in shown
        ]
        if rules.contents_headings <= len(made) <= rules.contents_entries:
            return made
    return []


def _walk(nodes: list[Node]) -> Iterator[Node]:
    for node in nodes:
        if node.name in HEADINGS:
            yield node
        elif node.name not in _APART:
            yield from _walk(list(node.find_nodes()))
