"""Document and kept blocks -> what is set into the tree of clean elements, in document order.

Most text blocks need no look at the elements inside them: their text is written as a whole. Where a block holds what a
format shows (a link, a line break, an image) or what may be a formula, the elements and text nodes of its block element
are added one after the other. So do containers, such as lists, whatever is in them.

    <div><ul> <li>Ann <span>and</span> Bob</li> <li>by <a href=/c>Carl</a></li> </ul></div>

    enter ul, enter li, add block "Ann and Bob", enter li, add text "by", enter a, add text "Carl"
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow.builder import CONTAINERS, INLINES, PREFORMATTED, list_special
from webclean.outputs.flow.formulas import list_formula_signs
from webclean.outputs.flow.nodes import HEADINGS, TIGHT, TreeOptions
from webclean.outputs.flow.structures import Found
from webclean.parse.tags import BLOCK, HEADING, tag_mask

_CELL: Final = tag_mask("td th")
_STRUCTURE: Final = tag_mask(" ".join((*CONTAINERS, *HEADINGS, *PREFORMATTED)))
"""Elements that a leaf, or a container of leaves, is made of."""
_MAY_BE_LONE: Final = tag_mask(" ".join(TIGHT - {"note"}))
_MAY_BE_FILLED: Final = tag_mask("li dd td")
"""Elements to which text is added that follows them without an element of its own."""
_FAMILY: Final = tag_mask("li") + 2 * tag_mask("dt dd") + 3 * tag_mask("td th tr")
"""By tag: equal for elements after each of which another begins."""
_CODE: Final = tag_mask("code tt samp")
"""Inline elements in which no sign begins a formula."""
_READINGS: Final = tag_mask("ruby rt rp")
_MARKS: Final = tag_mask(" ".join((*INLINES, "abbr")))
_MARKS_AND_LINKS: Final = _MARKS | tag_mask("a")


def plan_visit(
    document: Document,
    blocks: TextBlocks,
    kept: Mask,
    options: TreeOptions,
    found: Found,
    filled: Mask,
    objects: list[int],
) -> tuple[Any, ...]:
    """What is set into the tree, in document order: elements with kept text, objects with their links, formulas, line
    breaks, cells, and text.

    Args:
        filled: bool [n_elements], elements that contain kept text.
        objects: rows of what is shown beside text, such as images, in document order.

    Returns:
        The elements; of each, the block that is all that is shown of it, -1 if there is more. The text nodes; of a
        block that is written as a whole, the first; of each, the elements that start before it, its block or -1, and
        whether that is written as a whole.
    """
    plan = core.plan_visit(
        document.page,
        kept,
        filled,
        _list_flags(options.marks, options.links, options.plain),
        ([*list_special(found)], [*found.directions], [*found.notes.texts], objects, [*found.formulas]),
        _find_signs(document, blocks, kept),
    )
    return cast("tuple[Any, ...]", plan)


@cache
def _list_flags(marks: bool, links: bool, plain: bool) -> NDArray[np.uint16]:
    """uint16 [N_CODES]: what the core knows of each tag."""
    shown = _list_shown(marks, links)
    flags: NDArray[np.uint16] = _FAMILY.astype(np.uint16) * np.uint16(core.FLOW_FLAGS["family"] // 3)
    for name, mask in {
        "structure": _STRUCTURE,
        "shown": shown,
        "telling": shown if marks else _READINGS,
        "cell": _CELL,
        "break": tag_mask("br"),
        "heading": HEADING & plain,
        "block": BLOCK,
        "may_be_lone": _MAY_BE_LONE,
        "may_be_filled": _MAY_BE_FILLED,
    }.items():
        flags[mask] |= core.FLOW_FLAGS[name]
    return flags


def _list_shown(marks: bool, links: bool) -> Mask:
    """bool [N_CODES]: inline elements that change what is written."""
    if not marks:
        return _READINGS | _CODE
    return _MARKS_AND_LINKS if links else _MARKS


def _find_signs(document: Document, blocks: TextBlocks, kept: Mask) -> list[int]:
    """The kept blocks that have a sign by which a formula may begin."""
    return [at for at in list_formula_signs(document) if kept[at] and core.may_hold_formula(blocks.text[at])]
