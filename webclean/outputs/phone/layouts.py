"""The content of a page -> nodes in the order and shape of its layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from webclean.model import Block, Record, Role
from webclean.outputs.flow import Node
from webclean.outputs.flow.headline import fold
from webclean.outputs.flow.nodes import read_text
from webclean.outputs.phone.cards import list_cards, merge_cards, rank_cards, write_card
from webclean.outputs.phone.entries import Entry, make_list
from webclean.outputs.phone.options import Layout, PhonePage, PhoneSource
from webclean.outputs.phone.pieces import Spans, divide, list_leaves, measure
from webclean.outputs.phone.posts import is_post, leads_on, make_post
from webclean.outputs.phone.wording import Phrases

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
    """Whether most of the text is in topics, as in a forum's list of them."""
    inside = whole = 0
    for source in page.sources:
        records, spans = source.list_records()
        n_bytes = _measure_spans(source, spans)
        whole += n_bytes.total()
        inside += sum(
            n_bytes[number]
            for number, (block, at) in enumerate(records)
            if _is_topic(source.blocks[block].records[at], n_bytes[number], page)
        )
    return inside > 0 and inside >= page.rules.list_share * whole


def _measure_spans(source: PhoneSource, spans: Spans) -> Counter[int]:
    """Bytes of text in each span, and of what is in none under -1."""
    n_bytes: Counter[int] = Counter()
    for number, node in divide(source.flow.find_nodes(), spans.find):
        n_bytes[number] += measure(node)
    return n_bytes


def _is_topic(record: Record, n_bytes: int, page: PhonePage) -> bool:
    """Whether a record is a line that leads to another page; a post may begin with a link to its author's page."""
    return leads_on(record, page.head.url) and n_bytes <= page.rules.topic_bytes


def lay_out_text(page: PhonePage, source: PhoneSource) -> list[Node]:
    """The kept text in reading order, each post of a thread in an element of its own."""
    records, spans = source.list_records()
    posts = find_posts(page, source, spans)

    def find_post(row: int) -> int:
        number = spans.find(row)
        return number if number in posts else -1

    made: list[Node] = []
    for number, group in groupby(divide(source.flow.find_nodes(), find_post, _WHOLE), key=lambda piece: piece[0]):
        nodes = [node for _, node in group]
        if number >= 0:
            block, at = records[number]
            made.append(make_post(source.blocks[block].records[at], nodes, page.rules))
        else:
            made += _mark_blocks([node for node in nodes if not (posts and node.name == "hr")], source)
    return made


def _mark_blocks(nodes: list[Node], source: PhoneSource) -> list[Node]:
    """The nodes with the semantic blocks that they are of."""
    pieces = divide(nodes, source.find_block, _WHOLE)
    for number, node in pieces:
        node.attributes = {**node.attributes, "block": str(number)}
    return [node for _, node in pieces]


def find_posts(page: PhonePage, source: PhoneSource, spans: Spans) -> frozenset[int]:
    """Numbers of the records that are posts of a thread, or comments below a text; none if there are few."""
    records, _ = source.list_records()
    n_bytes = _measure_spans(source, spans)
    found = []
    for number, (block_number, at) in enumerate(records):
        block = source.blocks[block_number]
        if page.layout is Layout.THREAD or block.role is Role.COMMENTS:
            record = block.records[at]
            if n_bytes[number] and is_post(record) and not _is_topic(record, n_bytes[number], page):
                found.append(number)
    return frozenset(found) if len(found) >= page.rules.posts else frozenset()


def list_more(page: PhonePage) -> list[Node]:
    """The entries of kept blocks of which the text shows nothing, closed; each list under its heading, if it has one of
    its own."""
    lists: list[tuple[str, list[Node | str]]] = []
    for source in page.sources:
        for block, entries in _list_missing(source):
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


def _list_missing(source: PhoneSource) -> Iterator[tuple[Block, list[Entry]]]:
    """The kept blocks with those of their entries that the text does not name; posts and comments aside."""
    records, spans = source.list_records()
    shown = {records[number] for number, _ in divide(source.flow.find_nodes(), spans.find) if number >= 0}
    text = Phrases(" ".join(read_text(leaf) for leaf in list_leaves(source.flow)))
    for block in source.blocks:
        if block.kept and block.role is not Role.COMMENTS:
            missing = [
                Entry(record)
                for at, record in enumerate(block.records)
                if record.title and not ((block.number, at) in shown and is_post(record)) and not text.has(record.title)
            ]
            if missing:
                yield block, missing
