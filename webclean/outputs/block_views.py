"""Semantic blocks as people look at them: a tree for terminals and notebooks, an outline, and a picture of the page
with each block outlined in the colour of its role; hovering shows reasons.

The picture is one HTML file that opens offline and runs no code. It has only elements and attributes of the page that
are known to be harmless, its links lead nowhere, and a content security policy allows only inline styles and images
embedded in the file. The lists name what is harmless, not what is active, because standards and browsers keep adding
active elements, and one that a list of active elements lacks would pass.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final, NamedTuple

import turbohtml
from turbohtml import Document, Element, Namespace, Text
from turbohtml.clean import OnDisallowed, Policy, Sanitizer

from webclean.model import Block, Reason, Section
from webclean.outputs.flow.mathml import PRESENTATION
from webclean.parse.controls import drop_controls
from webclean.parse.engines.html5 import write_xml_name
from webclean.storage import read_table

_TABLES: Final = read_table(__file__, "block_picture.toml")
HTML, SVG, ATTRIBUTES, _UNSHOWN = (
    frozenset(_TABLES[name].split()) for name in ("html", "svg", "attributes", "unshown")
)
NAMESPACES: Final = tuple(_TABLES["namespaces"])
COLOURS: Final[dict[str, str]] = _TABLES["colours"]

_STEP: Final = re.compile(r"/(?:\*\[local-name\(\)='([^']*)'\]|([^/\[]+))(?:\[(\d+)\])?")
_PROPERTY: Final = re.compile(r"[\w-]+(?=\s*:)")
"""The name of a property of CSS, among other words."""
# what loads a file by a text, and letters that are escaped, which may hide it (CSS Images 4, CSS Syntax 3, 4.3.7)
_LOADING: Final = re.compile(r"\b(?:src|image|image-set)\(|\\0{0,4}[4-7][0-9a-f]", re.IGNORECASE)
# `#` is in the file itself
_URL: Final = re.compile(r"\burl\((?!\s*[\"']?#)", re.IGNORECASE)
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
_NO_LABEL: Final = frozenset(("table", "tbody", "thead", "tfoot", "tr", "ul", "ol", "dl", "html", "select", "menu"))


def render_picture(
    markup: str,
    blocks: Sequence[Block],
    texts: Iterable[tuple[int, bool, str]] = (),
    *,
    sections: Iterable[Section] = (),
    legend: bool = True,
) -> str:
    """The markup of the page with its blocks outlined and labelled. texts: the text blocks to mark, each as (number in
    reading order, whether it is kept, XPath); an element carries the number of its first one."""
    page = turbohtml.parse(markup, positions=False, allow_declarative_shadow_roots=False)
    texts = list(texts)
    find = _find_elements(page, [*(path for block in blocks for path in block.xpaths), *(path for *_, path in texts)])
    # an element may hold several text blocks, between its children: the first one names it
    for number, kept, path in texts:
        for element in find[path]:
            if "data-wc-text" not in element.attrs:
                element.attrs["data-wc-text"] = str(number)
                element.attrs.update({} if kept else {"data-wc-left": ""})
    opened = name_openings(sections)
    for block in blocks:
        for element in (one for path in block.xpaths for one in find[path]):
            _mark(block, element, opened.pop(block.number, ()))
    shown = _keep_harmless(page, markup).find("html")
    head, body = (shown and shown.find(name) for name in ("head", "body"))
    if head:
        policy = f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        head.insert_adjacent_html("afterbegin", policy)
        head.insert_adjacent_html("beforeend", f"<style>\n{_TABLES['style']}</style>")
    if body and legend:
        roles = {str(block.role) for block in blocks}
        rows = "".join(
            f'<div><b style="background:{colour}"></b>{escape(role)}</div>'
            for role, colour in COLOURS.items()
            if role in roles
        )
        rest = "<div>dashed: dropped</div><div>§ section; ▮ importance</div>"
        body.insert_adjacent_html("beforeend", f'<div id="wc-legend">{rows}{rest}</div>')
    # last of all, for attributes and references to characters hold controls too
    return drop_controls(f"<!doctype html>\n{shown.html if shown else ''}")


def _find_elements(page: Document, paths: Iterable[str]) -> dict[str, list[Element]]:
    """XPath in the form of `parse.xpath` (name and position at each step) -> its element; [] if there is none."""
    # thousands of paths share their first steps: each beginning is followed once
    found: dict[tuple[tuple[str, str, str], ...], list[Any]] = {(): [page.find("html")]}
    of_path = {}
    for path in paths:
        steps = tuple(step for step in _STEP.findall(path)[1:] if step[2])
        for n, (foreign, plain, position) in enumerate(steps, start=1):
            if steps[:n] not in found:
                at, name = int(position), foreign or plain
                below = [child for above in found[steps[: n - 1]] for child in above.children]
                named = [one for one in below if isinstance(one, Element) and write_xml_name(one.tag) == name]
                found[steps[:n]] = named[at - 1 : at]
        of_path[path] = found[steps]
    return of_path


def _keep_harmless(page: Document, markup: str) -> Document:
    """The page without what may be harmful. Of elements with unknown or outdated names the content is shown."""
    for element in [*page.iter_elements()]:
        known = {Namespace.HTML: HTML, Namespace.SVG: SVG}.get(element.namespace, PRESENTATION)
        is_foreign = isinstance(element.parent, Element) and element.parent.namespace is not Namespace.HTML
        # SVG and MathML keep only elements of their own: HTML or style inside could turn text into markup
        if (known is not HTML and element.tag not in known) or (known is HTML and is_foreign):
            element.decompose()
        elif element.tag == "noscript" and "data-wc" in element.attrs:  # the blocks are inside it
            element.tag = "div"
        elif element.tag not in known | _UNSHOWN:
            element.tag = "span"
    policy = Policy(
        tags=HTML | SVG | PRESENTATION,
        attributes={"*": ATTRIBUTES},
        attribute_prefixes=frozenset(NAMESPACES),
        attribute_filter=_keep_inside,
        url_schemes=frozenset(("data",)),
        allow_relative_urls=False,
        allow_fragment_urls=True,
        on_disallowed_tag=OnDisallowed.STRIP,
        remove_with_content=_UNSHOWN,
        # names of properties are harmless: it is their values that may load a file
        css_properties=frozenset(map(str.lower, _PROPERTY.findall(markup))) | {"--wc"},
    )
    return Sanitizer(policy).sanitize_node(page)


def _keep_inside(tag: str, name: str, value: str) -> str | None:
    """The value of an attribute; None if it makes a browser load a file or leads out of the picture."""
    if name == "src":
        return value if value.startswith("data:image/") else None
    # the addresses in a style are looked at by the sanitizer
    is_outside = value[:1] != "#" if name in ("href", "cite") else name != "style" and _URL.search(value)
    return None if is_outside or _LOADING.search(value) else value


def name_openings(sections: Iterable[Section]) -> dict[int, tuple[str, ...]]:
    """Number of a block -> the titles of the sections that begin with it, outermost first; those without one left out.

    sections: the outermost ones."""
    opened: dict[int, tuple[str, ...]] = {}
    for section in (one for outer in sections for one in outer.walk()):
        if section.title:
            number, _ = _find_start(section)
            opened[number] = (*opened.get(number, ()), section.title)
    return opened


def _mark(block: Block, element: Element, opened: Sequence[str]) -> None:
    """Outline and label an element. opened: titles of the sections that begin with the block."""
    role, style = str(block.role), element.attrs.get("style") or ""
    colour = f"{style};--wc:{COLOURS.get(role, COLOURS['other'])}".lstrip(";")
    element.attrs.update({"data-wc": block.id, "style": colour, "title": describe_block(block)})
    if not block.kept:
        element.attrs["data-wc-dropped"] = ""
    # a browser would move a label out of a table, and show it in a list as an item without a bullet
    if element.tag not in _NO_LABEL:
        n_entries = len(block.records)
        entries = f"{n_entries} {'entries' if n_entries > 1 else 'entry'}" if n_entries else ""
        parts = (*(f"§ {title}" for title in opened), f"{block.id} {role}", entries, _draw_bar(block, "▮"))
        element.insert(0, Element("span", {"class": "wc-label"}, [Text("  ".join(part for part in parts if part))]))


def describe_block(block: Block) -> str:
    """The text shown on hover: role, importance, and the reasons, one on each line."""
    lines = [f"{block.id} {block.role} {'kept' if block.kept else 'dropped'} importance {block.importance:.2f}"]
    lines += list_reasons(block.reasons)
    if block.records:
        lines.append(f"{len(block.records)} records, first: {block.records[0].title}")
    return "\n".join(lines)


def list_reasons(reasons: Sequence[Reason]) -> list[str]:
    """A line for each reason: stage, points, evidence."""
    points = (("" if reason.points is None else f" {reason.points:+.2f}") for reason in reasons)
    return [f"{one.stage}{said}: {one.evidence or one.rule}" for one, said in zip(reasons, points, strict=True)]


_BAR: Final = 5
"""Characters of the bar that shows the importance of a block."""


def _draw_bar(block: Block, sign: str) -> str:
    return sign * round(_BAR * block.importance)


class Line(NamedTuple):
    """A line of the tree: a section or a block, and how many sections and blocks are around it."""

    shown: Section | Block
    depth: int


def list_tree(sections: Sequence[Section], blocks: Sequence[Block]) -> Iterator[Line]:
    """Sections with the blocks and sections inside them; a section that is a part of a block stands below it.

    blocks: all of the page; those in no section stand beside the outermost sections. Without sections they keep their
    order.
    """
    held = {block.number for section in sections for one in section.walk() for block in one.blocks}
    # menus and footers are in no section; they stand beside, in the order of the page
    rest = [block for block in blocks if block.number not in held]
    return _list_below(sections, rest, measure_depths(blocks), 0)


def _list_below(
    sections: Sequence[Section], blocks: Sequence[Block], depths: Mapping[int, int], depth: int
) -> Iterator[Line]:
    inside = {section.within: [one for one in sections if one.within == section.within] for section in sections}
    whole: list[Section | Block] = [*inside.pop(None, ()), *blocks]
    least = min((depths[block.number] for block in blocks), default=0)
    if sections:
        # stable: the part with the lead first, else in the order of the page
        whole = sorted(sorted(whole, key=_find_start), key=lambda one: not _holds_lead(one))
    for shown in whole:
        if isinstance(shown, Section):
            yield Line(shown, depth)
            yield from _list_below(shown.sections, shown.blocks, depths, depth + 1)
            continue
        own = depth + depths[shown.number] - least
        yield Line(shown, own)
        parts = inside.pop(shown.number, ())
        # entries are read in their list, of which they are no parts that a reader would name
        entries = {record.title for record in shown.records} | {""} if parts and len(shown.records) > 1 else set()
        for section in parts:
            if all(one.title in entries for one in section.walk()):
                continue
            yield Line(section, own + 1)
            yield from _list_below(section.sections, section.blocks, depths, own + 2)
    for section in (section for rest in inside.values() for section in rest):  # parts of a block of another section
        yield Line(section, depth)
        yield from _list_below(section.sections, section.blocks, depths, depth + 1)


def _holds_lead(shown: Section | Block) -> bool:
    if isinstance(shown, Block):
        return any(reason.rule == "lead" for reason in shown.reasons)
    return any(_holds_lead(block) for section in shown.walk() for block in section.blocks)


def _find_start(shown: Section | Block) -> tuple[int, int]:
    """Where a section or a block begins, in numbers of blocks; a section before its first block."""
    if isinstance(shown, Block):
        return shown.number, 1
    return min((block.number for section in shown.walk() for block in section.blocks), default=-1), 0


HEAD: Final = (
    f"{'id':>4s}   {'role':13s} {'weight':6s} {'chars':>6s} {'links':>5s} {'entries':>7s}  title, or first words"
)
LEGEND: Final = "# section  + kept  - dropped  * with the lead  weight: importance in fifths"


def describe_line(line: Line, width: int) -> str:
    """A line of the tree below `HEAD`, cut to the width: the title of a section; the measures of a block with its
    heading or first words."""
    shown, indent = line.shown, "  " * line.depth
    if isinstance(shown, Section):
        head, label = f"{shown.id:>4s} # {indent}{shown.role:13s} ", shown.title
    else:
        sign = "-" if not shown.kept else "*" if _holds_lead(shown) else "+"
        bar = _draw_bar(shown, "#")
        counts = f"{len(shown.text):6d} {len(shown.links):5d} {len(shown.records):7d}"
        head = f"{shown.id:>4s} {sign} {indent}{shown.role:13s} {bar:6s} {counts}  "
        # a title that stands in another block says nothing of the text of this one
        label = shown.heading if shown.heading in shown.text else f"{shown.heading}: {shown.text}"
        label = label or shown.text
    label, room = " ".join(label.split()), max(10, width - len(head))
    return (head + (label if len(label) <= room else label[: room - 1] + "…")).rstrip()


def list_outline(lines: Iterable[Line]) -> Iterator[tuple[str, int]]:
    """Each title of a section or kept block, and how many titles are around it."""
    around: list[tuple[int, str]] = []  # (depth, title) of what is around, outermost first
    last = ""
    for shown, depth in lines:
        title = shown.title if isinstance(shown, Section) else shown.heading if shown.kept else ""
        while around and around[-1][0] >= depth:
            around.pop()
        # a heading alone is the title of the block after it
        if title and title not in (last, *(name for _, name in around)):
            yield title, len(around)
            around.append((depth, title))
            last = title


def measure_depths(blocks: Sequence[Block]) -> dict[int, int]:
    """Number of a block -> how many blocks contain it."""
    depths: dict[int, int] = {}
    # in reading order a block comes after those around it
    for block in sorted(blocks, key=lambda block: block.number):
        depths[block.number] = 0 if block.parent is None else depths[block.parent] + 1
    return depths
