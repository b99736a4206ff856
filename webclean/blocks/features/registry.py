"""`PageColumns`, one page's columns as every later stage sees them, and the registry of features over them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from webclean.blocks.features.evidence import NO_POINTS, WordPoints
from webclean.blocks.structure import StructureTree, sum_subtrees
from webclean.model import Document, Floats, Mask, Rows, TextBlocks

_CHARS_PER_WORD: Final = 1.7


@dataclass(frozen=True, eq=False)
class PageColumns:
    """One page's columns, and those that several features share, each computed once.

    evidence: the weights of the words in class names, headings and links that the rule set knows.
    """

    document: Document
    blocks: TextBlocks
    structure: StructureTree
    evidence: WordPoints = NO_POINTS

    @cached_property
    def table(self) -> dict[str, Floats]:
        """Feature name -> float64 [n_blocks], filled on demand by `measure`."""
        return {}

    @cached_property
    def shared(self) -> dict[str, object]:
        """What the features of one file compute for each other, by name."""
        return {}

    @cached_property
    def row(self) -> Rows:
        """int32 [n_blocks]: the nearest block element of each block."""
        return self.blocks.row

    @cached_property
    def above(self) -> list[Rows]:
        """Six int32 [n_blocks]: the block elements 0 to 5 levels up from each block (the root stays the root)."""
        document, levels = self.document, [self.blocks.row]
        for _ in range(5):
            up = document.parent[levels[-1]]
            levels.append(np.where(up >= 0, document.block[up], levels[-1]))
        return levels

    @cached_property
    def words(self) -> Floats:
        """float64 [n_blocks]: words of each block, at least 1 (a block of signs alone counts as one).

        In scripts without spaces, where each character was counted, about 1.7 characters make one word, so that
        lengths compare across languages.
        """
        return np.maximum(1.0, np.minimum(self.blocks.n_words, self.blocks.n_chars / _CHARS_PER_WORD))

    @cached_property
    def link_words(self) -> Floats:
        """float64 [n_blocks]: words inside links, in the measure of `words`."""
        return np.asarray(self.blocks.n_link_words * np.minimum(1.0, self.words / np.maximum(1, self.blocks.n_words)))

    @cached_property
    def n_words_below(self) -> Floats:
        """float64 [n_elements]: words in the subtree of each element."""
        return sum_subtrees(self.document, self.row, self.words)

    @cached_property
    def n_link_words_below(self) -> Floats:
        """float64 [n_elements]: words inside links in the subtree of each element."""
        return sum_subtrees(self.document, self.row, self.link_words)

    @cached_property
    def n_blocks_below(self) -> Floats:
        """float64 [n_elements]: text blocks in the subtree of each element."""
        return sum_subtrees(self.document, self.row, np.ones(len(self.blocks)))

    @cached_property
    def n_sentences_below(self) -> Floats:
        """float64 [n_elements]: sentence ends in the subtree of each element."""
        return sum_subtrees(self.document, self.row, self.blocks.n_sentences)

    @cached_property
    def is_sentence(self) -> Mask:
        """bool [n_blocks]: running text, i.e. a sentence end, little link text and more than a label's length."""
        blocks = self.blocks
        return (blocks.n_sentences > 0) & (blocks.n_chars > 40) & (blocks.n_link_chars < 0.3 * blocks.n_chars)


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
