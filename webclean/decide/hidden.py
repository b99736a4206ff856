"""Hidden text loses points, such as a copy of the article for another device, but not what a reader unfolds.

    <h3><button aria-expanded=false>Where do I pay?</button></h3>
    <div hidden>On board, in coins.</div>                               folded: the element after a control for it
    <div hidden id=menu>...</div>                                       hidden

An element is folded if the control that shows it tells its state (`aria-expanded`) and stands before it, or names it
(`aria-controls`), or if it is the panel of a tab: the patterns "disclosure", "accordion" and "tabs" of the ARIA
Authoring Practices Guide.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from webclean.blocks.text_blocks import list_hiding
from webclean.decide.correction import average_by_type, make_correction
from webclean.features import PageColumns
from webclean.model import Correction, Document, Floats, Mask
from webclean.parse import find_attribute, read_attribute
from webclean.parse.columns import list_holding, list_values
from webclean.parse.preorder import mark_slices
from webclean.rules.decide_schema import HiddenText

_STATE: Final = "aria-expanded"
_LEVELS: Final = 3
"""Elements around a control that may hold it alone, such as a heading."""


def correct_hidden(
    columns: PageColumns, kept: Mask, rules: HiddenText, types: Mapping[str, float]
) -> Correction | None:
    """Hidden blocks lose points, unless the page hides most of what would be kept and shows it later."""
    if columns.blocks.visible.all():
        return None
    hidden = find_hidden_blocks(columns)
    if not hidden.any():
        return None
    words = np.where(kept, columns.words, 0.0)
    shows_enough = words[~hidden].sum() >= rules.least_visible * words.sum()
    points: Floats = np.where(hidden, rules.points * average_by_type(rules.counts, types) * shows_enough, 0.0)
    return make_correction("hidden", points, None, "the markup hides it")


def find_hidden_blocks(columns: PageColumns) -> Mask:
    """bool [n_blocks]: the markup hides the block, and not as what a reader unfolds."""
    document, visible = columns.document, columns.blocks.visible
    folded = set() if visible.all() else set(_list_folded(document))
    if not folded:
        return np.logical_not(visible)
    roots = np.array([row for row in list_hiding(document).tolist() if row not in folded], dtype=np.intp)
    return mark_slices(roots, document.end[roots], len(document))[columns.row]


def _list_folded(document: Document) -> Iterator[int]:
    """Rows of the elements that a control shows, hidden or not."""
    for row, value in list_holding(document, "role", "tabpanel"):
        if value == "tabpanel":
            yield row
    controls = find_attribute(document, _STATE)
    named = {read_attribute(document, row, "aria-controls") for row in controls}
    if any(named):
        values = zip(find_attribute(document, "id"), list_values(document, "id"), strict=True)
        yield from (row for row, value in values if value in named)
    for row in controls:
        yield from _list_following(document, row)


def _list_following(document: Document, row: int) -> Iterator[int]:
    """The elements right after a control, and after those around it."""
    parent, end = document.parent, document.end
    for _ in range(_LEVELS):
        following = int(end[row])
        if following < len(document) and parent[following] == parent[row]:
            yield following
        row = int(parent[row])
        if row <= 0:
            return
