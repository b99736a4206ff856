"""Document and kept blocks -> the calls of the builder, in document order.

Most text blocks need no look at the elements inside them: their text is written as a whole. Where a block holds what a
format shows (a link, a line break, an image) or what may be a formula, the elements and text nodes of its block element
are added one after the other. So do containers, such as lists, whatever is in them.

    <div><ul> <li>Ann <span>and</span> Bob</li> <li>by <a href=/c>Carl</a></li> </ul></div>

    enter ul, enter li, add block "Ann and Bob", enter li, add text "by", enter a, add text "Carl"
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.model import Document, Mask, Rows, TextBlocks
from webclean.outputs.flow.builder import CONTAINERS, INLINES, PREFORMATTED, Builder
from webclean.outputs.flow.delimiters import may_hold_formula
from webclean.outputs.flow.nodes import HEADINGS, TIGHT
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


class Plan(NamedTuple):
    """What is passed to the builder, in document order.

    rows: the elements. lone: of each, the block that is all that is shown of it, -1 if there is more. nodes: the text
    nodes; of a block that is written as a whole, the first. after, blocks, is_whole: of each node, the elements that
    start before it, its block or -1, and whether that is written as a whole.
    """

    rows: list[int]
    lone: list[int]
    nodes: list[int]
    after: list[int]
    blocks: list[int]
    is_whole: list[bool]


def visit_page(builder: Builder, filled: Mask, objects: list[int]) -> None:
    """Pass to the builder elements with kept text, objects with their links, formulas, line breaks, cells, and text.

    Args:
        builder: of the page.
        filled: bool [n_elements], elements that contain kept text.
        objects: rows of what is shown beside text, such as images, in document order.
    """
    _call(builder, plan_by_kernel(builder, filled, objects))


def plan_by_kernel(builder: Builder, filled: Mask, objects: list[int]) -> Plan:
    """The plan of a page. objects: rows of what is shown beside text."""
    document, blocks, found = builder.document, builder.blocks, builder.found
    return Plan(
        *core.plan_visit(
            (document.parent, document.end, document.block, document.link, document.tag, filled),
            (document.text_owner, document.text_next),
            (blocks.row, blocks.first, blocks.block_of, builder.kept),
            _list_flags(builder.options.marks, builder.options.links, builder.options.plain),
            [*builder.special],
            [*found.directions],
            [*found.notes.texts],
            objects,
            [*found.formulas],
            _find_signs(blocks, builder.kept),
        )
    )


@cache
def _list_flags(marks: bool, links: bool, plain: bool) -> NDArray[np.uint16]:
    """uint16 [N_CODES]: what the kernel knows of each tag."""
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


def _find_lone(document: Document, rows: Rows) -> Mask:
    """bool [n]: none of the other rows is inside the element."""
    return np.append(rows[1:], len(document)) >= document.end[rows]


def _call(builder: Builder, plan: Plan) -> None:
    """Call the builder for elements and text nodes in document order."""
    _, _, nodes, after, blocks, is_whole = plan
    at, n_nodes, n_rows = 0, len(nodes), len(builder.document)
    run: list[int] = []
    for row, inside in zip([*plan.rows, n_rows], [*plan.lone, -1], strict=True):
        while at < n_nodes and after[at] <= row:
            if is_whole[at]:
                run.append(blocks[at])
            else:
                if run:
                    builder.add_blocks(run)
                    run = []
                if blocks[at] < 0:
                    builder.add_space(nodes[at])
                else:
                    builder.add_text(nodes[at])
            at += 1
        if run:
            builder.add_blocks(run)
            run = []
        if inside >= 0:
            builder.enter_with(row, inside)
            at += 1
        elif row < n_rows:
            builder.enter(row)


def _list_shown(marks: bool, links: bool) -> Mask:
    """bool [N_CODES]: inline elements that change what is written."""
    if not marks:
        return _READINGS | _CODE
    return _MARKS_AND_LINKS if links else _MARKS


def _find_signs(blocks: TextBlocks, kept: Mask) -> list[int]:
    """The kept blocks that have a sign by which a formula may begin."""
    numbers = kept.nonzero()[0].tolist()
    whole = "\n".join([blocks.text[at] for at in numbers])
    return [at for at in numbers if may_hold_formula(blocks.text[at])] if may_hold_formula(whole) else []


def find_kept_nodes(blocks: TextBlocks, kept: Mask) -> Mask:
    """bool [n_texts]: text nodes that belong to kept blocks."""
    return np.asarray((blocks.block_of >= 0) & np.append(kept, False)[blocks.block_of], dtype=bool)
