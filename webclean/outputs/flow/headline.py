"""The page's title above what is kept: the main text itself often leaves the headline out."""

from __future__ import annotations

from collections.abc import Iterator

from webclean.outputs.flow.nodes import HEADINGS, Node, read_text


def add_headline(flow: Node, title: str) -> Node:
    """The same tree under a first heading that says the title; unchanged where a heading says it or nothing is kept."""
    if not title or not flow.children or says(flow, title):
        return flow
    return Node(flow.name, flow.attributes, [Node("h1", {}, [title]), *flow.children])


def says(flow: Node, title: str) -> bool:
    """Whether a heading says the title already."""
    return fold(title) in find_headings(flow)


def find_headings(flow: Node) -> Iterator[str]:
    """The folded texts of the headings, in reading order."""
    waiting = [flow]
    while waiting:
        node = waiting.pop()
        if node.name in HEADINGS:
            yield fold(read_text(node))
        else:
            waiting.extend(reversed(list(node.find_nodes())))


def fold(text: str) -> str:
    """Text as it is compared: one space for white space, no case."""
    return " ".join(text.split()).casefold()
