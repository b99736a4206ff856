"""A formula that stands by itself is decided with its sentence: its signs are no words, and alone look like a label.

    The sum is then                      2.9
    E = Σ aₙ xⁿ                          -0.8 rises to 2.8, the lower points of its two neighbours
    where aₙ is the n-th number.         2.8

A formula has a block of its own if all text of the block shows one, or is TeX between delimiters of its own line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from webclean.decide.correction import average_by_type, make_correction
from webclean.features import PageColumns
from webclean.features.text import join_text
from webclean.model import Correction, Floats, Mask
from webclean.outputs.flow.formulas import find_formulas
from webclean.outputs.flow.tools import find_conventions
from webclean.parse import count_tags
from webclean.parse.columns import read_formula_scripts
from webclean.parse.tags import CODE
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.decide_schema import Formulas
from webclean.rules.features_schema import Tools

_TEX: Final = re.compile(r"\s*(?:\$\$[^$]+\$\$|\\\[.+\\\]|\\begin\{(\w+\*?)\}.+\\end\{\1\})\s*[.,;:]?\s*", re.DOTALL)


def correct_formulas(
    columns: PageColumns, points: Floats, rules: Formulas, types: Mapping[str, float], tools: Tools
) -> Correction | None:
    """The points that formulas between two texts gain, None where there are none."""
    share = rules.share * average_by_type(rules.counts, types)
    if not share or not (_may_show_tex(columns) or _may_hold_formulas(columns, tools)):
        return None
    gained = np.zeros(len(points))
    for first, end in _list_runs(find_formula_blocks(columns, tools)):
        if first and end < len(points):
            lower = min(points[first - 1], points[end])
            gained[first:end] = share * np.maximum(0.0, lower - points[first:end])
    return make_correction("formulas", gained, None, "a formula between texts")


def find_formula_blocks(columns: PageColumns, tools: Tools) -> Mask:
    """bool [n_blocks]: blocks that show a formula and nothing else."""
    document, blocks = columns.document, columns.blocks
    found = np.zeros(len(blocks), dtype=bool)
    if _may_show_tex(columns):
        found[:] = [bool(_TEX.fullmatch(text)) for text in blocks.text]
    if not _may_hold_formulas(columns, tools):
        return found
    nothing = np.zeros(len(document), dtype=bool)  # pictures of formulas have no text
    formulas = find_formulas(document, nothing, find_conventions(tools))
    first = np.array([formula.first for formula in formulas], dtype=np.intp)
    end = np.array([formula.end for formula in formulas], dtype=np.intp)
    for number, (start, last) in enumerate(zip(blocks.first.tolist(), blocks.last.tolist(), strict=True)):
        owners = document.text_owner[start:last]
        at = int(np.searchsorted(first, owners[0], side="right")) - 1
        found[number] |= at >= 0 and bool(((owners >= first[at]) & (owners < end[at])).all())
    return found


def _may_show_tex(columns: PageColumns) -> bool:
    """Whether some text has a delimiter that `_TEX` looks for."""
    text = join_text(columns)
    return "$$" in text or ("\\" in text and ("\\[" in text or "\\begin{" in text))


def _may_hold_formulas(columns: PageColumns, tools: Tools) -> bool:
    document = columns.document
    return (
        count_tags(document)[CODE["math"]] > 0
        or (count_tags(document)[CODE["script"]] > 0 and bool(read_formula_scripts(document)))
        or not _list_attributes(tools).isdisjoint(document.attribute_rows)
    )


def _list_runs(mask: Mask) -> Iterator[tuple[int, int]]:
    """First and end of each run of True."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    return zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


@cached_per_rule_set
def _list_attributes(tools: Tools) -> frozenset[str]:
    return frozenset((*tools.formula_attributes, *tools.formula_texts))
