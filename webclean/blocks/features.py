"""Named columns of the text blocks: what rules are written in.

Each feature is one vectorised function of `PageColumns` with a name, a unit and a one-line meaning.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from webclean.blocks.structure import StructureTree
from webclean.model import Document, Floats, Mask, TextBlocks
from webclean.parse.tags import tag_mask

_BOILERPLATE_LANDMARK: Final = tag_mask("nav footer aside")


@dataclass(frozen=True, eq=False)
class PageColumns:
    """One page's columns, and those that several features share, each computed once."""

    document: Document
    blocks: TextBlocks
    structure: StructureTree

    @cached_property
    def table(self) -> dict[str, Floats]:
        """Feature name -> float64 [n_blocks], filled on demand by `measure`."""
        return {}


@dataclass(frozen=True, slots=True)
class Feature:
    """A named column: how it is called in rules, its unit, what it means and how it is computed."""

    name: str
    unit: str
    meaning: str
    compute: Callable[[PageColumns], Floats]


FEATURES: Final[dict[str, Feature]] = {}


def feature(unit: str, meaning: str) -> Callable[[Callable[[PageColumns], Floats]], Callable[[PageColumns], Floats]]:
    """Register a function as the feature of its own name."""

    def register(compute: Callable[[PageColumns], Floats]) -> Callable[[PageColumns], Floats]:
        name = compute.__name__
        FEATURES[name] = Feature(name, unit, meaning, compute)
        return compute

    return register


def measure(columns: PageColumns, name: str) -> Floats:
    """float64 [n_blocks]: one feature, computed once a page."""
    found = columns.table.get(name)
    if found is None:
        found = columns.table[name] = np.asarray(FEATURES[name].compute(columns), dtype=np.float64)
    return found


def mark_subtrees(document: Document, roots: Mask) -> Mask:
    """bool [n_elements]: inside the subtree of any root."""
    depth = np.zeros(len(document) + 1, dtype=np.int32)
    rows = np.flatnonzero(roots)
    np.add.at(depth, rows, 1)
    np.add.at(depth, document.end[rows], -1)
    return np.cumsum(depth)[:-1] > 0


@feature("words", "words of the block; a CJK character is a word")
def n_words(columns: PageColumns) -> Floats:
    return columns.blocks.n_words.astype(np.float64)


@feature("sentences", "sentence ends in the block")
def n_sentences(columns: PageColumns) -> Floats:
    return columns.blocks.n_sentences.astype(np.float64)


@feature("share", "link characters / characters of the block")
def link_density(columns: PageColumns) -> Floats:
    return columns.blocks.n_link_chars / np.maximum(1, columns.blocks.n_chars)


@feature("0 or 1", "inside nav, footer or aside")
def inside_boilerplate_landmark(columns: PageColumns) -> Floats:
    marked = mark_subtrees(columns.document, _BOILERPLATE_LANDMARK[columns.document.tag])
    return marked[columns.blocks.row].astype(np.float64)
