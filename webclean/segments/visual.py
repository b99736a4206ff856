"""Visual separation of neighbours: headings, and changes of font, size, weight, colour, background (patent A4).

Two neighbours are compared by the look of most of their text, headings apart (`features.looks`), and by their borders.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Final

from webclean.features.looks import Looks, find_style
from webclean.model import Document
from webclean.parse import find_attribute, read_attribute
from webclean.parse.tags import HEADING

_STYLE_ATTRIBUTES: Final = ("bgcolor", "background", "id", "style", "color", "face", "size")
_STYLED_TAGS: Final = frozenset(("font", "b", "strong", "big", "small", "th", "h1", "h2", "h3", "h4", "h5", "h6"))


@dataclass(frozen=True, slots=True)
class LookChange:
    """changed: aspects in which two neighbours differ. heading: whether the second one starts with a heading."""

    changed: tuple[str, ...] = ()
    heading: bool = False

    @property
    def separates(self) -> bool:
        return self.heading or bool(self.changed)


def look_alike(document: Document, before: int, after: int) -> bool:
    """Whether two elements surely look the same: same tag and classes, and nothing inside that makes a difference."""
    # asked before styles are resolved: most neighbours are told by this
    if document.names[before] != document.names[after]:
        return False
    if read_attribute(document, before, "class") != read_attribute(document, after, "class"):
        return False
    return not (_shows_style(document, before) or _shows_style(document, after))


def _shows_style(document: Document, row: int) -> bool:
    """Whether an element or one inside it is presentational or has an attribute that styles."""
    end = int(document.end[row])
    # one bold word or most of the text: only reading the looks tells
    if not _STYLED_TAGS.isdisjoint(document.names[row:end]):
        return True
    for name in _STYLE_ATTRIBUTES:
        rows = find_attribute(document, name)
        at = bisect_left(rows, row)
        # an id inside is an anchor; that of the element itself may be what its styles are for
        if at < len(rows) and rows[at] < (row + 1 if name == "id" else end):
            return True
    return False


def compare_looks(document: Document, before: int, after: int, looks: Looks) -> LookChange:
    """Compare the looks of two neighbouring elements."""
    changed = list(looks.find_main(before).list_changes(looks.find_main(after)))
    # a border is of the element, not of the text in it, whose looks are compared
    borders = {find_style(document, row, looks.sheet).get("border") for row in (before, after)}
    if len(borders) > 1:
        changed = sorted([*changed, "border"])
    return LookChange(tuple(changed), starts_with_heading(document, after))


def starts_with_heading(document: Document, row: int) -> bool:
    """Whether an element is a heading, or its chain of first children leads to one."""
    while row < len(document):
        if HEADING[document.tag[row]]:
            return True
        if row + 1 >= document.end[row]:  # no child, which would be the next row
            return False
        row += 1
    return False
