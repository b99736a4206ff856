"""The content of a page -> nodes in the order and shape of its layout."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import Final

from webclean.model import Role
from webclean.outputs.flow import Node
from webclean.outputs.flow.headline import fold
from webclean.outputs.phone.cards import list_cards, merge_cards, rank_cards, write_card
from webclean.outputs.phone.entries import Entry, make_list
from webclean.outputs.phone.options import Layout, PhonePage, PhoneSource
from webclean.outputs.phone.pieces import Entries, divide, measure
from webclean.outputs.phone.posts import is_post, make_post

_WHOLE: Final = frozenset(("table", "figure", "details", "note"))
"""Elements of a text that stay whole where semantic blocks divide them."""


def lay_out(page: PhonePage) -> list[Node]:
    """The nodes of the page, in order, its title among them."""
    if page.layout is Layout.INDEX:
        cards = [card for source in page.sources for card in merge_cards(list_cards(source, page))]
        return [node for card in rank_cards(cards, page.rules) if (node := write_card(card, page)) is not None]
    nodes = [node for source in page.sources for node in lay_out_text(page, source)]
    return [*nodes, *list_more(page)]


def lay_out_text(page: PhonePage, source: PhoneSource) -> list[Node]:
    """The kept text in reading order, with the posts of a thread set off."""
    posts = find_posts(page, source)
    made: list[Node] = []
    pieces = divide(source.flow.find_nodes(), source.find_block, _WHOLE)
    for number, group in groupby(pieces, key=lambda piece: piece[0]):
        nodes = [node for _, node in group]
        if number in posts:
            nodes = set_posts(page, source, number, nodes)
        for node in nodes:
            node.attributes = {**node.attributes, "block": str(number)}
        made += nodes
    return made


def find_posts(page: PhonePage, source: PhoneSource) -> frozenset[int]:
    """Numbers of the blocks whose records are posts: of a thread, or comments below a text."""
    found = {
        block.number: sum(map(is_post, block.records))
        for block in source.blocks
        if block.role is Role.COMMENTS or (page.layout is Layout.THREAD and block.role is not Role.INDEX)
    }
    if sum(found.values()) < page.rules.posts:
        return frozenset()
    return frozenset(number for number, n_posts in found.items() if n_posts)


def set_posts(page: PhonePage, source: PhoneSource, number: int, nodes: list[Node]) -> list[Node]:
    """The nodes of a block, those of each post in an element of its own."""
    records, entries = source.blocks[number].records, Entries(source.spans[number])
    made: list[Node] = []
    for at, group in groupby(divide(nodes, entries.find), key=lambda piece: piece[0]):
        inside = [node for _, node in group]
        if at >= 0 and is_post(records[at]) and any(map(measure, inside)):
            made.append(make_post(records[at], inside, page.rules))
        else:
            made += [node for node in inside if node.name != "hr"]
    return made


def list_more(page: PhonePage) -> list[Node]:
    """The entries of kept blocks of which the text shows nothing, closed, each list under its heading."""
    lists: list[Node] = []
    for source in page.sources:
        shown = {place for place, _ in divide(source.flow.find_nodes(), source.find_block)}
        for block in source.blocks:
            if not block.kept or block.number in shown or block.role is Role.COMMENTS or not block.records:
                continue
            entries = [Entry(record) for record in block.records]
            items = make_list(entries, source.base, page.rules, images=False, others=Counter())
            if items.children:
                titles = {fold(record.title) for record in block.records}
                is_own = block.heading and fold(block.heading) not in titles
                lists += [Node("h2", {}, [block.heading]), items] if is_own else [items]
    if not lists:
        return []
    return [Node("details", {"class": "more", "closed": ""}, [Node("summary", {}, [page.labels.more]), *lists])]
