"""Images that follow one another without text -> a strip that scrolls sideways, so that they do not pile up.

p [img], p [img], ul [li [img], li [img]]   ->   div.strip [img, img, img, img]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from webclean.outputs.flow import Node
from webclean.outputs.flow.nodes import INLINE, LEAVES

_HOLDERS: Final = frozenset(
    ("figure", "ul", "ol", "li", "table", "tr", "td", "blockquote", "dl", "dd", "a", "strong", "em")
)

"""Elements that may hold nothing but images."""


def gather_images(nodes: list[Node]) -> list[Node]:
    """The nodes, in which two and more images in a row are one strip; each image once in it."""
    made: list[Node] = []
    run: list[Node] = []
    for node in [*nodes, None]:
        images = list_only_images(node) if node is not None else []
        if images and node is not None:
            run.append(node)
            continue
        if run:
            found = [image for one in run for image in list_only_images(one)]
            made += [make_strip(found)] if len(found) > 1 else run
            run = []
        if node is not None:
            made.append(_gather_inside(node))
    return made


def _gather_inside(node: Node) -> Node:
    if node.name in LEAVES or all(child.name in INLINE for child in node.find_nodes()):
        return node
    if any(isinstance(child, str) for child in node.children) or node.name in ("ul", "ol", "dl", "table", "tr"):
        children = [child if isinstance(child, str) else _gather_inside(child) for child in node.children]
    else:
        children = list(gather_images(list(node.find_nodes())))
    return Node(node.name, node.attributes, children, node.is_line, node.row)


def list_only_images(node: Node) -> list[Node]:
    """The images of a node that holds nothing else; none of one that does."""
    if node.name == "img":
        return [node]
    if node.name not in _HOLDERS and node.name not in LEAVES:
        return []
    found: list[Node] = []
    for child in node.children:
        if isinstance(child, str):
            if child.strip():
                return []
            continue
        if child.name == "br":
            continue
        inside = list_only_images(child)
        if not inside:
            return []
        found += [_link(image, child) for image in inside] if child.name == "a" else inside
    return found


def _link(image: Node, link: Node) -> Node:
    """A linked image whose text says where it leads keeps its link."""
    return Node("a", link.attributes, [image]) if image.attributes.get("alt") else image


def make_strip(images: Iterable[Node]) -> Node:
    """A strip of images, each address once."""
    return Node("div", {"class": "strip", "tabindex": "0", "role": "group"}, list(_list_once(images)))


def _list_once(images: Iterable[Node]) -> Iterator[Node]:
    seen: set[str] = set()
    for image in images:
        shown = image.children[0] if image.name == "a" else image
        source = shown.attributes["src"] if isinstance(shown, Node) else ""
        if source not in seen:
            seen.add(source)
            yield image
