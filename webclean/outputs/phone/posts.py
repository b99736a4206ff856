"""A post of a thread: who, when, and then what, as it was written."""

from __future__ import annotations

from collections.abc import Iterator

from webclean.model import Record
from webclean.outputs.flow import Node
from webclean.outputs.flow.headline import fold
from webclean.outputs.flow.nodes import HEADINGS, INLINE, LEAVES, read_text
from webclean.outputs.phone.top import join_parts
from webclean.outputs.phone.wording import says_date, write_date
from webclean.parse.url import split_url
from webclean.rules.uses_schema import Phone


def is_post(record: Record) -> bool:
    """Whether a record says who wrote it or when."""
    return bool(record.author or record.date)


def leads_on(record: Record, url: str) -> bool:
    """Whether the title of a record is a link to another page than the one at `url`, as that of a topic in a list of
    topics is; posts link to themselves, below the address of their page or with another query."""
    if not record.title or not record.url or not url:
        return False
    target, here = split_url(record.url), split_url(url)
    return not (target.hostname in (None, here.hostname) and target.path.rstrip("/").startswith(here.path.rstrip("/")))


def make_post(record: Record, nodes: list[Node], rules: Phone) -> Node:
    """A post under a line of its author and time. Lines of the page that say no more than that are moved there;
    rules between posts are left out."""
    moved = [line for node in nodes for line in _list_lines(node) if _is_signature(line, record, rules)]
    written = [read_text(line) for line in moved]
    name = record.author or _find_name(record, nodes)
    names: list[Node] = []
    dates: list[Node] = []
    if name and not any(fold(name) == fold(text) for text in written):
        names.append(Node("strong", {}, [name]))
    for line in moved:
        is_date = says_date(read_text(line), record.date or "")
        (dates if is_date else names).append(Node("bdi" if is_date else "strong", {}, line.children))
    if record.date and not dates:
        dates.append(Node("bdi", {}, [write_date(record.date)]))
    body = [node for node in drop_nodes(nodes, {id(line) for line in moved}) if node.name != "hr"]
    line = join_parts([*names, *dates])
    line.attributes["class"] = "by"
    return Node("article", {"class": "post"}, [line, *body])


def _find_name(record: Record, nodes: list[Node]) -> str:
    """The title of a record without an author, where the text does not say it: who wrote a post, or its subject."""
    text = fold(" ".join(read_text(line) for node in nodes for line in _list_lines(node)))
    return "" if fold(record.title) in text else record.title


def _list_lines(node: Node) -> Iterator[Node]:
    """The nodes at and below one that hold text and inline elements alone."""
    below = [child for child in node.find_nodes() if child.name not in INLINE]
    if not below:
        yield node
    for child in below:
        yield from _list_lines(child)


def _is_signature(line: Node, record: Record, rules: Phone) -> bool:
    """Whether a line is the author's name, or a date and little else."""
    text = read_text(line).strip()
    if not text or line.name == "pre":
        return False
    if record.author and fold(text) == fold(record.author):
        return True
    is_short = len(text) <= rules.byline_chars // 2 and line.name not in HEADINGS
    return is_short and says_date(text, record.date or "")


def drop_nodes(nodes: list[Node], ids: set[int]) -> list[Node]:
    """The nodes without those of some identities, at any depth, and without what is empty then."""
    if not ids:
        return nodes
    return [kept for node in nodes if (kept := _drop(node, ids)) is not None]


def _drop(node: Node, ids: set[int]) -> Node | None:
    if id(node) in ids:
        return None
    if node.name in LEAVES or node.name in INLINE or not node.children:
        return node
    children = [child if isinstance(child, str) else _drop(child, ids) for child in node.children]
    kept = [child for child in children if child is not None]
    return Node(node.name, node.attributes, kept, node.is_line, node.row) if kept else None
