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
from webclean.outputs.phone.posts import is_post, leads_on, make_post

_WHOLE: Final = frozenset(("table", "figure", "details", "note"))
"""Elements of a text that stay whole where semantic blocks divide them."""


def lay_out(page: PhonePage) -> list[Node]:
    """The nodes of the page, in order, its title among them."""
    if page.layout is Layout.INDEX or (page.layout is Layout.THREAD and is_board(page)):
        cards = [card for source in page.sources for card in merge_cards(list_cards(source, page))]
        return [node for card in rank_cards(cards, page.rules) if (node := write_card(card, page)) is not None]
    nodes = [node for source in page.sources for node in lay_out_text(page, source)]
    return [*nodes, *list_more(page)]


def is_board(page: PhonePage) -> bool:
    """Whether most of the text is in entries that lead to other pages, as on the list of a forum's topics."""
    inside = whole = 0
    for source in page.sources:
        for number, node in divide(source.flow.find_nodes(), source.find_block):
            whole += measure(node)
            if not 0 <= number < len(source.blocks) or not source.blocks[number].records:
                continue
            records, entries = source.blocks[number].records, Entries(source.spans[number])
            pieces = divide([node], entries.find)
            inside += sum(measure(piece) for at, piece in pieces if at >= 0 and leads_on(records[at], page.head.url))
    return inside > 0 and inside >= page.rules.list_share * whole


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
    """The entries of kept blocks of which the text shows nothing, closed; each list under its heading, if it has one of
    its own."""
    lists: list[tuple[str, list[Node | str]]] = []
    for source in page.sources:
        shown = {place for place, _ in divide(source.flow.find_nodes(), source.find_block)}
        for block in source.blocks:
            if not block.kept or block.number in shown or block.role is Role.COMMENTS or not block.records:
                continue
            entries = [Entry(record) for record in block.records]
            items = make_list(entries, source.base, page.rules, images=False, others=Counter()).children
            heading = "" if fold(block.heading) in {fold(record.title) for record in block.records} else block.heading
            if lists and not heading:
                lists[-1][1].extend(items)
            elif items:
                lists.append((heading, items))
    if not lists:
        return []
    made = [Node("summary", {}, [page.labels.more])]
    for heading, items in lists:
        made += [Node("h2", {}, [heading])] if heading else []
        made.append(Node("ul", {"class": "entries"}, items))
    return [Node("details", {"class": "more", "closed": ""}, list(made))]
