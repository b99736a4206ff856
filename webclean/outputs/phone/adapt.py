"""Clean elements as the page shows them -> as a phone shows them.

What is wider than the screen scrolls by itself; images load when they are near; a link that says nothing, around an
image without a text, is none. Headings of the first level are the page's title alone. That links send no referrer is
said once, in the head of the document; none opens a window that could reach back.
"""

from __future__ import annotations

import re
from typing import Final

from webclean.outputs.flow import Node
from webclean.outputs.flow.nodes import HEADINGS, read_text
from webclean.outputs.phone.options import PhoneOptions
from webclean.outputs.phone.wording import has_letters

_WIDE_LINE: Final = 32
"""Characters of a line of code from which it may be wider than a small screen."""

_PAGE_CHARS: Final = 3
"""Characters of the longest number of a page in a list of such; years are longer."""

_LITTER: Final = re.compile(r"[\s\u2190-\u21ff\u25a0-\u25ff\ue000-\uf8ff•·›‹«»]+")
"""Arrows, shapes and signs of icon fonts (private use), which stand for buttons."""


def adapt_nodes(nodes: list[Node], options: PhoneOptions) -> list[Node]:
    """Copies of the nodes for a phone; images and links as the options say."""
    return [made for node in nodes for made in adapt(node, options)]


def adapt(node: Node, options: PhoneOptions) -> list[Node]:
    """A copy of a node; none, or its children, where the phone page leaves it out."""
    if node.name == "img":
        return _adapt_image(node, options)
    if node.name == "math":
        return [node]
    children: list[Node | str] = []
    for child in () if _is_pager(node) else node.children:
        children += [child] if isinstance(child, str) else adapt(child, options)
    made = Node(node.name, dict(node.attributes), children, node.is_line, node.row)
    if (node.children and not children) or (node.name == "p" and _is_litter(children)):
        return []
    if node.name == "a":
        return _adapt_link(made, options)
    if node.name in ("table", "pre"):
        return [_scroll(made)]
    _rename(made)
    return [made]


def _rename(node: Node) -> None:
    """Give a node the element that fits what is in it: headings have text, lists of terms have terms."""
    if node.name in HEADINGS and not read_text(node).strip():
        node.name = "p"
    elif node.name == "h1":
        node.name = "h2"
    elif node.name == "dl" and all(child.name == "dd" for child in node.find_nodes()):
        node.name = "ul"
        for child in node.find_nodes():
            child.name = "li"


def _is_litter(children: list[Node | str]) -> bool:
    """Whether a paragraph is only signs of a button."""
    return all(isinstance(child, str) for child in children) and bool(_LITTER.fullmatch("".join(map(str, children))))


def _is_pager(node: Node) -> bool:
    """Whether a node is a list of links that are short numbers and signs alone, as those to other pages of results."""
    if node.name not in ("ul", "ol"):
        return False
    texts = [read_text(item).strip() for item in node.find_nodes()]
    linked = any(child.name == "a" for item in node.find_nodes() for child in _list_inline(item))
    return linked and all(len(text) <= _PAGE_CHARS and not has_letters(text) for text in texts)


def _list_inline(node: Node) -> list[Node]:
    """The nodes in a node, at any depth."""
    return [inner for child in node.find_nodes() for inner in (child, *_list_inline(child))]


def _adapt_image(image: Node, options: PhoneOptions) -> list[Node]:
    if not options.images:
        return []
    attributes = {**image.attributes, "loading": "lazy"}
    if options.image is not None:
        source = options.image(image.attributes["src"])
        if source is None:
            alt = image.attributes.get("alt")
            return [Node("em", {}, [alt])] if alt else []
        attributes["src"] = source
    return [Node("img", attributes)]


def _adapt_link(link: Node, options: PhoneOptions) -> list[Node]:
    if not read_text(link).strip() and not any(image.attributes.get("alt") for image in link.find_nodes()):
        return list(link.find_nodes())
    if options.link is not None:
        link.attributes["href"] = options.link(link.attributes["href"])
    return [link]


def _scroll(wide: Node) -> Node:
    """A table or code in a box that scrolls, by keys as well where it may have to."""
    if wide.name == "pre" and all(len(line) <= _WIDE_LINE for line in str(wide.children[0]).split("\n")):
        return wide
    block = {"block": wide.attributes.pop("block")} if "block" in wide.attributes else {}
    return Node("div", {"class": "scroll", "tabindex": "0", **block}, [wide], row=wide.row)
