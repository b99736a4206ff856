"""Adds the title of the page as first heading, because the kept text often does not include the headline."""

from __future__ import annotations

from collections.abc import Iterator

from webclean.outputs.flow.nodes import HEADINGS, Node, read_text


def add_headline(flow: Node, title: str) -> Node:
    """The tree with the title as first heading; unchanged if a heading has the title already or the tree is empty."""
    if not title or not flow.children or repeats_title(flow, title):
        return flow
    return Node(flow.name, flow.attributes, [Node("h1", {}, [" ".join(title.split())]), *flow.children])


def repeats_title(flow: Node, title: str) -> bool:
    """Whether the tree has a heading with this title."""
    return fold(title) in find_headings(flow)


def find_headings(flow: Node) -> Iterator[str]:
    """The texts of the headings in reading order, normalised by `fold`."""
    waiting = [flow]
    while waiting:
        node = waiting.pop()
        if node.name in HEADINGS:
            yield fold(read_text(node))
        else:
            waiting.extend(reversed(list(node.find_nodes())))


def fold(text: str) -> str:
    """Normalise text for comparison: white space becomes single spaces, case is folded."""
    return " ".join(text.split()).casefold()
