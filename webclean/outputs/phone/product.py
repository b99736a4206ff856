"""The page of a product: its pictures and price before its description.

Pictures without a caption at the beginning and the end of the text are one strip; a line with the price among the first
is set below the title. Where the text has no price, rating or availability, what the page states of it stands there.
"""

from __future__ import annotations

import re
from typing import Final

from webclean.outputs.flow import Node
from webclean.outputs.flow.nodes import read_text
from webclean.outputs.flow.sanitise import IMAGE_SCHEMES, sanitise_url
from webclean.outputs.phone.gallery import list_only_images, make_strip
from webclean.outputs.phone.options import PhonePage

_AMOUNT: Final = re.compile(r"\d(?:[\d.,' ]*\d)?")


def set_product(nodes: list[Node], page: PhonePage) -> tuple[list[Node], list[Node]]:
    """Price and pictures, and the nodes that follow."""
    images = _take_ends(nodes)
    taken = {id(holder) for holder, _ in images}
    rest = [node for node in nodes if id(node) not in taken]
    pictures = [image for _, found in images for image in found]
    main = sanitise_url(page.image, None, IMAGE_SCHEMES) if page.image else None
    if main and not any(_name_file(_read_source(image)) == _name_file(main) for image in pictures):
        pictures.insert(0, Node("img", {"src": main, "alt": page.head.title}))
    price = _find_price(rest[: page.rules.title_nodes], page)
    rest = [node for node in rest if node is not price]
    top = [Node("p", {"class": "price"}, _say_once(price.children))] if price else []
    if not top and page.price:
        top = [Node("p", {"class": "price"}, [page.price])]
    if facts := _list_facts(rest, page):
        top.append(Node("p", {}, [" · ".join(facts)]))
    if page.options.images and pictures:
        strip = make_strip(pictures)
        top.append(strip if len(strip.children) > 1 else Node("p", {}, strip.children))
    return top, rest


def _list_facts(nodes: list[Node], page: PhonePage) -> list[str]:
    """Rating and availability of the product, where the text does not say them."""
    rating, availability = page.head.rating, page.head.availability
    texts = [read_text(node).casefold() for node in nodes] if rating or availability else []
    said = {fact: sign for fact, sign in ((rating, rating.partition("/")[0]), (availability, availability)) if fact}
    return [fact for fact, sign in said.items() if not any(sign.casefold() in text for text in texts)]


def _take_ends(nodes: list[Node]) -> list[tuple[Node, list[Node]]]:
    """The nodes of nothing but images before the first text and after the last one, with their images."""
    found = [(node, list_only_images(node)) for node in nodes]
    texts = [at for at, (_, images) in enumerate(found) if not images]
    if not texts:
        return found
    return [*found[: texts[0]], *found[texts[-1] + 1 :]]


def _read_source(image: Node) -> str:
    shown = image.children[0] if image.name == "a" else image
    return shown.attributes["src"] if isinstance(shown, Node) else ""


def _name_file(url: str) -> str:
    """An address without its query, by which shops ask for sizes of one picture."""
    return url.partition("?")[0].rpartition("/")[2]


def _say_once(children: list[Node | str]) -> list[Node | str]:
    """A line without its second half where that repeats the first one, for those who only hear the page."""
    text = "".join(child if isinstance(child, str) else read_text(child) for child in children).strip()
    half = text[: (len(text) + 1) // 2].strip()
    return [half] if half and text in (half + half, f"{half} {half}") else list(children)


def _find_price(nodes: list[Node], page: PhonePage) -> Node | None:
    """The first short line that holds the price; of a page that states none, None."""
    amount = _AMOUNT.search(page.price)
    if amount is None:
        return None
    for node in nodes:
        text = read_text(node)
        if node.name == "p" and len(text) <= page.rules.label_chars and amount[0] in text:
            return node
    return None
