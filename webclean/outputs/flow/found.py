"""What is looked up in a page before its tree of clean elements is built."""

from __future__ import annotations

from itertools import compress
from typing import Final

import msgspec

from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow.conventions import Conventions
from webclean.outputs.flow.delimiters import Delimiters
from webclean.outputs.flow.directions import find_direction, list_directions
from webclean.outputs.flow.formulas import Formula, find_formulas, find_kept_formulas
from webclean.outputs.flow.nodes import HEADINGS
from webclean.outputs.flow.notes import Notes, find_notes
from webclean.outputs.flow.tables import find_data_tables
from webclean.parse import find_attribute, read_attribute, read_attributes
from webclean.parse.columns import list_values
from webclean.parse.tags import tag_mask

_ROLES: Final = {
    "list": "ul", "listitem": "li", "table": "table", "row": "tr", "cell": "td", "columnheader": "th",
    "rowheader": "th", "note": "blockquote", "figure": "figure", "term": "dt", "definition": "dd",
}  # fmt: skip
"""Role (WAI-ARIA 1.2) -> the element that it stands for."""
_GENERIC: Final = frozenset(("div", "span", "section", "aside", "p", "a"))
_MAY_BE_CALLOUT: Final = tag_mask("div aside section")


class Found(msgspec.Struct, frozen=True, eq=False):
    """Rows and what they are.

    tables: bool [n_elements], data tables. formulas: first row of each kept formula. names: elements that stand for
    another one, by role or class. direction: of the kept text, `ltr` or `rtl`; directions: what elements declare.
    conventions: the names that tools give the parts of what they write.
    """

    tables: Mask
    formulas: dict[int, Formula]
    delimiters: Delimiters
    notes: Notes
    names: dict[int, str]
    direction: str
    directions: dict[int, str]
    conventions: Conventions


def find_structures(
    document: Document, blocks: TextBlocks, kept: Mask, filled: Mask, conventions: Conventions
) -> Found:
    """filled: bool [n_elements], elements that contain kept text."""
    formulas = find_kept_formulas(find_formulas(document, filled, conventions), document, blocks, kept)
    directions = list_directions(document)
    return Found(
        tables=find_data_tables(document, blocks, kept, filled),
        formulas={formula.first: formula for formula in formulas},
        delimiters=Delimiters(document, conventions),
        notes=find_notes(document, filled),
        names=_find_names(document, filled, frozenset(conventions.names.callouts)),
        direction=find_direction(document, blocks, kept, directions),
        directions=directions,
        conventions=conventions,
    )


def _find_names(document: Document, filled: Mask, callouts: frozenset[str]) -> dict[int, str]:
    found: dict[int, str] = {}
    rows = (filled & _MAY_BE_CALLOUT[document.tag]).nonzero()[0].tolist()
    classes = read_attributes(document, rows, "class")
    whole = "\n".join(classes)
    if any(name in whole for name in callouts):
        is_callout = (not callouts.isdisjoint(value.split()) for value in classes)
        found |= dict.fromkeys(compress(rows, is_callout), "blockquote")
    for row, value in zip(find_attribute(document, "role"), list_values(document, "role"), strict=True):
        role = value.strip().lower()
        if role == "heading":
            level = (read_attribute(document, row, "aria-level") or "2").strip()
            found[row] = f"h{level}" if f"h{level}" in HEADINGS else "h2"
        elif role in _ROLES and document.names[row] in _GENERIC:
            found[row] = _ROLES[role]
    return found
