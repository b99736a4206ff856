"""What belongs together is kept together: items of a list, what is in a figure, cells of a table, facts, formulas.

**Structures** (lists, terms and definitions, figures): a cut through the points of single blocks tears one where some
of its blocks are just above the cut and others just below. Where the larger part of its words is kept, the others rise
to the mean of the kept ones:

    points      3.1   2.8   0.4   2.9        cut 0.5
    kept        yes   yes   no    yes        three of four: the third one rises to 2.9

A block far below the cut stays where it is: what its words say of it is stronger than its place. Nothing is lowered,
for a list of which little is kept is seldom text.

**Data tables** in the text are decided as a whole: their cells are short, and alone look like menus and labels.

A data table is an innermost `table` with enough rows of several cells, short texts and few links; a table that lays out
the page has long cells or one a row. One that begins within `reach` blocks after kept text belongs to it, and its cells
rise to the points of that text.

**Facts** in a row are decided by their form: each is short and alone looks like a label of the page.

    Publisher: Harbour Press         a fact: a short label, a colon, a value
    Date: June 2010
    Page count: 528                  three or more in a row, with few links: a list of facts

What a product, a book or an event is said to be stands so on pages of all times and languages, under names of classes
that no list of words has. Where label and value are blocks of their own, in a row of elements of two blocks each, both
are kept where one is.

**A formula** that stands by itself is decided with its sentence: its signs are no words, and alone look like a label.

    The sum is then                      2.9
    E = Σ aₙ xⁿ                          -0.8 rises to 2.8, the lower points of its two neighbours
    where aₙ is the n-th number.         2.8

A formula has a block of its own if all text of the block shows one, or is TeX between delimiters of its own line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, cast

import numpy as np

from webclean import core
from webclean.decide.findings import average_by_type, make_correction
from webclean.features import PageColumns
from webclean.features.names import find_numbered_alike
from webclean.model import Correction, Document, Floats, Mask, Rows
from webclean.outputs.flow.formulas import find_formulas, has_marked, list_formula_signs
from webclean.outputs.flow.tools import find_conventions
from webclean.parse import count_tags
from webclean.parse.tags import CODE, HEADING, tag_mask
from webclean.rules.decide_schema import DataTables, FactLists, Formulas, Structures
from webclean.rules.features_schema import Tools

_NAMES: Final = {"lists": "ul ol", "terms": "dl", "figures": "figure"}
"""The elements that are a structure of each kind."""
_CODES: Final = {kind: [CODE[name] for name in names.split()] for kind, names in _NAMES.items()}
_TAGS: Final = {kind: tag_mask(names).view(np.uint8) for kind, names in _NAMES.items()}
_LEVELS: Final = {"lists": 2, "terms": 2, "figures": 0}
"""Elements of the path by which blocks of a structure are alike: links to share an item are decided as those of the
other items are. All blocks of a figure are alike."""
_TOLD: Final = {
    "lists": "in a list of which most is kept",
    "terms": "in a list of terms of which most is kept",
    "figures": "in a figure of which most is kept",
}


def correct_structures(
    columns: PageColumns, points: Floats, cut: float, rules: Structures, types: Mapping[str, float]
) -> Correction | None:
    """The points that blocks gain whose structure is mostly kept, None where there are none; the innermost of a kind
    counts. cut: the points from which a block is kept so far."""
    kinds = []
    for number, name in _list_kinds(columns.document):
        kind = getattr(rules, name)
        if share := average_by_type(kind.counts, types):
            kinds.append((number, _TAGS[name], _LEVELS[name], (kind.reach, kind.least_kept, share)))
    if not kinds:
        return None
    columns.view("words")  # measured, which the search asks for
    page, told = columns.document.page, list(_TOLD.values())
    gained, because = core.raise_structures(page, points, cut, find_numbered_alike(columns), kinds)
    return make_correction("structures", gained, lambda block: told[because[block]])


def _list_kinds(document: Document) -> list[tuple[int, str]]:
    """The kinds of structure that a page has, with their numbers."""
    n_tags = count_tags(document)
    return [(number, name) for number, name in enumerate(_TOLD) if any(map(n_tags.__getitem__, _CODES[name]))]


_CELL: Final = tag_mask("td th").view(np.uint8)
_TABLE: Final = tag_mask("table").view(np.uint8)
_LEAST_WORDS: Final = 3
"""Of the kept text before a table: a label alone is not yet text."""


def correct_tables(
    columns: PageColumns, points: Floats, kept: Mask, rules: DataTables, types: Mapping[str, float]
) -> Correction | None:
    """The points that the cells of data tables gain, None where there are none. kept: bool [n_blocks], what would
    be kept so far."""
    if not count_tags(columns.document)[CODE["table"]]:
        return None
    share = rules.share * average_by_type(rules.counts, types)
    if not share:
        return None
    gained = np.zeros(len(points))
    # a reference page begins with a heading of one word and a table of declarations
    is_text = kept & ((columns.words >= _LEAST_WORDS) | HEADING[columns.document.tag[columns.row]])
    for cells in find_data_tables(columns, rules):
        # a table is of the text that introduces it; one that begins a page is often its layout
        before = np.arange(max(0, cells[0] - rules.reach), cells[0])
        before = before[is_text[before]]
        if len(before):
            gained[cells] = share * np.maximum(0.0, points[before].max() - points[cells])
    return make_correction("tables", gained, "in a data table after kept text")


def find_data_tables(columns: PageColumns, rules: DataTables) -> Iterator[Rows]:
    """The blocks of each data table."""
    document = columns.document
    cell = core.find_around(document.page, columns.row, _CELL)
    blocks = (cell >= 0).nonzero()[0]
    n_cells = np.bincount(document.parent[_CELL[document.tag].nonzero()[0]], minlength=len(document))
    table = core.find_around(document.page, cell[blocks], _TABLE)
    for number in sorted(set(table[table >= 0].tolist())):
        own = blocks[table == number]
        # empty ones too; the median: captions and totals span whole rows of real tables
        cells = sorted(n_cells[list(set(document.parent[cell[own]].tolist()))].tolist())  # of each row
        if (
            len(cells) >= rules.least_rows
            and cells[(len(cells) - 1) // 2] + cells[len(cells) // 2] >= 2 * rules.least_columns  # the median
            and columns.words[own].mean() <= rules.most_words
            and columns.link_words[own].sum() <= rules.most_links * columns.words[own].sum()
        ):
            yield own


def correct_fact_lists(
    columns: PageColumns, points: Floats, cut: float, rules: FactLists, types: Mapping[str, float]
) -> Correction | None:
    """The points that facts in a row gain, None where there are none. cut: the points from which a block is kept so
    far."""
    share = average_by_type(rules.counts, types)
    lists = find_fact_lists(columns, rules) if share else []
    pairs = find_pair_lists(columns, rules) if share else []
    if not lists and not pairs:
        return None
    gained = np.zeros(len(points))
    for first, last in pairs:
        halves = points[first:last].reshape(-1, 2)
        kept = halves >= cut
        # where few labels are kept the list is none of the text, and a single one was kept for its words
        if kept[:, 0].mean() >= _LEAST_LABELS:
            lacking = np.where(kept.any(axis=1), halves.max(axis=1), -np.inf)[:, None] - halves
            gained[first:last] = share * np.maximum(0.0, lacking).reshape(-1)
    for first, last in lists:
        gained[first:last] = rules.points * share
    return make_correction("facts", gained, "a fact of several in a row")


_LEAST_LABELS: Final = 0.5
"""Share of the labels of a list that are kept, from which its values are."""


def find_fact_lists(columns: PageColumns, rules: FactLists) -> list[tuple[int, int]]:
    """First block and end of each list of facts; its blocks are equally deep in the tree."""
    columns.view("words")  # measured, which the search asks for
    found = core.find_facts(columns.document.page, rules.most_chars, rules.label_chars, rules.least, rules.most_links)
    return cast("list[tuple[int, int]]", found)


def find_pair_lists(columns: PageColumns, rules: FactLists) -> list[tuple[int, int]]:
    """First block and end of each list of facts whose labels and values are blocks of their own, in turn."""
    columns.view("words")
    found = core.find_pairs(columns.document.page, rules.most_chars, rules.label_chars, rules.least, rules.most_links)
    return cast("list[tuple[int, int]]", found)


_TEX: Final = re.compile(r"\s*(?:\$\$[^$]+\$\$|\\\[.+\\\]|\\begin\{(\w+\*?)\}.+\\end\{\1\})\s*[.,;:]?\s*", re.DOTALL)


def correct_formulas(
    columns: PageColumns, points: Floats, rules: Formulas, types: Mapping[str, float], tools: Tools
) -> Correction | None:
    """The points that formulas between two texts gain, None where there are none."""
    if not _may_show_tex(columns) and not has_marked(columns.document, tools):
        return None
    share = rules.share * average_by_type(rules.counts, types)
    if not share:
        return None
    gained = np.zeros(len(points))
    for first, end in _list_runs(find_formula_blocks(columns, tools)):
        # at the edge of the page a formula has one neighbour, which does not tell what it is
        if first and end < len(points):
            # the lower one: a formula between text and a footer is of the text only if both are
            lower = min(points[first - 1], points[end])
            gained[first:end] = share * np.maximum(0.0, lower - points[first:end])
    return make_correction("formulas", gained, "a formula between texts")


def find_formula_blocks(columns: PageColumns, tools: Tools) -> Mask:
    """bool [n_blocks]: blocks that show a formula and nothing else."""
    document, blocks = columns.document, columns.blocks
    found = np.zeros(len(blocks), dtype=bool)
    # few pages have any of its signs: the texts of the others are not matched one by one
    if _may_show_tex(columns):
        signs = list_formula_signs(document)
        found[signs] = [bool(_TEX.fullmatch(blocks.text[block])) for block in signs]
    if not has_marked(document, tools):
        return found
    nothing = np.zeros(len(document), dtype=bool)  # pictures of formulas have no text
    formulas = find_formulas(document, nothing, find_conventions(tools))
    first = np.array([formula.first for formula in formulas], dtype=np.intp)
    end = np.array([formula.end for formula in formulas], dtype=np.intp)
    for number, (start, last) in enumerate(zip(blocks.first.tolist(), blocks.last.tolist(), strict=True)):
        # a formula and a word beside it are a sentence, which the cards know
        owners = document.text_owner[start:last]
        # formulas do not overlap: the last that begins before the text is the only one that can hold it
        at = int(np.searchsorted(first, owners[0], side="right")) - 1
        found[number] |= at >= 0 and bool(((owners >= first[at]) & (owners < end[at])).all())
    return found


def _may_show_tex(columns: PageColumns) -> bool:
    """Whether some text has a delimiter that `_TEX` looks for."""
    texts = [columns.blocks.text[block] for block in list_formula_signs(columns.document)]
    return any("$$" in text or "\\[" in text or "\\begin{" in text for text in texts)


def _list_runs(mask: Mask) -> Iterator[tuple[int, int]]:
    """First and end of each run of True."""
    # where a run begins or ends; the edges of the page count as outside
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    return zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
