"""Notes that are set off from the text (admonitions, alerts, hints): their kind and their title.

    <div class="admonition warning">                        > [!warning] Mind the step
      <p class="admonition-title">Mind the step</p>         > It is higher than it looks.
      <p>It is higher than it looks.</p>
    </div>

What tools call them, their kinds and their titles stands in rules (`tools`: `callouts`, `callout_*`).
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from webclean.model import Document, Mask
from webclean.outputs.flow.nodes import HEADINGS, Node, fold, read_text
from webclean.outputs.flow.tools import Conventions, find_named
from webclean.parse import read_attribute

_PARTS: Final = re.compile(r"[\s_-]+")


class Callouts(msgspec.Struct, frozen=True):
    """kinds: row of a callout -> its kind, '' where none is known. titles: rows of what a class calls its title."""

    kinds: dict[int, str] = {}
    titles: frozenset[int] = frozenset()


def find_callouts(document: Document, filled: Mask, conventions: Conventions) -> Callouts:
    """The callouts with kept text. filled: bool [n_elements], elements that contain kept text."""
    names = frozenset(conventions.names.callouts)
    kinds: dict[int, str] = {}
    titles: set[int] = set()
    for row in sorted(find_named(document, conventions)["callouts"]):
        if not filled[row]:
            continue
        classes = (read_attribute(document, row, "class") or "").lower()
        if names.isdisjoint(classes.split()):
            continue
        kinds[row] = _find_kind(document, row, classes, conventions)
        below = range(row + 1, document.end.item(row))
        titles.update(
            at for at in below if conventions.callout_title.search(read_attribute(document, at, "class") or "")
        )
    return Callouts(kinds, frozenset(titles)) if kinds else _NONE


_NONE: Final = Callouts()


def _find_kind(document: Document, row: int, classes: str, conventions: Conventions) -> str:
    """What an attribute says, else the first of the known kinds that is a part of a class."""
    names = conventions.names
    told = (read_attribute(document, row, key) for key in names.callout_attributes)
    parts = [*(value.strip().lower() for value in told if value), *_PARTS.split(classes)]
    return next((part for part in parts if part in names.callout_kinds), "")


def mark_titles(root: Node, callouts: Callouts) -> None:
    """Say of each callout of a tree whether its first leaf is its title, in place."""
    for node in root.walk():
        kind = node.attributes.get("callout")
        first = node.children[0] if kind and node.children else None
        if kind and isinstance(first, Node) and _is_title(first, kind, callouts):
            node.attributes["titled"] = ""


def _is_title(leaf: Node, kind: str, callouts: Callouts) -> bool:
    if leaf.name in HEADINGS or leaf.row in callouts.titles:
        return True
    # a line in bold type, or the name of the kind by itself
    only = leaf.children[0] if leaf.name == "p" and len(leaf.children) == 1 else None
    return (isinstance(only, Node) and only.name == "strong") or fold(read_text(leaf)) == kind
