"""Semantic blocks of an index page -> ranked cards, each with its heading and its entries, or its text.

Entries that the page has as blocks of their own, one after the other and without a heading above them, are one list.

The records of a block, with the clean elements they were read from, are the entries of its list. An entry shows what
its record holds: title, link, image, price, author, date, summary. What else the page shows in it follows: longer texts
as they are, labels on one line. Signs without a letter (bullets, page numbers, `<`) do not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from math import prod
from typing import Final

from webclean.caching import cached_property
from webclean.model import Block, Record
from webclean.outputs.flow import HEADINGS, LEAVES, Node, find_headings, fold, read_text
from webclean.outputs.flow.addresses import IMAGE_SCHEMES, sanitise_url
from webclean.outputs.flow.lines import AMOUNT, CURRENCY, count_words, has_letters, is_price
from webclean.outputs.phone import pieces
from webclean.outputs.phone.pieces import PhonePage, PhoneSource
from webclean.rules.segments_schema import Phone

_FEW: Final = 2
"""Entries of a card that the page may have as a block of its own; links of a story, of which a list is topics."""


@dataclass(frozen=True, slots=True)
class BlockCard:
    """One card: a heading, what stands before the entries, the entries, and what follows.

    A text is all `before`. importance: of one block; of several that are one list, that at least one of them is
    important, were each so independently of the others.
    """

    anchor: str
    heading: str = ""
    importance: float = 0.0
    before: list[Node] = field(default_factory=list)
    entries: list[CardEntry] = field(default_factory=list)
    after: list[Node] = field(default_factory=list)

    @property
    def has_entries_alone(self) -> bool:
        return bool(self.entries) and not (self.before or self.after)

    @property
    def is_listing(self) -> bool:
        """Whether a card is mostly a list of entries that say more than a title."""
        rich = sum(one.says_more for one in self.entries)
        # menus are lists of titles alone: they do not come before texts
        return len(self.entries) > max(_FEW, len(self.before)) and 2 * rich > len(self.entries)

    @property
    def lone_heading(self) -> str:
        """The text of a card that is a heading and nothing else, '' of others."""
        if self.entries or self.after or len(self.before) + bool(self.heading) != 1:
            return ""
        if not self.before:
            return self.heading
        return " ".join(read_text(self.before[0]).split()) if self.before[0].name in HEADINGS else ""


@dataclass
class CardEntry:
    """A record and its nodes that are shown. base: the URL to which its URLs are relative. label: further text about
    it."""

    record: Record
    base: str | None = None
    nodes: list[Node] = field(default_factory=list)
    label: str = ""

    @cached_property
    def words(self) -> Counter[str]:
        """The words of what the entry shows of its record."""
        record = self.record
        shown = (record.title, record.summary, record.date, record.price, record.author)
        return count_words(" ".join(value for value in shown if value))

    @property
    def says_more(self) -> bool:
        """Whether the record says more than a title and an author."""
        record = self.record
        return bool(record.summary or record.price or record.date or record.image)


def lay_out_cards(page: PhonePage) -> list[Node]:
    """The cards of a page: the lead, then the most important first. Lists are what an index page is for, and count for
    more than texts."""
    rules, made = page.rules, []
    cards = [card for source in page.sources for card in merge_cards(list_cards(source, page), rules.run_cards)]
    leads = {source.blocks[number].id for source in page.sources for number in source.lead}
    listed = rules.list_importance
    cards.sort(key=lambda card: (card.anchor not in leads, -card.importance - (listed if card.is_listing else 0.0)))
    for card in cards:
        shown = list_nodes(card, page)
        if _says_anything(shown):
            # a story with what belongs to it is set large, the first of a long list is not
            kind = "card lead" if card.anchor in leads and len(card.entries) <= rules.shown_entries + _FEW else "card"
            made.append(Node("section", {"class": kind, "id": card.anchor}, list(shown)))
    return close_rest(made, rules)


def close_rest(cards: list[Node], rules: Phone) -> list[Node]:
    """The cards, of which those after the first screens of a long page are closed below `More on this page`."""
    lists = [[inner for inner in card.walk() if is_entry_list(inner)] for card in cards]
    n_shown = rules.shown_entries if sum(map(len, lists)) > 1 else rules.shown_alone
    left = rules.front_bytes
    for number, (card, listed) in enumerate(zip(cards, lists, strict=True)):
        # of a list, what is not folded away
        items = [item for one in listed for item in list(one.find_nodes())[:n_shown]]
        folded = sum(pieces.measure(item) for one in listed for item in list(one.find_nodes())[n_shown:])
        n_bytes = pieces.measure(card) - folded + rules.entry_bytes * len(items)
        # a card that is longer than all that is shown elsewhere is mostly no list, but the data of a script
        if number and (left < 0 or n_bytes > left + rules.front_bytes):
            return [*cards[:number], Node("details", {"class": "more", "closed": ""}, list(cards[number:]))]
        left -= n_bytes
    return cards


def is_entry_list(node: Node) -> bool:
    """Whether a node is a list of entries of an index page."""
    return node.name == "ul" and node.attributes.get("class", "").startswith("entries")


def list_cards(source: PhoneSource, page: PhonePage) -> list[BlockCard]:
    """The cards of the blocks that have kept text, or entries though they have none, in reading order.

    All text of an entry goes to the card of the block that has its record: the segmentation may cut an entry of a long
    list.
    """

    def find_block(row: int) -> int:
        number = source.find_record(row)
        return source.records[number][0] if number >= 0 else source.find_block(row)

    nodes = pieces.gather_places(pieces.divide(source.flow.find_nodes(), find_block))
    cards = [
        read_block(block, nodes.pop(block.number, []), source, page.rules)
        for block in source.blocks
        if block.number in nodes or (block.kept and block.records)
    ]
    # kept text in no semantic block is still kept text: a card at the end
    loose = [node for found in nodes.values() for node in found]
    return [*cards, BlockCard("more", before=loose)] if loose else cards


def read_block(block: Block, nodes: list[Node], source: PhoneSource, rules: Phone) -> BlockCard:
    """The card of a block. nodes: those with its text."""
    if not block.kept:  # what is left of it is text: its heading and its records say what was dropped
        return BlockCard(block.id, importance=block.importance, before=nodes)
    find_entry = pieces.index_spans(source.spans[block.number]) if block.records else lambda _: -1
    placed = pieces.divide(nodes, find_entry) if block.records else []
    of_entry = pieces.gather_places(placed)
    inside = [node for number, node in placed if number >= 0]
    card, name = BlockCard(block.id, block.heading, block.importance), fold(block.heading)
    # most text of a list is in its entries, and these are short
    total, n_bytes = (sum(map(pieces.measure, some)) for some in ((node for _, node in placed), inside))
    n_entries = len(of_entry.keys() - {-1})
    is_list = n_entries > 0 and n_bytes >= rules.list_share * total and n_bytes <= rules.entry_chars * n_entries
    # a text with a list in it stays a text
    if nodes and not is_list:
        is_there = name in find_headings(Node("", {}, list(nodes)))
        return replace(card, heading="" if is_there else block.heading, before=nodes)
    entries = [CardEntry(record, source.base, of_entry.get(at, [])) for at, record in enumerate(block.records)]

    def says_more(leaf: Node) -> bool:
        """Whether a line outside of the entries is neither the heading nor a sign."""
        text = read_text(leaf)
        is_heading = leaf.name in HEADINGS and fold(text) == name
        return has_letters(text) and not is_heading

    first = next((at for at, (number, _) in enumerate(placed) if number >= 0), len(placed))
    sides = ([node for number, node in rest if number < 0] for rest in (placed[:first], placed[first:]))
    before, after = ([one for one in side if any(map(says_more, pieces.list_leaves(one)))] for side in sides)
    is_of_entry = name in find_headings(Node("", {}, list(inside)))
    return replace(card, heading="" if is_of_entry else block.heading, before=before, entries=entries, after=after)


def merge_cards(cards: Sequence[BlockCard], n_run: int) -> list[BlockCard]:
    """Cards that are entries and nothing else, one after the other, become one; so do `n_run` and more of one entry
    each, whose headings then stand in the entries."""
    named: list[BlockCard] = []
    for card in cards:
        name = named[-1].lone_heading if named and card.entries and not card.before else ""
        # a heading alone is that of the list next to it, if that has no other
        if name and fold(card.heading) in ("", fold(name)):
            named[-1] = replace(card, heading=name)
        else:
            named.append(card)
    labelled: list[BlockCard] = []
    for is_lone, lone in groupby(named, key=lambda card: card.has_entries_alone and len(card.entries) == 1):
        run = list(lone)
        # teasers that are a block each: one list with a label on each, not a card after a card
        if is_lone and len(run) >= n_run:
            run = [replace(card, heading="", entries=[replace(card.entries[0], label=card.heading)]) for card in run]
        labelled += run
    merged: list[BlockCard] = []
    for is_bare, bare in groupby(labelled, key=lambda card: card.has_entries_alone and not card.heading):
        run = list(bare)
        # longer lists were judged as lists already; that of many single teasers was judged for none of them: that one
        # of an entry or two is important, were each so by chance
        unimportant = prod(1 - card.importance for card in run if len(card.entries) <= _FEW)
        importance = max(1 - unimportant, *(card.importance for card in run))
        entries = [entry for card in run for entry in card.entries]
        merged += [replace(run[0], importance=importance, entries=entries)] if is_bare else run
    return merged


def _says_anything(nodes: Iterable[Node]) -> bool:
    return any(map(str.isalnum, "".join(map(read_text, nodes))))


def list_nodes(card: BlockCard, page: PhonePage) -> list[Node]:
    """The nodes of a card: its heading, unless that is the title of the page, and the nodes below it."""
    listed, title = make_list(card.entries, page), fold(card.heading)
    # a label above the first entry may be what the list is called
    before = card.before[1:] if title and card.before and fold(read_text(card.before[0])) == title else card.before
    children = [*before, *([listed] if listed.children else []), *card.after]
    is_titled = title and title != fold(page.head.title)
    heading = [Node("h2", {}, [card.heading])] if is_titled and children else []
    return [*heading, *children]


def make_list(entries: list[CardEntry], page: PhonePage) -> Node:
    """The list of the entries, each once. One in which most have price and image, and no long text, is set as a shelf,
    in columns."""
    others = Counter(chain.from_iterable(entry.words.elements() for entry in entries))
    shown = (make_entry(entry, page, others) for entry in _list_once(entries, page.rules.label_chars))
    # shown well in a narrow column: a picture, a price, and not much to read
    wares = [one for one in (entry.record for entry in entries) if page.options.images and one.price and one.image]
    n_goods = sum(max(len(one.title), len(one.summary)) <= page.rules.shelf_chars for one in wares)
    kind = "entries shelf" if 2 * n_goods > len(entries) else "entries"
    return Node("ul", {"class": kind}, [item for item in shown if item])


def _list_once(entries: list[CardEntry], n_chars: int) -> list[CardEntry]:
    """The entries without those that say no more than one before them with their title and address does: carousels and
    layouts for several screens repeat them. n_chars: of the longest label, which says nothing more."""
    shown: dict[tuple[str, str], set[str | None]] = {}
    once: list[CardEntry] = []
    for entry in entries:
        record, is_known = entry.record, False
        if record.title and (record.url or record.summary):
            texts = (read_text(leaf).strip() for node in entry.nodes for leaf in pieces.list_leaves(node))
            more = (text for text in texts if len(text) > n_chars and not record.summary)
            says = {record.summary or None, record.price, record.date, *more}
            known = shown.setdefault((fold(record.title), (record.url or "").partition("#")[0]), set())
            is_known = bool(known) and says - {None} <= known
            known |= says | {None}
        once += [] if is_known else [entry]
    return once


_SEPARATORS: Final = " \t\n,;:·•|/–—-"
_COLONS: Final = (":", "：")


def make_entry(entry: CardEntry, page: PhonePage, others: Counter[str]) -> Node | None:
    """One entry; None if it shows nothing, or only a sign or number, such as that of a page of results. others: the
    words of all records of the list, which a line of several entries may have."""
    record, base = entry.record, entry.base
    if not (entry.says_more or record.author or has_letters(record.title)):
        return None
    # short lines, each once and with a letter, and longer ones
    labels: dict[str, Node] = {}
    texts, text, date = [], "", record.date or "\0"
    for leaf in _list_extra(entry, page, others):
        # two labels may have the same value
        name, text = text if text.endswith(_COLONS) else "", read_text(leaf).strip()
        left = text.strip(_SEPARATORS).removeprefix(date).removesuffix(date).strip(_SEPARATORS)
        if leaf.name in ("pre", "table") or len(text) > page.rules.label_chars:
            name = leaf.name if leaf.name in ("pre", "table") else "p"
            texts.append(Node(name, leaf.attributes, leaf.children, row=leaf.row))
        elif has_letters(left) or (name and left):
            # a label is often there twice, for wide and for narrow screens
            is_there_alone = date not in text or date in left  # in a line such as `by Ada 2 hours ago | discuss`
            labels.setdefault(fold(name + left), leaf if is_there_alone else leaf.copy_with([left]))
    image = sanitise_url(record.image, base, IMAGE_SCHEMES) if record.image and page.options.images else None
    children = [Node("img", {"src": image, "alt": ""})] if image else []
    children += write_title(record, base)
    facts = [Node("strong", {}, _write_price(entry, record.price))] if record.price else []
    labels.pop(fold(read_text(facts[0])) if facts else "", None)
    said = next((fold(read_text(leaf)) for leaf in labels.values() if date in read_text(leaf)), "")
    author = record.author if record.title and fold(record.author or "") not in (said or "\0") else None
    written = page.write_date(record.date) if record.date and not said else None
    facts += [Node("bdi", {}, [value]) for value in (author, written) if value]
    children += pieces.join_parts(facts)
    # some texts begin with the name of their link, which is the title
    summary = record.summary.removeprefix(record.title).strip()
    if has_letters(summary):
        children.append(Node("p", {}, [summary]))
    children += texts
    named = entry.label and not any(fold(read_text(leaf)) == fold(entry.label) for leaf in labels.values())
    parts = [Node("bdi", {}, leaf.children) for leaf in labels.values()]
    children += pieces.join_parts(parts + ([Node("bdi", {}, [entry.label])] if named else []))
    return Node("li", {}, list(children)) if _says_anything(children) else None


_WHOLE: Final = LEAVES | {"table"}


_TO: Final = frozenset("-–—~～至")
_PRICE_LABEL: Final = 20
"""Characters beside a price that say more of it: `starting at $12.00`."""


def _names_price(text: str, price: str) -> bool:
    """Whether a line is a price with a word or two: no other amount stands in it."""
    return price in text and len(text) <= len(price) + _PRICE_LABEL and len(AMOUNT.findall(text)) == 1


def _write_price(entry: CardEntry, price: str) -> list[Node | str]:
    """The price of an entry as the page writes it: with its currency, `from` before it, and what it was before."""
    for line in pieces.list_leaves(Node("", {}, list(entry.nodes))):
        text = read_text(line).strip()
        if _names_price(text, price) and fold(text) != fold(entry.record.title):
            return [text]
        rest, n_letters = text.replace(price, "", 1).strip(), sum(map(str.isalpha, text))
        is_two = price in text and n_letters <= CURRENCY and len(AMOUNT.findall(text)) == 2
        if is_two and not _TO.isdisjoint((rest[:1], rest[-1:])):
            return [text]  # `$50 - $75` is one price too
        if is_two and n_letters == 0 and AMOUNT.search(rest):
            return [price, " ", Node("del", {}, [rest])]
    return [price]


def _list_extra(entry: CardEntry, page: PhonePage, others: Counter[str]) -> Iterator[Node]:
    """The text of an entry that is neither in its record nor a button."""
    record, title = entry.record, fold(entry.record.title)
    label: list[Node] = []
    # a table that has no title of an entry is of data: its numbers say nothing without their names
    tables = pieces.list_named(entry.nodes, {"table"})
    is_data = any(len(table.children) > 1 and title not in fold(read_text(table)) for table in tables)
    for line in pieces.list_leaves(Node("", {}, list(entry.nodes)), _WHOLE if is_data else LEAVES):
        kept = line.children if line.name == "table" else pieces.leave_out_images(line.children)
        leaf = leave_out_title(line.copy_with(kept), title) if kept else None
        text = read_text(leaf).strip() if leaf else ""
        is_priced = record.price and (is_price(text, record.price) or _names_price(text, record.price))
        is_known = is_priced or page.is_button(text) or page.is_idle(text)
        # `Size:` without `Wide` says nothing, though the title has the word too
        is_value = label and len(text) <= page.rules.label_chars and any(map(str.isalnum, text))
        if leaf is None or is_known:
            label = []
        elif not is_value and is_said(leaf, entry.words, others):
            # what the record says in its summary has a heading of its own, which no value follows
            heads = label if len(text) > page.rules.label_chars else []
            yield from (head.copy_with([read_text(head).rstrip().rstrip("".join(_COLONS))]) for head in heads)
            label = []
        elif text.endswith(_COLONS):
            label = [leaf]
        else:
            yield from [*label, leaf]
            label = []


def is_said(leaf: Node, own: Counter[str], others: Counter[str]) -> bool:
    """Whether a line has no word that its record does not show; a line of several links, that no record shows."""
    words = count_words(read_text(leaf))
    links = sum(isinstance(child, Node) and child.name == "a" for child in leaf.children)
    # a row of links to several entries, such as `1 2 3` or a list of their titles, is said by the list itself
    is_of_several = links > 1 and all(others[word] >= count for word, count in words.items())
    return is_of_several or words.keys() <= own.keys()


def leave_out_title(leaf: Node, title: str) -> Node | None:
    """A line without the link or text that is the title, which stands above; None if a label is all that is left."""
    if not title or title not in fold(read_text(leaf)):
        return leaf
    left = [child for child in leaf.children if fold(child if isinstance(child, str) else read_text(child)) != title]
    ends = (leaf.children[0], leaf.children[-1])
    # in the middle of a line it is a word of it
    rest = leaf.copy_with(left if len(left) + 1 == len(leaf.children) and any(one not in left for one in ends) else [])
    if has_letters(read_text(rest)) and len(left) < len(leaf.children):
        return rest
    before, _, after = fold(read_text(leaf)).partition(title)
    # `Last post: The mill` says nothing more where the title stands above
    return None if not has_letters(after) and before.rstrip().endswith(_COLONS) else leaf


def write_title(record: Record, base: str | None) -> list[Node]:
    """The title of an entry as a link if it leads anywhere, or its author's name."""
    title = record.title or record.author or ""
    # the address of a post is that of its date, of a button or of a link in its text: none leads to its author
    url = sanitise_url(record.url, base) if record.url and record.title else None
    if not title:
        return []
    return [Node("a", {"href": url}, [title]) if url else Node("strong", {}, [title])]
