"""What is known of a page beside its text: front matter, `meta` elements, and the title as first heading, because the
kept text often does not include the headline.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from html import escape

from webclean.outputs.flow.nodes import HEADINGS, Node, read_text


@dataclass(frozen=True, slots=True)
class Head:
    """Data shown at the top of a rendering; '' for what is not known. language: BCP 47 tag. type: page type.
    price, rating, availability: of a product."""

    title: str = ""
    author: str = ""
    date: str = ""
    url: str = ""
    language: str = ""
    type: str = ""
    price: str = ""
    rating: str = ""
    availability: str = ""

    def list_known(self) -> Iterator[tuple[str, str]]:
        """Names and values of what is known."""
        for field in fields(self):
            if value := getattr(self, field.name):
                yield field.name, value


def write_front_matter(head: Head) -> str:
    """YAML front matter: a line for each value between two lines of `---`. JSON strings are YAML (YAML 1.2, 1.3)."""
    lines = (f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in head.list_known())
    return "\n".join(("---", *lines, "---"))


def write_meta_elements(head: Head) -> str:
    """`meta` elements for the head of an HTML document, one on each line; the title has an element of its own."""
    lines = (
        f'<meta name="{name}" content="{escape(value)}">\n' for name, value in head.list_known() if name != "title"
    )
    return "".join(lines)


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
