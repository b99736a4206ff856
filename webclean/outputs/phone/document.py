"""What a phone page is made of, what its caller chooses, and what the template (`page.html`) fills in to write one part
of it: an HTML document that needs nothing but its images, with a list of contents that leads to its headings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from webclean.caching import cached_property
from webclean.model import Block, Rows
from webclean.outputs.flow import Node
from webclean.outputs.flow.nodes import HEADINGS, Head, fold, read_text
from webclean.outputs.html import render_blocks
from webclean.outputs.phone.pieces import Spans, divide, list_leaves, list_named, list_runs
from webclean.rules.outputs_schema import Phone, PhoneLabels

if TYPE_CHECKING:
    from jinja2 import Template


class Layout(StrEnum):
    """How the content of a page is set: as a text, as posts, as a product, as a manual, or as ranked cards."""

    ARTICLE = "article"
    THREAD = "thread"
    PRODUCT = "product"
    DOCUMENTATION = "documentation"
    INDEX = "index"


UNSIGNED: Final = frozenset((Layout.INDEX, Layout.PRODUCT))
"""What fields call the author of goods is the shop or a reviewer, that of a list the author of an entry: their pages
say neither author nor date at the top."""


SIZES: Final = (85, 100, 120, 145, 175)
"""Sizes of text that a reader may choose, per cent of that of the browser; steps of about a fifth are seen."""
THEMES: Final = ("light", "dark")


@dataclass(frozen=True, slots=True)
class Look:
    """What a reader chose. size: of the text, one of `SIZES`. theme: one of `THEMES`, or '' for that of the device."""

    size: int = 100
    theme: str = ""

    def list_changes(self) -> Iterator[tuple[str, Look]]:
        """The name of each step that a reader may take from here (a label of the rules), and where it leads."""
        at = SIZES.index(self.size)
        yield from (("smaller", replace(self, size=size)) for size in SIZES[max(0, at - 1) : at])
        yield from (("larger", replace(self, size=size)) for size in SIZES[at + 1 : at + 2])
        yield from ((theme, replace(self, theme=theme)) for theme in THEMES if theme != self.theme)


@dataclass(frozen=True, slots=True)
class PhoneOptions:
    """What a phone page shows, and where its links lead.

    images: whether it has images. link: a link's address -> the address that is written, such as that of a server that
    renders the target for phones as well. image: an image's address -> the one that is written, such as a `data:` URL,
    or None to leave the image out; its alternative text then stays. offline: the page may load nothing, not even
    images, but `data:` URLs. part_bytes: bytes of text of one part, instead of those of the rules. name_part: number of
    a part, from 1 -> its address, by default `2.html`. look: what the reader chose. change_look: a look -> the address
    of the page in it, with which the page has links to bigger and smaller text and to light and dark.
    """

    images: bool = True
    link: Callable[[str], str] | None = None
    image: Callable[[str], str | None] | None = None
    offline: bool = False
    part_bytes: int | None = None
    name_part: Callable[[int], str] = "{}.html".format
    look: Look = field(default_factory=Look)
    change_look: Callable[[Look], str] | None = None


@dataclass(frozen=True, eq=False)
class PhoneSource:
    """The content of one page, or of one page of several that are joined.

    flow: the clean elements of the kept text. blocks: all semantic blocks; `Block.number` is the index in `spans` and
    what `owner` holds. owner: [n_elements], number of the semantic block around an element. spans: for each block, for
    each of its records, the rows of the elements it was read from, `(first, end)`. base: what relative URLs of records
    are relative to.
    """

    flow: Node
    blocks: Sequence[Block] = ()
    owner: Rows | Sequence[int] = ()
    spans: Sequence[Sequence[tuple[int, int]]] = ()
    base: str | None = None

    @cached_property
    def records(self) -> tuple[list[tuple[int, int]], Spans]:
        """(Block, number in its records) of all records of the page, and their spans in the same order."""
        places = [(number, at) for number, spans in enumerate(self.spans) for at in range(len(spans))]
        return places, Spans([self.spans[number][at] for number, at in places])

    @cached_property
    def headlines(self) -> frozenset[str]:
        """The titles, folded, of the records that say more than a title."""
        records = (record for block in self.blocks for record in block.records)
        return frozenset(fold(one.title) for one in records if one.url and (one.image or one.summary or one.date))

    @cached_property
    def texts(self) -> dict[int, str]:
        """The text in the span of each of `records` that has some, and of what is in none under -1."""
        lines: dict[int, list[str]] = {}
        for number, node in divide(self.flow.find_nodes(), self.records[1].find):
            lines.setdefault(number, []).extend(map(read_text, list_leaves(node)))
        return {number: "\n".join(found) for number, found in lines.items()}

    @cached_property
    def shown(self) -> frozenset[tuple[int, int]]:
        """(Block, number in its records) of the records with a text."""
        return frozenset(self.records[0][number] for number in self.texts if number >= 0)

    def find_block(self, row: int) -> int:
        """Number of the semantic block of an element, -1 if it is in none."""
        return int(self.owner[row]) if 0 <= row < len(self.owner) else -1


@dataclass(frozen=True, slots=True, eq=False)
class PhonePage:
    """All that a phone page is made of. price, image: of a product, '' if not known. is_button: whether a text is the
    name of a button, or a rating, which an entry does without."""

    head: Head
    layout: Layout
    sources: Sequence[PhoneSource]
    rules: Phone
    price: str = ""
    image: str = ""
    options: PhoneOptions = field(default_factory=PhoneOptions)
    is_button: Callable[[str], object] = lambda _: False

    @property
    def labels(self) -> PhoneLabels:
        """What the page itself says, in its language if the rules know it."""
        code = self.head.language.lower().partition("-")[0]
        return self.rules.labels.get(code) or self.rules.labels["en"]


@dataclass(frozen=True, slots=True)
class PhoneDocument:
    """One part of a page. top: title, by-line and what else stands above all parts' text. places: id of an element ->
    the part that it is in; empty where the page is whole."""

    top: list[Node]
    contents: list[Heading]
    nodes: list[Node]
    number: int = 1
    n_parts: int = 1
    places: Mapping[str, int] = field(default_factory=dict)


def write_document(page: PhonePage, part: PhoneDocument) -> str:
    """A document that needs nothing but its images."""
    is_whole, look, change_look = part.n_parts == 1, page.options.look, page.options.change_look
    direction = next((source.flow.attributes["dir"] for source in page.sources if "dir" in source.flow.attributes), "")
    nodes = part.nodes if is_whole else [_retarget(node, page, part) for node in part.nodes]
    # an element that stands for a part of the layout is known by its class
    named = [
        (kind if (kind := _KINDS.get(node.name, "")) == node.attributes.get("class", "") else "", node)
        for node in nodes
    ]
    return _load_template().render(
        title=page.head.title,
        language=page.head.language,
        direction=direction,
        labels=page.labels,
        look=look,
        changes=[(name, change_look(made)) for name, made in look.list_changes()] if change_look else [],
        is_offline=page.options.offline,
        # later parts have the title, for they may be opened by themselves
        top=part.top if part.number == 1 else [node for node in part.top if node.name == "h1"],
        contents=list(list_runs((heading.level, heading) for heading in part.contents if part.number == 1)),
        # manuals are looked up, articles are read: there a list of headings would push the text off the screen
        is_open=page.layout is Layout.DOCUMENTATION and len(part.contents) <= page.rules.contents_open,
        find_address=partial(_find_address, page=page, part=part),
        pieces=list(list_runs(named)),
        number=part.number,
        n_parts=part.n_parts,
        name_part=page.options.name_part,
    )


_KINDS: Final = {"section": "card", "article": "post", "details": "more"}
"""Element that stands for a part of the layout -> its class, by which the template knows it."""


@cache
def _load_template() -> Template:
    """The template of a document, compiled once a process."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415  other formats do without, and this takes 40 ms
    from markupsafe import Markup  # noqa: PLC0415

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["markup"] = lambda nodes: Markup("\n".join(render_blocks(nodes)))
    environment.filters["style"] = lambda body, *about: Markup(choose_style(body, *about))
    return environment.from_string(Path(__file__).with_name("page.html").read_text(encoding="utf-8"))


def _find_address(anchor: str, page: PhonePage, part: PhoneDocument) -> str:
    """The address of an element of the page, which may be in another part."""
    place = part.places.get(anchor, part.number)
    return f"#{anchor}" if place == part.number else f"{page.options.name_part(place)}#{anchor}"


def _retarget(node: Node, page: PhonePage, part: PhoneDocument) -> Node:
    """The node with links between references and notes that lead to the part where the other is."""
    if node.name == "noteref":
        # notes stand at the end of a text, mostly in its last part
        address = _find_address(f"note-{node.attributes['label']}", page, part)
        named = {"id": node.attributes["id"]} if "id" in node.attributes else {}
        if address.startswith("#"):
            return node
        return Node("sup", {}, [Node("a", {"href": address} | named, node.children)])
    if back := node.attributes.get("back"):
        attributes = node.attributes | {"back": _find_address(back[1:], page, part)}
        node = Node(node.name, attributes, node.children, node.is_line, node.row)
    if node.name == "math" or not any(isinstance(child, Node) for child in node.children):
        return node
    children = [child if isinstance(child, str) else _retarget(child, page, part) for child in node.children]
    return node.copy_with(children)


_APART = frozenset(("li", "article", "details", "table", "blockquote"))
"""Elements whose headings are none of the page's own."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading in the list of contents. level: 1 for the first that the list has."""

    anchor: str
    text: str
    level: int


def level_headings(nodes: list[Node]) -> None:
    """Give the headings, in place, levels of which none is left out below that of the title, by which screen readers
    lead: pages choose them by their size."""
    above: list[int] = []
    for heading in list_named(nodes, HEADINGS):
        level = int(heading.name[1])
        while above and above[-1] >= level:
            above.pop()
        above.append(level)
        heading.name = f"h{min(len(above) + 1, 6)}"


def mark_headings(nodes: list[Node]) -> list[tuple[Node, str]]:
    """Give each heading of the page's own an id, in place; all of them with their text, in order."""
    # headings of entries and posts are too many for a list of contents, and all alike
    named = [
        (node, text) for node in list_named(nodes, HEADINGS, _APART) if (text := " ".join(read_text(node).split()))
    ]
    for number, (node, _) in enumerate(named, start=1):
        node.attributes["id"] = f"h{number}"
    return named


def list_contents(headings: list[tuple[Node, str]], rules: Phone) -> list[Heading]:
    """The headings of the first two levels, or of the first alone where there are too many; none if there are few."""
    levels = sorted({node.name for node, _ in headings})
    # the second level is left out before the whole list is
    for n_levels in (2, 1):
        shown = levels[:n_levels]
        made = [
            Heading(node.attributes["id"], text, shown.index(node.name) + 1)
            for node, text in headings
            if node.name in shown
        ]
        if rules.contents_headings <= len(made) <= rules.contents_entries:
            return made
    return []


_SECTION: Final = re.compile(r"^/\* (all|with|script|print with|print)(?: ([^*]+?))? \*/$", re.MULTILINE)
"""The comment that begins a section of the style sheet: its kind, and signs with bars between them."""
_TAG: Final = re.compile(r"<\w+")
_CLASS: Final = re.compile(r'class="[^"]*"')
_IDEOGRAPHIC: Final = ("zh", "ja", "ko")


@cache
def _read_style() -> list[tuple[str, tuple[str, ...], str]]:
    """Kind, signs and rules of each section of the style sheet."""
    text = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
    _, *parts = _SECTION.split(text)
    sections = zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    return [(kind, tuple((signs or "").split(" | ")), rules.replace("\n", "")) for kind, signs, rules in sections]


def choose_style(markup: str, language: str, direction: str, theme: str = "") -> str:
    """The rules that a page needs. markup: of its body. language: BCP 47 tag; direction: `rtl` or what is not. theme:
    of `THEMES`, or ''."""
    # each once: there are some forty signs to look for
    marks = " ".join({*_TAG.findall(markup), *_CLASS.findall(markup), f"data-theme={theme}"})
    code = language.lower().partition("-")[0]
    # hyphens and line heights differ by script; where no language is known, none is guessed
    script = "cjk" if code in _IDEOGRAPHIC else "rtl" if direction == "rtl" else "latin" if code else ""
    needed = [
        (kind, rules)
        for kind, signs, rules in _read_style()
        if (script in signs if kind == "script" else any(sign in marks for sign in signs))
    ]
    shown = "".join(rules for kind, rules in needed if not kind.startswith("print"))
    printed = "".join(rules for kind, rules in needed if kind.startswith("print"))
    return f"{shown}@media print{{{printed}}}"
