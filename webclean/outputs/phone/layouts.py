"""The content of a page -> nodes in the order and shape of its layout.

A post of a thread says who, when, and then what, as it was written.

The page of a product has its pictures and price before its description. Pictures without a caption at the beginning and
the end of the text are one strip; a line with the price among the first is set below the title. Where the text has no
price, rating or availability, what the page states of it stands there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from typing import Final

from webclean.model import Record, Role
from webclean.outputs.flow import HEADINGS, INLINE, LEAVES, Node, fold, read_text
from webclean.outputs.flow.addresses import IMAGE_SCHEMES, name_file, sanitise_url
from webclean.outputs.flow.lines import AMOUNT, is_price, says_date, says_prices
from webclean.outputs.phone import pieces
from webclean.outputs.phone.adapt import list_only_images, make_strip, read_source
from webclean.outputs.phone.index_cards import CardEntry, lay_out_cards, list_nodes, make_list, read_block
from webclean.outputs.phone.pieces import Layout, PhonePage, PhoneSource

_WHOLE: Final = frozenset(("table", "figure", "details", "note"))
"""Elements of a text that stay whole where semantic blocks divide them."""
_AROUND_POSTS: Final = frozenset(("ul", "ol", "li", "blockquote"))


def lay_out(page: PhonePage) -> list[Node]:
    """The nodes of the page, in order, its title among them."""
    if page.layout is Layout.INDEX:
        return drop_idle(lay_out_cards(page), page)
    texts = [lay_out_text(page, source) for source in page.sources]
    nodes = drop_bare(drop_idle([node for nodes, _, _ in texts for node in nodes], page), page)
    first = next((at for at, node in enumerate(nodes) if node.attributes.get("class") == "post"), 0)
    lines = [read_text(node).strip() if node.name == "p" else "" for node in nodes[:first]]
    # what is below a text is of it
    text = next((at for at, line in enumerate(lines) if len(line) > _SHORT_LABEL), first)
    above = [nodes[at] for at, line in enumerate(lines) if at >= text or not is_label(line)]
    more = [*(node for _, _, others in texts for node in others), *list_more(page, [listed for _, listed, _ in texts])]
    return [*above, *nodes[first:], *([Node("details", {"class": "more", "closed": ""}, list(more))] if more else [])]


def is_label(line: str) -> bool:
    """Whether a line above the first post is the label of a column or a button: a greeting ends with a sign."""
    return 0 < len(line) <= _SHORT_LABEL and line[-1] not in _CLOSING


_SHORT_LABEL: Final = 20  # characters of a label such as `Author` or `Reply`, at most
_CLOSING: Final = frozenset(",.!?…，。！？～")
_LINES: Final = frozenset(("p", "li", *HEADINGS))


def drop_idle(nodes: list[Node], page: PhonePage) -> list[Node]:
    """The nodes without lines that a reader can do nothing with: names of buttons that are not there, letters of icon
    fonts. A line with a link leads somewhere, and stays. So do headings, which a text may have below, and items of
    lists, which may be about what they name."""

    def drop(node: Node) -> list[Node] | None:
        if node.name not in _LINES or any(
            inner.name in _LEADING or inner.name not in INLINE for inner in node.find_nodes()
        ):
            return None if node.name not in _WHOLE and any(True for _ in node.find_nodes()) else [node]
        text = read_text(node).strip()
        is_idle = node.name == "p" and 0 < len(text) <= page.rules.label_chars and page.is_idle(text)
        return [] if is_idle else [node]

    return [node for node in pieces.replace_nodes(nodes, drop) if isinstance(node, Node)]


def drop_bare(nodes: list[Node], page: PhonePage) -> list[Node]:
    """The nodes without headings that nothing is left or has been below: tabs whose text comes by script, questions
    without their answers, names of buttons. Other names below each other, such as those of plans, say something by
    themselves elsewhere than on pages of goods."""
    kept: list[Node] = []
    for node in reversed(nodes):
        after = kept[-1].name if kept else "h1"
        # a heading before one as high has nothing below it; names of headings sort by their level
        is_bare = node.name in HEADINGS and after in HEADINGS and after <= node.name
        # a slogan that is set as a heading says something by itself
        is_name = page.layout is Layout.PRODUCT and len(read_text(node)) <= page.rules.label_chars
        is_idle = is_name or _QUESTION.search(text := read_text(node)) or page.is_idle(text)
        if not (is_bare and is_idle):
            kept.append(node)
    return kept[::-1]


_QUESTION: Final = re.compile(r"\w\W*[?？؟]\s*$")
_LEADING: Final = frozenset(("a", "img"))


def lay_out_text(page: PhonePage, source: PhoneSource) -> tuple[list[Node], set[int], list[Node]]:
    """The kept text in reading order, each post of a thread in an element of its own; the numbers of the blocks within
    it that are set as lists: of entries which say more than a title, and in one place. Lists of other goods on the page
    of one, which say their prices, are no part of it: the nodes of these."""
    posts = find_posts(page, source)

    def find_post(row: int) -> int:
        number = source.find_record(row)
        return number if number in posts else -1

    runs: list[tuple[int, int, list[Node]]] = []  # post, block, nodes; -1 for none
    flow = [*source.flow.find_nodes()]
    for number, nodes in pieces.list_runs(pieces.divide(flow, find_post, _WHOLE)) if posts else ((-1, flow),):
        # each post has an element of its own, so the rules between them are not needed
        texts = [node for node in nodes if not (posts and node.name == "hr")]
        within = pieces.list_runs(pieces.divide(texts, source.find_block, _WHOLE)) if number < 0 else ((-1, nodes),)
        runs += [(number, block, run) for block, run in within]
    made, listed = [], set()
    others: list[Node] = []
    n_runs = Counter(block for _, block, _ in runs)
    for number, block, nodes in runs:
        if number >= 0:
            at, place = source.records[number]
            made.append(make_post(source.blocks[at].records[place], nodes, page))
            continue
        # posts have author and date as entries of lists have, and are text
        may_be = page.layout is not Layout.THREAD and block >= 0 and source.blocks[block].role is Role.INDEX
        # in one place: set as one list, a block that goes around the text would pull it apart
        card = read_block(source.blocks[block], nodes, source, page.rules) if may_be and n_runs[block] == 1 else None
        if card is not None and card.is_listing and any(entry.nodes for entry in card.entries):
            listed.add(block)
            n_priced = sum(bool(one.record.price and one.record.url) for one in card.entries)
            is_of_others = page.layout is Layout.PRODUCT and 2 * n_priced > len(card.entries)
            shown = others if is_of_others else made
            # the text may have the heading of the list right before it
            is_named = bool(shown) and fold(read_text(shown[-1])) == fold(card.heading)
            shown += list_nodes(replace(card, heading="") if is_named else card, page)
        else:
            made += nodes
    return made, listed, others


def find_posts(page: PhonePage, source: PhoneSource) -> frozenset[int]:
    """Numbers of the records that are posts of a thread, or comments below a text; none if there are few."""
    may_have = [page.layout is Layout.THREAD or block.role is Role.COMMENTS for block in source.blocks]
    numbered = ((number, source.blocks[at], place) for number, (at, place) in enumerate(source.records))
    posts = [number for number, own, place in numbered if may_have[own.number] and is_post(own.records[place])]
    # two comments below an article need no layout of their own; nor are texts of entries read for fewer
    if len(posts) >= page.rules.posts:
        nodes, leaves = source.of_records, pieces.list_leaves
        posts = [at for at in posts if any(read_text(leaf) for node in nodes.get(at, ()) for leaf in leaves(node))]
    return frozenset(posts if len(posts) >= page.rules.posts else ())


def list_more(page: PhonePage, shown: Sequence[Set[int]]) -> list[Node]:
    """The entries of kept blocks of which the text shows nothing, each list under its heading, if it has one of its
    own. shown: of each source, the blocks of which all entries are shown."""
    made, lists = list[Node](), list[Node]()
    bare, most = replace(page, options=replace(page.options, images=False)), page.rules.entry_chars
    for source, listed in zip(page.sources, shown, strict=True):
        kept = [block for block in source.blocks if block.kept and block.records]
        says = pieces.find_titles([source.flow] if kept else [])
        with_text = {source.records[number] for number in (source.of_records if kept else ()) if number >= 0}
        for block in kept:
            entries: list[CardEntry] = []
            for at, record in enumerate(block.records):
                name, is_signed, begin = record.title or record.author or "", is_post(record), record.summary[:most]
                # below comments, what has neither author nor text is a button
                is_named = pieces.measure(record.title) > page.rules.button_bytes or block.role is not Role.COMMENTS
                # the text does not name the entry, which says who or what it is
                is_missing = bool(name) and (is_named or is_signed or bool(record.summary)) and not says(name)
                if is_missing and not (is_signed and (block.number, at) in with_text):
                    # no more than the beginning of a long summary, such as all of a comment
                    cut = record.summary if begin == record.summary else f"{begin.rpartition(' ')[0] or begin} …"
                    entries.append(CardEntry(replace(record, summary=cut), source.base))
            if not entries or block.number in listed:
                continue
            items = make_list(entries, bare).children
            # the heading of a list may be its first entry, set large
            heading = "" if fold(block.heading) in {fold(record.title) for record in block.records} else block.heading
            # a list without a name goes on with the one above: a dozen nameless lists would say nothing
            if lists and not heading:
                lists[-1].children.extend(items)
            elif items:
                lists.append(Node("ul", {"class": "entries"}, items))
                made += [Node("h2", {}, [heading]), lists[-1]] if heading else [lists[-1]]
    return made


def is_post(record: Record) -> bool:
    """Whether a record says who wrote it or when."""
    return bool(record.author or record.date)


def make_post(record: Record, nodes: list[Node], page: PhonePage) -> Node:
    """A post under a line of its author, time and votes. Lines of the page that say no more than that are moved there;
    rules between posts are left out, and headings that say the title of the page, of which each post is."""
    lines = [line for node in nodes for line in _list_lines(node)]
    moved = [line for line in lines if _is_signature(line, record, page)]
    written = [read_text(line) for line in moved]
    name = record.author or ""
    names = [Node("strong", {}, [name])] if name and not any(fold(name) in fold(text) for text in written) else []
    dates: list[Node] = []
    for line, said in zip(moved, written, strict=True):
        is_date = says_date(said, record.date or "")
        shown = pieces.leave_out_images(line.children)  # signs beside a name are as tall as the line
        (dates if is_date else names).append(Node("bdi" if is_date else "strong", {}, shown))
    if record.date and not dates:
        dates.append(Node("bdi", {}, [page.write_date(record.date)]))
    # mostly no part of the text: `14 Likes` in a toolbar, a number between two arrows
    votes = [f"{one.value:+}" for one in record.counts if one.name == "votes" and one.value]
    dates += [Node("bdi", {}, [n]) for n in votes if not any(read_text(line).startswith(n[1:]) for line in lines)]
    left_out = {id(line) for line in moved}
    # boards number posts as items, each the only one here, and have set what was written as a quotation of its writer
    while len(nodes) == 1 and nodes[0].name in _AROUND_POSTS:
        inside = list(nodes[0].find_nodes())
        has_text = len(inside) < len(nodes[0].children)
        if (has_text and nodes[0].name != "li") or (nodes[0].name in ("ul", "ol") and len(inside) > 1):
            break
        nodes = [line if isinstance(line, Node) else Node("p", {}, line) for line in nodes[0].split_lines()]

    title = fold(page.head.title)

    def drop(node: Node) -> list[Node] | None:
        if node.name in HEADINGS and fold(read_text(node)) == title:
            return []
        is_line = not left_out or node.name in LEAVES or node.name in INLINE or not node.children
        return [] if id(node) in left_out else [node] if is_line else None

    texts = pieces.replace_nodes((node for node in nodes if node.name != "hr"), drop)
    return Node("article", {"class": "post"}, [*pieces.join_parts([*names, *dates], "by"), *texts])


def _list_lines(node: Node) -> Iterator[Node]:
    """The nodes at and below one that hold text and inline elements alone."""
    below = [child for child in node.find_nodes() if child.name not in INLINE]
    if not below:
        yield node
    for child in below:
        yield from _list_lines(child)


def _is_signature(line: Node, record: Record, page: PhonePage) -> bool:
    """Whether a line is the author's name, or a date and little else."""
    text, author = read_text(line).strip(), fold(record.author or "")
    if not text or line.name == "pre" or page.is_edited(text):
        return False
    if fold(text) == author:
        return True
    return len(text) <= page.rules.byline_chars // 2 and says_date(text, record.date or "")


def set_product(nodes: list[Node], page: PhonePage) -> tuple[list[Node], list[Node]]:
    """Price and pictures, and the nodes that follow."""
    images = [list_only_images(node) for node in nodes]
    texts = [at for at, found in enumerate(images) if not found]
    # pictures alone before the first text and after the last one
    first, last = (texts[0], texts[-1] + 1) if texts else (len(nodes), len(nodes))
    rest = nodes[first:last]
    pictures = [image for found in (*images[:first], *images[last:]) for image in found]
    # shops show one picture in many sizes, told apart by the query of its address
    files, added = {name_file(read_source(image)) for image in pictures}, dict[str, Node]()
    below = {name_file(image.attributes["src"]) for image in pieces.list_named(rest, {"img"})}
    for source in filter(None, (page.image, *page.gallery)):
        url, is_main = sanitise_url(source, None, IMAGE_SCHEMES), source == page.image
        if url and (file := name_file(url)) not in (files if is_main else files | below):
            added.setdefault(file, Node("img", {"src": url, "alt": page.head.title if is_main else ""}))
    pictures[:0] = list(added.values())[: page.rules.gallery_images]
    amount, short, prices = AMOUNT.search(page.price), page.rules.label_chars, (page.price, page.former)
    wanted = amount[0] if amount else ""
    # the first short line that holds it; of a page that states none, none
    lines = [(node, read_text(node)) for node in rest[: page.rules.title_nodes] if wanted and node.name == "p"]
    says_it = (node for node, text in lines if (len(text) <= short and wanted in text) or is_price(text, page.price))
    price = next(says_it, None)
    # the price is said once more in the bar that stays in sight
    rest = [node for node in rest if node is not price and not says_prices(read_text(node), prices)]
    # what may be chosen is said above: its name, or that with the chosen value, would stand alone
    named = {fold(f"{one.name}{more}") for one in page.choices if one.name for more in ("", f": {one.chosen}")}
    rest = [node for node in rest if node.name not in _LINES or fold(read_text(node).rstrip(" :：*")) not in named]
    rest = _join_labels(rest, short)
    shown = list[Node | str]([page.price] if page.price else [])
    if page.former:
        shown += [" ", Node("del", {}, [page.former])]
    elif price and (len(AMOUNT.findall(read_text(price))) == 1 or not says_prices(read_text(price), prices)):
        label = read_text(price).replace(page.price, "").strip()
        shown = list(price.children) if not page.is_button(label) else shown  # such as `from 20 €`
    top = [Node("p", {"class": "price"}, shown)] if shown else []
    for choice in page.choices:
        # the value that is chosen is set off
        values = [Node("strong" if value == choice.chosen else "bdi", {}, [value]) for value in choice.values]
        top += pieces.join_parts([*([Node("bdi", {}, [f"{choice.name}:"])] if choice.name else []), *values])
    # rating and availability, where the text does not say them
    known = {page.head.rating: page.head.rating.partition("/")[0], page.head.availability: page.head.availability}
    text = "\n".join(read_text(node) for node in rest if node.name != "details").casefold() if any(known) else ""
    facts = [fact for fact, sign in known.items() if fact and sign.casefold() not in text]
    top += [Node("p", {}, [" · ".join(facts)])] if facts else []
    if page.options.images and pictures:
        strip = make_strip(pictures, page.labels.photos)
        top.append(strip if len(strip.children) > 1 else Node("p", {}, strip.children))
    return top, rest


def _join_labels(nodes: list[Node], n_chars: int) -> list[Node]:
    """The nodes; a label with a colon and the only short line below it become one: `Delivery:`, `Varies`."""
    made: list[Node] = []
    texts = [read_text(node).strip() if node.name == "p" else "" for node in nodes]
    short = [0 < len(text) <= n_chars for text in texts]
    labels = [is_short and text.endswith((":", "：")) for is_short, text in zip(short, texts, strict=True)]
    for at, node in enumerate(nodes):
        is_value = at > 0 and labels[at - 1] and short[at] and not labels[at]
        # a label of several values is a heading
        if is_value and (at + 1 == len(nodes) or labels[at + 1] or not short[at + 1]):
            made[-1] = made[-1].copy_with([*made[-1].children, " ", *node.children])
        else:
            made.append(node)
    return made
