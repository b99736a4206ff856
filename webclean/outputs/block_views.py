"""Semantic blocks as people look at them: a tree for terminals and notebooks, an outline, and a picture of the page
with each block outlined in the colour of its role; hovering shows reasons.

The picture is one HTML file that opens offline and runs no code: of the page only elements and attributes are left that
are known to be harmless, and a content security policy allows only inline styles and images embedded in the file. The
lists are of what is harmless, not of what is active: standards and browsers add active elements, and whoever forgets
one of a list of those lets it pass.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree

from webclean.model import Block, Reason, Section
from webclean.outputs.flow.addresses import sanitise_url
from webclean.outputs.flow.mathml import PRESENTATION
from webclean.parse.controls import drop_controls
from webclean.parse.engines.html5 import parse_tree, write_xml_name

_TABLES: Final = tomllib.loads(Path(__file__).with_name("block_picture.toml").read_text(encoding="utf-8"))
HTML, SVG, ATTRIBUTES, _UNSHOWN = (
    frozenset(_TABLES[name].split()) for name in ("html", "svg", "attributes", "unshown")
)
NAMESPACES: Final = tuple(_TABLES["namespaces"])
COLOURS: Final[dict[str, str]] = _TABLES["colours"]

_STEP: Final = re.compile(r"/(?:\*\[local-name\(\)='([^']*)'\]|([^/\[]+))(?:\[(\d+)\])?")
# an attribute of another name could end the tag when the picture is written
_NAME: Final = re.compile(r"[a-zA-Z_][\w:.-]*")
_INVISIBLE: Final = re.compile(r"[\x00-\x20]+")
"""What browsers leave out of a URL before they look at its scheme."""
# `data:` and `#` are in the file itself
_CSS_URL: Final = re.compile(
    r"\b(?:url|src|image|(?:-webkit-)?image-set)\(\s*(?![\s\"']*(?:data:|#))[^)]*\)", re.IGNORECASE
)
# `u\72 l(` is `url(`: letters that are escaped are letters (CSS Syntax 3, 4.3.7)
_CSS_ESCAPE: Final = re.compile(r"\\0{0,4}([46][0-9a-f]|[57][0-9a])\s?", re.IGNORECASE)
_CSS_IMPORT: Final = re.compile(r"@import[^;]*;?", re.IGNORECASE)
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
    """The markup of the page with its blocks outlined and labelled; elements of text blocks carry the number of their
    first one. texts: number in reading order, whether it is kept, and XPath of each text block to mark."""
    root = parse_tree("".join(char if char >= " " or char in "\t\n\r" else " " for char in markup))
    texts = list(texts)
    find = _find_elements(root, [*(path for block in blocks for path in block.xpaths), *(path for _, _, path in texts)])
    places = [(block, element) for block in blocks for path in block.xpaths for element in find[path]]
    leaves = [(number, kept, element) for number, kept, path in texts for element in find[path]]
    for _, element in places:
        if element.tag == "noscript":  # the blocks are inside it, so show its content
            element.tag = "div"
    # after the elements are found: XPaths count scripts and frames as well
    _keep_harmless(root)
    # an element may hold several text blocks, between its children: the first one names it
    for number, kept, element in leaves:
        if "data-wc-text" not in element.attrib:
            element.set("data-wc-text", str(number))
            element.attrib.update({} if kept else {"data-wc-left": ""})
    opened = name_openings(sections)
    for block, element in places:
        _mark(block, element, opened.pop(block.number, ()))
    head = root.find("head")
    if head is not None:
        head.insert(0, ElementTree.Element("meta", {"http-equiv": "Content-Security-Policy", "content": _POLICY}))
        head.insert(0, ElementTree.Element("meta", {"charset": "utf-8"}))
        style = ElementTree.SubElement(head, "style")
        style.text = f"\n{_TABLES['style']}"
    body = root.find("body")
    if body is not None and legend:
        roles = {str(block.role) for block in blocks}
        rows = "".join(
            f'<div><b style="background:{colour}"></b>{escape(role)}</div>'
            for role, colour in COLOURS.items()
            if role in roles
        )
        body.append(
            ElementTree.fromstring(
                f'<div id="wc-legend">{rows}<div>dashed: dropped</div><div>§ section; ▮ importance</div></div>'
            )
        )
    # last of all, for attributes and references to characters hold controls too
    return drop_controls(f"<!doctype html>\n{ElementTree.tostring(root, method='html', encoding='unicode')}")


def _find_elements(root: ElementTree.Element, paths: Iterable[str]) -> dict[str, list[ElementTree.Element]]:
    """XPath in the form of `parse.xpath` (name and position at each step) -> its element; [] if there is none."""
    # thousands of paths that begin alike: what each beginning leads to is looked for once
    found: dict[tuple[tuple[str, str, str], ...], list[ElementTree.Element]] = {(): [root]}
    of_path = {}
    for path in paths:
        steps = tuple(step for step in _STEP.findall(path)[1:] if step[2])
        for n, (foreign, plain, position) in enumerate(steps, start=1):
            if steps[:n] not in found:
                at, name = int(position), foreign or plain
                below = [child for above in found[steps[: n - 1]] for child in above if isinstance(child.tag, str)]
                found[steps[:n]] = [one for one in below if write_xml_name(_local(one.tag)) == name][at - 1 : at]
        of_path[path] = found[steps]
    return of_path


def _keep_harmless(root: ElementTree.Element) -> None:
    """Leave what is harmless. Names lose their namespace; a browser infers it again."""
    todo = [(root, HTML)]
    while todo:
        element, known = todo.pop()
        element.attrib = dict(filter(None, (_clean_attribute(element.tag, *pair) for pair in element.items())))
        if element.tag == "style":
            element.text = _keep_inside(element.text or "")
        kept: list[ElementTree.Element] = []
        for child in element:
            inside = _find_kind(child, known)
            if inside is None:
                before, tail = (kept[-1], "tail") if kept else (element, "text")
                setattr(before, tail, (getattr(before, tail) or "") + (child.tail or ""))
                continue
            child.tag = _local(child.tag)
            if child.tag not in inside:  # a custom element, or an old one: what it holds is shown
                child.tag = "span"
            kept.append(child)
            todo.append((child, inside))
        element[:] = kept


def _find_kind(element: ElementTree.Element, around: frozenset[str]) -> frozenset[str] | None:
    """The names that an element and those below it may have; None if it goes with what is in it.

    What was read as SVG or MathML is written without its namespace. So that a browser reads it as that again, there is
    nothing else in it: no HTML, no style, of which the text would be markup or the other way round.
    """
    if not isinstance(element.tag, str):  # a comment
        return None
    namespace, _, name = element.tag.rpartition("}")
    kind = (
        HTML if not namespace or namespace.endswith("xhtml") else PRESENTATION if namespace.endswith("MathML") else SVG
    )
    if kind is HTML:
        raw = name == "style" and "</" in (element.text or "")  # nothing is escaped in it
        return HTML if around is HTML and name not in _UNSHOWN and not raw else None
    return kind if name in kind and around in (HTML, kind) else None


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _clean_attribute(tag: str, name: str, value: str) -> tuple[str, str] | None:
    """An attribute as it may be written; None if it may run code, or makes a browser load a file at once."""
    name = _local(name)
    if not (name in ATTRIBUTES or name.startswith(NAMESPACES)) or _NAME.fullmatch(name) is None:
        return None
    target = _INVISIBLE.sub("", value).lower()
    if name == "src":
        return (name, value) if target.startswith("data:image/") else None
    if name in ("href", "cite"):
        found = value if target.startswith("#") else sanitise_url(value, None) if tag in ("a", "area") else None
        return None if found is None else (name, found)
    return name, _keep_inside(value) if "(" in value or "@" in value or "\\" in value else value


def _keep_inside(style: str) -> str:
    """A style sheet without what it would load."""
    plain = _CSS_ESCAPE.sub(lambda found: chr(int(found[1], 16)), style)
    return _CSS_IMPORT.sub("", _CSS_URL.sub("none", plain))


def name_openings(sections: Iterable[Section]) -> dict[int, tuple[str, ...]]:
    """Number of a block -> the titles of the sections that begin with it, outermost first; those without one left out.

    sections: the outermost ones."""
    opened: dict[int, tuple[str, ...]] = {}
    for section in (one for outer in sections for one in outer.walk()):
        if section.title:
            number, _ = _find_start(section)
            opened[number] = (*opened.get(number, ()), section.title)
    return opened


def _mark(block: Block, element: ElementTree.Element, opened: Sequence[str]) -> None:
    """Outline and label an element. opened: titles of the sections that begin with the block."""
    role = str(block.role)
    element.set("data-wc", block.id)
    element.set("style", f"{element.get('style', '')};--wc:{COLOURS.get(role, COLOURS['other'])}".lstrip(";"))
    element.set("title", describe_block(block))
    if not block.kept:
        element.set("data-wc-dropped", "")
    # from a table a browser would move it out, in a list it would be an item without a bullet
    if element.tag not in _NO_LABEL:
        label = ElementTree.Element("span", {"class": "wc-label"})
        n_entries = len(block.records)
        entries = f"{n_entries} {'entries' if n_entries > 1 else 'entry'}" if n_entries else ""
        parts = (*(f"§ {title}" for title in opened), f"{block.id} {role}", entries, _draw_bar(block, "▮"))
        label.text = "  ".join(part for part in parts if part)
        label.tail, element.text = element.text, None
        element.insert(0, label)


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

    blocks: all of the page; those in no section stand beside the outermost ones. Without sections they keep their
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
        for section in inside.pop(shown.number, ()):
            yield Line(section, own + 1)
            yield from _list_below(section.sections, section.blocks, depths, own + 2)
    for section in (section for rest in inside.values() for section in rest):  # of a block that is held further inside
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
    """A line of the tree below `HEAD`, cut to the width: of a section its title, of a block its heading or first words
    too."""
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
    """The titles of sections and kept blocks, and of each how many titles are around it."""
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
