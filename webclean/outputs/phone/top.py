"""Clean elements of a page -> its head: the title first, then one line of author, date and site, and the rest.

    p     Home of news                      h1    Two cranes
    h1    Two cranes                  ->    .meta By Ada Lind, 6 May 2024 · example.org
    p     By Ada Lind, 6 May 2024           p     Home of news
    p     The harbour ...                   p     The harbour ...

What the page writes of author and date is moved, not repeated: a line that it has of its own stands for what is known.
"""

from __future__ import annotations

from dataclasses import dataclass

from webclean.outputs.flow import Node
from webclean.outputs.flow.head import Head
from webclean.outputs.flow.headline import fold
from webclean.outputs.flow.nodes import HEADINGS, read_text
from webclean.outputs.flow.sanitise import IMAGE_SCHEMES, sanitise_url
from webclean.outputs.phone.pieces import leave_out_images
from webclean.outputs.phone.wording import says_date, says_names, write_date
from webclean.parse.url import split_url
from webclean.rules.uses_schema import Phone


@dataclass(frozen=True, slots=True)
class Top:
    """title: h1 or None. meta: lines below it. rest: what follows."""

    title: Node | None
    meta: list[Node]
    rest: list[Node]


def split_top(head: Head, nodes: list[Node], rules: Phone) -> Top:
    """Take the title and the by-line out of the first nodes of a page."""
    at = find_title(nodes, head.title, rules.title_nodes)
    title = make_title(head.title, nodes[at] if at >= 0 else None)
    around = range(max(0, at - rules.byline_nodes), min(len(nodes), max(at, 0) + rules.byline_nodes + 1))
    lines = [number for number in around if number != at and is_byline(nodes[number], head, rules)]
    written = " ".join(read_text(nodes[number]) for number in lines)
    taken = {at, *lines}
    meta = [_as_meta(leave_out_images(nodes[number].children)) for number in lines]
    known = write_meta(
        "" if says_names(written, head.author) else head.author,
        "" if says_date(written, head.date) else head.date[:10],
        head.url,
    )
    if known:
        meta.append(known)
    return Top(title, meta, [node for number, node in enumerate(nodes) if number not in taken])


def find_title(nodes: list[Node], title: str, n_nodes: int) -> int:
    """Place of the title among the first nodes: of a heading, else of a line that says just that; -1 if it is not
    there."""
    wanted = fold(title)
    for names in (HEADINGS, ("p",)) if wanted else ():
        for number, node in enumerate(nodes[:n_nodes]):
            if node.name in names and fold(read_text(node)) == wanted:
                return number
    return -1


def make_title(title: str, shown: Node | None) -> Node | None:
    """The first heading: that of the page with what it holds, else its title."""
    if shown is not None:
        return Node("h1", shown.attributes, shown.children)
    return Node("h1", {}, [" ".join(title.split())]) if title.strip() else None


def is_byline(node: Node, head: Head, rules: Phone) -> bool:
    """Whether a node is a short line that names the author or says the date, and little else."""
    if node.name != "p":
        return False
    text = read_text(node).strip()
    if not text or len(text) > rules.byline_chars:
        return False
    more = rules.byline_chars // 2
    if head.author and says_names(text, head.author) and len(text) <= len(head.author) + more:
        return True
    return says_date(text, head.date) and len(text) <= more


def write_meta(author: str, date: str, url: str) -> Node | None:
    """One line of what is known, each part isolated from the direction of the others; None if nothing is."""
    parts: list[Node] = [Node("bdi", {}, [value]) for value in (author, write_date(date)) if value]
    host = split_url(url).hostname if sanitise_url(url, None, IMAGE_SCHEMES) else None
    if host:
        parts.append(Node("bdi", {}, [Node("a", {"href": url}, [host])]))
    return join_parts(parts) if parts else None


def join_parts(parts: list[Node]) -> Node:
    """Parts of one line with a dot between them; what is said of a name and a colon follows it without."""
    children: list[Node | str] = []
    is_named = False
    for part in parts:
        children += [" " if is_named else " · ", part] if children else [part]
        is_named = read_text(part).rstrip().endswith((":", "：", "︰"))
    return _as_meta(children)


def _as_meta(children: list[Node | str]) -> Node:
    return Node("p", {"class": "meta"}, list(children))
