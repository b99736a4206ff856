"""Clean elements as the page shows them -> as a phone shows them.

What is wider than the screen scrolls by itself; images load when they are near; a link that says nothing, around an
image without a text, is none. Headings of the first level are the page's title alone. That links send no referrer is
said once, in the head of the document; none opens a window that could reach back.

Images that follow one another without text become a strip that scrolls sideways, so that they do not pile up:

p [img], p [img], ul [li [img], li [img]]   ->   div.strip [img, img, img, img]
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from typing import Final

from webclean.outputs.flow import FILLED, INLINE, LEAVES, Node, read_text
from webclean.outputs.flow.lines import has_letters
from webclean.outputs.phone.pieces import PhoneOptions, list_named

_WIDE_LINE: Final = 32
"""Characters of a line of code from which it may be wider than a small screen."""

_LITTER: Final = re.compile(r"[\s\u2190-\u21ff\u25a0-\u25ff\ue000-\uf8ff•·›‹«»]+")
"""Arrows, shapes and signs of icon fonts (private use), which stand for buttons."""


def adapt_nodes(nodes: list[Node], options: PhoneOptions) -> list[Node]:
    """Copies of the nodes for a phone; images and links as the options say."""
    return [made for node in nodes for made in _adapt(node, options)]


def _adapt(node: Node, options: PhoneOptions) -> list[Node]:
    """A copy of a node; none, or its children, where the phone page leaves it out."""
    text = node.children[0] if len(node.children) == 1 else None
    # most nodes of a page are a line of text
    if type(text) is str and node.name in _PLAIN:
        is_litter = node.name == "p" and _LITTER.fullmatch(text)
        return [] if is_litter else [Node(node.name, dict(node.attributes), [text], node.is_line, node.row)]
    if node.name in ("img", "math"):  # the children of a formula are MathML, of which nothing may be left out
        return _adapt_image(node, options) if node.name == "img" else [node]
    children: list[Node | str] = []
    for child in node.children:
        added = [child] if isinstance(child, str) else _adapt(child, options)
        children += [" ", *added] if children and added and _is_glued(children[-1], added[0]) else added
    made = Node(node.name, dict(node.attributes), children, node.is_line, node.row)
    # cells without content stay, for columns; what held only images or arrows goes
    said = "".join(child if isinstance(child, str) else "x" for child in children) if node.name == "p" else "x"
    if (node.children and not children) or _LITTER.fullmatch(said):
        return []
    if node.name == "a":
        if not read_text(made).strip() and not any(image.attributes.get("alt") for image in made.find_nodes()):
            return list(made.find_nodes())
        if options.link is not None:
            made.attributes["href"] = options.link(made.attributes["href"])
    # a box that takes the focus and does not scroll is in the way of those who use keys
    elif node.name == "table" or (node.name == "pre" and max(map(len, str(children[0]).split("\n"))) > _WIDE_LINE):
        made = Node("div", {"class": "scroll", "tabindex": "0"}, [made], row=made.row)
    elif node.name != "pre":
        _reshape(made)
        if node.attributes.get("class", "").startswith("entries"):
            # their titles have room as titles
            for item in made.find_nodes():
                item.attributes.pop("class", None)
        elif node.name in _LINES and _is_links(children):
            made.attributes["class"] = f"{made.attributes.get('class', '')} links".strip()
    return [made]


_LABEL_CHARS: Final = 5


def _is_glued(before: Node | str, after: Node | str) -> bool:
    """Whether an inline element ends where the next text begins with a capital: a style sheet sets each on a line of
    its own, as in `<a>Earth Ball</a><em>Outside Over There</em>`."""
    if isinstance(before, str) or before.name not in INLINE or before.name in ("code", "sup", "sub"):
        return False
    text = read_text(before)
    rest = after if isinstance(after, str) else read_text(after) if after.name in INLINE else ""
    is_long = min(len(text), len(rest)) >= _LABEL_CHARS
    return is_long and text[-1].isalnum() and rest[0].isupper() and (text[-1].islower() or " " in rest)


def _reshape(made: Node) -> None:
    """Give a node the element that fits what is in it, and a list no level that has no other items, in place."""
    is_list = made.name in ("ul", "ol")
    # editors indent text with `dd`; without terms it is a list
    if made.name == "dl" and all(child.name == "dd" for child in made.find_nodes()):
        made.name = "ul"
        for child in made.find_nodes():
            child.name = "li"
    if is_list:
        # lists that are all of the items stand in their place: each level would have a bullet for nothing; beside other
        # items such a list is below the one before
        inner = [item.children[0] for item in made.find_nodes() if len(item.children) == 1]
        lists = [one for one in inner if isinstance(one, Node) and one.name == made.name]
        if lists and len(lists) == len(made.children):
            made.children = [item for one in lists for item in one.children]


_PLAIN: Final = frozenset(("p", "li", "td", "th", "dt", "dd"))
"""Lines that are no headings."""
_LINES: Final = LEAVES | _PLAIN


def _is_links(children: list[Node | str]) -> bool:
    """Whether a line consists of links without words beside them: each needs room for a finger, unlike links in a
    sentence."""
    others = [child for child in children if isinstance(child, str) or child.name != "a"]
    own = (child if isinstance(child, str) else read_text(child) if child.name in INLINE else "" for child in others)
    return len(others) < len(children) and not any(map(has_letters, own))


def _adapt_image(image: Node, options: PhoneOptions) -> list[Node]:
    if not options.images:
        return []
    attributes = {**image.attributes, "loading": "lazy"}
    if options.image is not None:
        source = options.image(image.attributes["src"])
        if source is None:
            alt = image.attributes.get("alt")
            # an image that cannot be had (offline, or too large) still says what it shows
            return [Node("em", {}, [alt])] if alt else []
        attributes["src"] = source
    return [Node("img", attributes)]


_HOLDERS: Final = frozenset(
    ("figure", "ul", "ol", "li", "table", "tr", "td", "blockquote", "dl", "dd", "a", "strong", "em")
)
"""Elements that may hold nothing but images."""


def gather_images(nodes: list[Node], label: str) -> list[Node]:
    """The nodes, in which two and more images in a row are one strip; each image once in it. label: of a strip."""
    made: list[Node] = []
    # one image is no run, and most pages have no more
    if len(list_named(nodes, {"img"})) < 2:
        return nodes
    for is_run, group in groupby(nodes, key=lambda node: bool(list_only_images(node))):
        run = list(group)
        images = [image for node in run for image in list_only_images(node)]
        if len(images) > 1:
            made.append(make_strip(images, label))
        else:
            made += run if is_run else [_gather_inside(node, label) for node in run]
    return made


def _gather_inside(node: Node, label: str) -> Node:
    if node.name in LEAVES or all(child.name in INLINE for child in node.find_nodes()):
        return node
    if node.name not in FILLED and all(isinstance(child, Node) for child in node.children):
        return node.copy_with([*gather_images(list(node.find_nodes()), label)])
    return node.copy_with([one if isinstance(one, str) else _gather_inside(one, label) for one in node.children])


def list_only_images(node: Node) -> list[Node]:
    """The images of a node that holds nothing else; none of one that does."""
    if node.name == "img":
        return [node]
    if node.name not in _HOLDERS and node.name not in LEAVES:
        return []
    found: list[Node] = []
    for child in node.children:
        inside = [] if isinstance(child, str) else list_only_images(child)
        is_space = not child.strip() if isinstance(child, str) else child.name == "br"
        if not inside and not is_space:
            return []
        # a linked image whose text says where it leads keeps its link
        link = child.attributes if isinstance(child, Node) and child.name == "a" else None
        found += [Node("a", link, [image]) if link and image.attributes.get("alt") else image for image in inside]
    return found


def make_strip(images: Iterable[Node], label: str) -> Node:
    """A strip of images, each address once. label: its accessible name."""
    once: dict[str, Node] = {}
    for image in images:
        once.setdefault(read_source(image), image)
    return Node("div", {"class": "strip", "tabindex": "0", "role": "group", "aria-label": label}, list(once.values()))


def read_source(image: Node) -> str:
    """The address of an image, which may stand in a link."""
    shown = image.children[0] if image.name == "a" else image
    return shown.attributes["src"] if isinstance(shown, Node) else ""
