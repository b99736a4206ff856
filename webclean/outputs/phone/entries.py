"""Records of a block and the clean elements they were read from -> entries of a list, each whole and without litter.

An entry shows what its record holds: title, link, image, price, author, date, summary. What else the page shows in it
follows: longer texts as they are, labels on one line. Signs without a letter (bullets, page numbers, `<`) do not.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from webclean.model import Record
from webclean.outputs.flow import Node
from webclean.outputs.flow.headline import fold
from webclean.outputs.flow.nodes import read_text
from webclean.outputs.flow.sanitise import IMAGE_SCHEMES, sanitise_url
from webclean.outputs.phone.pieces import leave_out_images, list_leaves
from webclean.outputs.phone.top import join_parts
from webclean.outputs.phone.wording import count_words, has_letters, write_date
from webclean.rules.uses_schema import Phone


@dataclass(slots=True)
class CardEntry:
    """A record and the nodes of it that are shown. label: what else is said of it."""

    record: Record
    nodes: list[Node] = field(default_factory=list)
    label: str = ""


def make_list(entries: list[CardEntry], base: str | None, rules: Phone, *, images: bool, others: Counter[str]) -> Node:
    """The list of the entries. others: the words of all records of the block, which a line of several entries may have.

    A list in which most entries have price and image, and no long text, is set as a shelf, in columns.
    """
    items: list[Node | str] = [
        item for entry in entries if (item := make_entry(entry, base, rules, images=images, others=others))
    ]
    n_goods = sum(images and _is_ware(entry.record, rules) for entry in entries)
    return Node("ul", {"class": "entries shelf" if 2 * n_goods > len(entries) else "entries"}, items)


def _is_ware(record: Record, rules: Phone) -> bool:
    """Whether a record is shown well in a narrow column: a picture, a price, and not much to read."""
    longest = max(len(record.title), len(record.summary))
    return bool(record.price and record.image) and longest <= rules.shelf_chars


def make_entry(
    entry: CardEntry, base: str | None, rules: Phone, *, images: bool, others: Counter[str] | None = None
) -> Node | None:
    """One entry; None if it shows nothing."""
    record = entry.record
    if is_litter(record):
        return None
    own = count_record(record)
    extra = [leaf for leaf in map(_drop_images, list_leaves(Node("", {}, list(entry.nodes)))) if leaf is not None]
    extra = [left for leaf in extra if (left := _without_title(leaf, fold(record.title))) is not None]
    extra = [leaf for leaf in extra if not is_said(leaf, own, others or Counter())]
    labels, texts = split_labels(extra, rules.label_chars)
    children = [*_write_image(record, base, images=images), *write_title(record, base)]
    children += _write_facts(record)
    if record.summary and not _repeats(record.summary, texts):
        children.append(Node("p", {}, [record.summary]))
    children += texts
    named = entry.label and not any(fold(read_text(leaf)) == fold(entry.label) for leaf in labels)
    parts = [Node("bdi", {}, leaf.children) for leaf in labels]
    parts += [Node("bdi", {}, [entry.label])] if named else []
    if parts:
        children.append(join_parts(parts))
    return Node("li", {}, list(children)) if any(child.name != "img" for child in children) else None


def is_litter(record: Record) -> bool:
    """Whether a record is only a sign or number, such as that of a page of results."""
    says = (record.summary, record.date, record.price, record.author, record.image)
    return not any(says) and not has_letters(record.title)


def count_record(record: Record) -> Counter[str]:
    """The words of what an entry shows of a record."""
    shown = (record.title, record.summary, record.date, record.price, record.author)
    return count_words(" ".join(value for value in shown if value))


def is_said(leaf: Node, own: Counter[str], others: Counter[str]) -> bool:
    """Whether a line has no word that its record does not show; a line of several links, that no record shows."""
    words = count_words(read_text(leaf))
    links = sum(isinstance(child, Node) and child.name == "a" for child in leaf.children)
    if links > 1 and all(others[word] >= count for word, count in words.items()):
        return True
    return all(word in own for word in words)


def split_labels(leaves: list[Node], label_chars: int) -> tuple[list[Node], list[Node]]:
    """Short lines, each once and with a letter, and longer ones."""
    labels: dict[str, Node] = {}
    texts = []
    for leaf in leaves:
        text = read_text(leaf).strip()
        if leaf.name == "pre" or len(text) > label_chars:
            texts.append(Node("p" if leaf.name != "pre" else "pre", leaf.attributes, leaf.children, row=leaf.row))
        elif has_letters(text):
            labels.setdefault(fold(text), leaf)
    return list(labels.values()), texts


def _without_title(leaf: Node, title: str) -> Node | None:
    """A line without the link or text that is the title, which stands above; None if a label is all that is left."""
    if not title or title not in fold(read_text(leaf)):
        return leaf
    left = [child for child in leaf.children if fold(child if isinstance(child, str) else read_text(child)) != title]
    rest = Node(leaf.name, leaf.attributes, left, leaf.is_line, leaf.row)
    return rest if len(left) < len(leaf.children) and has_letters(read_text(rest)) else _without_label(leaf, title)


def _without_label(leaf: Node, title: str) -> Node | None:
    """None for a line of a label and the title, else the line."""
    before, _, after = fold(read_text(leaf)).partition(title)
    return None if not has_letters(after) and before.rstrip().endswith((":", "：")) else leaf


def _drop_images(leaf: Node) -> Node | None:
    """A line without its images, which the entry shows as one; None if nothing is left."""
    children = leave_out_images(leaf.children)
    return Node(leaf.name, leaf.attributes, children, leaf.is_line, leaf.row) if children else None


def _write_image(record: Record, base: str | None, *, images: bool) -> list[Node]:
    image = sanitise_url(record.image, base, IMAGE_SCHEMES) if record.image and images else None
    return [Node("img", {"src": image, "alt": ""})] if image else []


def write_title(record: Record, base: str | None) -> list[Node]:
    """The title of an entry, or its author's name, as a link if it leads anywhere."""
    title = record.title or record.author or ""
    url = sanitise_url(record.url, base) if record.url else None
    if not title:
        return []
    return [Node("a", {"href": url}, [title]) if url else Node("strong", {}, [title])]


def _write_facts(record: Record) -> list[Node]:
    parts = [Node("strong", {}, [record.price])] if record.price else []
    if record.author and record.title:
        parts.append(Node("bdi", {}, [record.author]))
    if record.date:
        parts.append(Node("bdi", {}, [write_date(record.date)]))
    return [join_parts(parts)] if parts else []


def _repeats(summary: str, texts: list[Node]) -> bool:
    """Whether longer texts of the entry have most words of its summary."""
    words = count_words(summary)
    shown = count_words(" ".join(read_text(text) for text in texts))
    return 2 * (words & shown).total() > words.total()
