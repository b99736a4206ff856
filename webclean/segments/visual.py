"""Visual separation of neighbours: headings, and changes of font, size, weight, colour, background (patent A4).

The style of an element is read from its tag (`b`, `small`), its attributes (`bgcolor`, `style`) and the page's own
style sheets. Of these only rules with one class, id or tag are used, for which a dictionary lookup is enough. The
cascade (CSS Cascading 4) is not resolved: that would cost more than the parse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from webclean.model import Document
from webclean.parse import read_attribute, read_raw
from webclean.parse.tags import HEADING

_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
# the lookbehind lets a selector begin only where one can, so that a page inside an unclosed `<style>` is read once
_RULE: Final = re.compile(r"(?<![^{}@;])([^{}@;]++)\{([^{}]*+)\}")
_SIMPLE: Final = re.compile(r"^(?:[a-z][a-z0-9]*|[.#][\w-]+|[a-z][a-z0-9]*[.#][\w-]+)$", re.IGNORECASE)
_PROPERTIES: Final = {
    "font-family": "font",
    "font-size": "size",
    "font-weight": "weight",
    "color": "colour",
    "background": "background",
    "background-color": "background",
    "border": "border",
    "border-top": "border",
    "border-bottom": "border",
}
_TAGS: Final = {
    "b": "weight",
    "strong": "weight",
    "big": "size",
    "small": "size",
    "blockquote": "border",
    "hr": "border",
}
_ATTRIBUTES: Final = {
    "bgcolor": "background",
    "background": "background",
    "color": "colour",
    "face": "font",
    "size": "size",
}

_TELLING: Final = frozenset((*_ATTRIBUTES, "id", "style"))

Style = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class LookChange:
    """changed: aspects in which two neighbours differ. heading: whether the second one starts with a heading."""

    changed: tuple[str, ...] = ()
    heading: bool = False

    @property
    def separates(self) -> bool:
        return self.heading or bool(self.changed)


@dataclass(frozen=True, slots=True)
class StyleSheet:
    """The page's own `style` elements. rules: simple selector -> aspect -> value."""

    rules: Mapping[str, Style] = field(default_factory=dict)


def read_style_sheet(document: Document, max_chars: int) -> StyleSheet:
    """Read the rules with simple selectors; a sheet that would exceed `max_chars` characters in all is skipped."""
    rules: dict[str, dict[str, str]] = {}
    room = max_chars
    for text in read_raw(document, "style"):
        if len(text) <= room:
            room -= len(text)
            for selectors, body in _RULE.findall(_COMMENT.sub(" ", text)):
                wanted = dict(_read_declarations(body))
                for selector in selectors.split(",") if wanted else ():
                    if _SIMPLE.match(selector.strip()):
                        rules.setdefault(selector.strip(), {}).update(wanted)
    return StyleSheet(rules)


def find_style(document: Document, row: int, sheet: StyleSheet) -> Style:
    """Aspect -> value, as set for the element itself. Inherited values are left out, being equal for siblings."""
    style: dict[str, str] = {}
    name = document.names[row]
    if name in _TAGS:
        style[_TAGS[name]] = name
    if document.attrs[row]:
        classes = (read_attribute(document, row, "class") or "").split()
        for key in (name, *(f".{part}" for part in classes), *(f"{name}.{part}" for part in classes)):
            style.update(sheet.rules.get(key, {}))
        if own := read_attribute(document, row, "id"):
            style.update(sheet.rules.get(f"#{own}", {}))
        for attribute, aspect in _ATTRIBUTES.items():
            if value := read_attribute(document, row, attribute):
                style[aspect] = value.strip().lower()
        style.update(_read_declarations(read_attribute(document, row, "style") or ""))
    else:
        style.update(sheet.rules.get(name, {}))
    return style


def look_alike(document: Document, before: int, after: int) -> bool:
    """Whether two elements surely look the same: same tag and classes, no attribute that makes a difference."""
    a, b = document.attrs[before], document.attrs[after]
    if document.names[before] != document.names[after]:
        return False
    if (set(a) | set(b)) & _TELLING:
        return False
    return read_attribute(document, before, "class") == read_attribute(document, after, "class")


def compare_looks(document: Document, before: int, after: int, sheet: StyleSheet) -> LookChange:
    """Compare the looks of two neighbouring elements."""
    a, b = find_style(document, before, sheet), find_style(document, after, sheet)
    changed = tuple(sorted(aspect for aspect in a.keys() | b.keys() if a.get(aspect) != b.get(aspect)))
    return LookChange(changed, starts_with_heading(document, after))


def starts_with_heading(document: Document, row: int) -> bool:
    """Whether an element is a heading, or its chain of first children leads to one."""
    while row < len(document):
        if HEADING[document.tag[row]]:
            return True
        if row + 1 >= document.end[row]:
            return False
        row += 1
    return False


def _read_declarations(body: str) -> Iterator[tuple[str, str]]:
    for declaration in body.split(";"):
        key, colon, value = declaration.partition(":")
        aspect = _PROPERTIES.get(key.strip().lower())
        if colon and aspect:
            yield aspect, " ".join(value.lower().replace("!important", "").split())
