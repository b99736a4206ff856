"""The content of a page -> self-contained HTML documents for a small screen, without scripts or external styles.

    sources ─ lay_out ─> nodes ─ split_top ─> title, by-line
                                          └─> rest ─ gather, adapt, level headings ─> page

What is shown, and how, depends on the kind of page: a text in order, with a list of its headings; a thread post by
post, each with author and time; a product with its pictures and price first; an index page as one card for each
semantic block, the most important first (patent A8: phones show a page by block), with the entries of the block.

At the head of a page stands the title, then one line of author, date and site, and the rest:

    p     Home of news                      h1    Two cranes
    h1    Two cranes                  ->    .meta By Ada Lind, 6 May 2024 · example.org
    p     By Ada Lind, 6 May 2024           p     Home of news
    p     The harbour ...                   p     The harbour ...

What the page writes of author and date is moved, not repeated: a line that it has of its own stands for what is known.

The template (`page.html`) writes an HTML document that needs nothing but its images.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from webclean.outputs.flow import HEADINGS, Head, Node, fold, read_text
from webclean.outputs.flow.addresses import IMAGE_SCHEMES, sanitise_url
from webclean.outputs.flow.lines import says_date, says_names
from webclean.outputs.html import render_blocks
from webclean.outputs.phone import pieces
from webclean.outputs.phone.adapt import adapt_nodes, gather_images
from webclean.outputs.phone.index_cards import is_entry_list
from webclean.outputs.phone.layouts import lay_out, set_product
from webclean.outputs.phone.pieces import UNSIGNED, Layout, PhoneOptions, PhonePage, PhoneSource
from webclean.parse.url import split_url
from webclean.rules.segments_schema import Phone

if TYPE_CHECKING:
    from jinja2 import Template

__all__ = ["UNSIGNED", "Layout", "PhoneOptions", "PhonePage", "PhoneSource", "render_phone"]


def render_phone(page: PhonePage) -> str:
    """The document of a page."""
    laid_out = lay_out(page)
    if not laid_out:  # a page without text: the image and the description that it states
        image = sanitise_url(page.image, None, IMAGE_SCHEMES) if page.image and page.options.images else None
        laid_out = [Node("img", {"src": image, "alt": ""})] if image else []
        laid_out += [Node("p", {}, [page.description])] if page.description else []
    title, top, rest = split_top(page, laid_out)
    first, rest = set_product(rest, page) if page.layout is Layout.PRODUCT else ([], rest)
    nodes = adapt_nodes(gather_images(rest, page.labels.photos), page.options)
    level_headings(nodes)
    top = adapt_nodes([*top, *first], page.options)
    if title is not None:
        made = adapt_nodes([Node("span", {}, title.children)], page.options)  # a paragraph of signs alone is left out
        top.insert(0, Node("h1", dict(title.attributes), made[0].children if made else [read_text(title)]))
    contents = list_contents(nodes, page.rules)
    n_lists = sum(is_entry_list(inner) for outer in nodes for inner in outer.walk())
    for node in nodes:
        fold_lists(node, page.rules.shown_entries if n_lists > 1 else page.rules.shown_alone, page.labels.rest)
    return _load_template().render(
        page=page,
        options=page.options,
        direction=next((one.flow.attributes["dir"] for one in page.sources if "dir" in one.flow.attributes), ""),
        top=top,
        contents=list(pieces.list_runs(contents)),
        # manuals are looked up, articles are read: there a list of headings would push the text off the screen
        is_open=page.layout is Layout.DOCUMENTATION and len(contents) <= page.rules.contents_open,
        pieces=pieces.list_runs(
            (node.attributes.get("class", "") if node.name in _APART_FROM_TEXT else "", node) for node in nodes
        ),
    )


_APART_FROM_TEXT: Final = frozenset(("section", "article", "details"))
"""Elements of cards, of posts, and of what is closed below a text."""


def split_top(page: PhonePage, nodes: list[Node]) -> tuple[Node | None, list[Node], list[Node]]:
    """The title, h1 or None, the lines below it, and what follows."""
    rules = page.rules
    # each post says who wrote it and when, and no other date is that of the thread
    is_signed = page.layout not in UNSIGNED and not any(node.attributes.get("class") == "post" for node in nodes)
    head = page.head if is_signed else replace(page.head, author="", date="")
    at = find_title(nodes, head.title, rules.title_nodes)
    title = Node("h1", {}, [" ".join(head.title.split())]) if head.title.strip() else None
    if at >= 0:  # that of the page, with what it holds
        title = Node("h1", nodes[at].attributes, nodes[at].children)
    # by-lines stand above titles too; further down a date is one of the text
    around = range(max(0, at - rules.byline_nodes), min(len(nodes), max(at, 0) + rules.byline_nodes + 1))
    lines = [number for number in around if number != at and is_byline(nodes[number], head, rules)]
    written = " ".join(read_text(nodes[number]) for number in lines)
    taken = {at, *lines}
    # icons and portraits are as large as the screen in a line of their own
    meta = [Node("p", {"class": "meta"}, pieces.leave_out_images(nodes[number].children)) for number in lines]
    author = "" if says_names(written, head.author) else head.author
    date = "" if says_date(written, head.date) else page.write_date(head.date[:10])
    # each part is isolated from the direction of the others
    parts = [Node("bdi", {}, [value]) for value in (author, date) if value]
    if host := split_url(head.url).hostname if sanitise_url(head.url, None, IMAGE_SCHEMES) else None:
        parts.append(Node("bdi", {}, [Node("a", {"href": head.url}, [host])]))
    number, call = page.telephone
    if number and not any(number in read_text(node) for node in nodes):
        parts.append(Node("bdi", {}, [Node("a", {"href": call}, [number])]))
    return title, meta + pieces.join_parts(parts), [node for number, node in enumerate(nodes) if number not in taken]


def find_title(nodes: list[Node], title: str, n_nodes: int) -> int:
    """Place of the title among the first nodes: of a heading, else of a line that says just that; -1 if it is not
    there."""
    wanted = fold(title)
    texts = [fold(read_text(node)) if node.name in HEADINGS or node.name == "p" else "" for node in nodes[:n_nodes]]
    heads = [at for at in range(len(texts)) if nodes[at].name in HEADINGS]
    # a line of text only where no heading says it: leads repeat the title
    places = [*heads, *(at for at in range(len(texts)) if nodes[at].name == "p")]
    return next((at for at in places if wanted and texts[at] == wanted), -1)


def is_byline(node: Node, head: Head, rules: Phone) -> bool:
    """Whether a node is a short line that names the author or says the date, and little else."""
    if node.name != "p":
        return False
    text = read_text(node).strip()
    # `By Ada Lind, our correspondent in Riga` is one; a sentence that names her is none
    more = rules.byline_chars // 2
    if head.author and says_names(text, head.author) and len(text) <= len(head.author) + more:
        return True
    return says_date(text, head.date) and len(text) <= more


_COMMENT: Final = re.compile(r"/\*.*?\*/")


@cache
def _load_template() -> Template:
    """The template of a document, compiled once a process."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415  other formats do without, and this takes 40 ms
    from markupsafe import Markup  # noqa: PLC0415

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["markup"] = lambda nodes: Markup("\n".join(render_blocks(nodes)))
    style = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
    environment.globals["style"] = Markup(_COMMENT.sub("", style).replace("\n", ""))
    return environment.from_string(Path(__file__).with_name("page.html").read_text(encoding="utf-8"))


_FEW: Final = 2
"""Entries that are not worth folding away."""


def fold_lists(whole: Node, shown: int, label: str) -> None:
    """Fold away, in place, what lists of entries have beyond the first `shown`: a page is an outline first. label: of
    the rest, with `{}` for the number of its entries."""
    for node in list(whole.walk()):
        for at, child in reversed(list(enumerate(node.children))):
            if not (isinstance(child, Node) and is_entry_list(child) and len(child.children) > shown + _FEW):
                continue
            first, rest = child.copy_with(child.children[:shown]), child.copy_with(child.children[shown:])
            summary = Node("summary", {}, [label.replace("{}", str(len(rest.children)))])
            node.children[at : at + 1] = [first, Node("details", {"class": "rest", "closed": ""}, [summary, rest])]


_APART: Final = frozenset(("li", "article", "details", "table", "blockquote"))
"""Elements whose headings are none of the page's own."""


def level_headings(nodes: list[Node]) -> None:
    """Change the levels of the headings, in place, so that none is skipped below the title: screen readers navigate by
    them, while pages choose them by size."""
    above: list[int] = []
    for heading in pieces.list_named(nodes, HEADINGS):
        level = int(heading.name[1])
        while above and above[-1] >= level:
            above.pop()
        above.append(level)
        heading.name = f"h{min(len(above) + 1, 6)}"


def list_contents(nodes: list[Node], rules: Phone) -> list[tuple[int, tuple[str, str]]]:
    """Give each heading of the page's own an id, in place. (Level, (id, text)) of the headings of the first two levels,
    or of the first alone where there are too many; none if there are few."""
    # headings of entries and posts are too many for a list of contents, and all alike
    found = ((one, " ".join(read_text(one).split())) for one in pieces.list_named(nodes, HEADINGS, _APART))
    named = [(one, text) for one, text in found if text]
    for number, (heading, _) in enumerate(named, start=1):
        heading.attributes["id"] = f"h{number}"
    levels = sorted({heading.name for heading, _ in named})
    # the second level is left out before the whole list is
    for n_levels in (2, 1):
        shown = levels[:n_levels]
        listed = ((one, text) for one, text in named if one.name in shown)
        made = [(shown.index(one.name) + 1, (one.attributes["id"], text)) for one, text in listed]
        if rules.contents_headings <= len(made) <= rules.contents_entries:
            return made
    return []
