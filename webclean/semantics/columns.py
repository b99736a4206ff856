"""One page's columns together with its semantic blocks, and what several measures share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from webclean.blocks.features import PageColumns
from webclean.blocks.features.evidence import split_name
from webclean.model import Floats, Mask, Rows
from webclean.parse import read_attribute, read_attribute_column
from webclean.rules.semantics_schema import Semantics
from webclean.semantics.cut import Segmentation

_APART = "\n\x00\n"


def read_tokens(*names: str) -> frozenset[str]:
    """Whole lower-case words of class and id values."""
    return split_name(" ".join(names))


@dataclass(frozen=True, eq=False)
class SemanticColumns:
    """One page's columns and its semantic blocks."""

    page: PageColumns
    segments: Segmentation
    rules: Semantics

    @cached_property
    def table(self) -> dict[str, Floats]:
        """Measure name -> float64 [n], filled on demand by `measure_blocks`."""
        return {}

    @cached_property
    def segment_of(self) -> Rows:
        """int32 [n_text_blocks]: the semantic block of each text block."""
        return self.segments.owner[self.page.blocks.row]

    @cached_property
    def n_chars(self) -> Floats:
        """float64 [n]: characters of text blocks."""
        return self.sum_text_blocks(self.page.blocks.n_chars)

    @cached_property
    def link_rows(self) -> Rows:
        """int32 [n_links]: the `a` elements with an href that are inside a semantic block."""
        link = self.page.document.link
        rows = np.flatnonzero((link == np.arange(len(link))) & (self.segments.owner >= 0))
        return rows.astype(np.int32)

    @cached_property
    def joined_text(self) -> tuple[Rows, str]:
        """(where each text block starts, all text blocks in one string), parted by what no expression matches."""
        texts = self.page.blocks.text
        lengths = np.fromiter(map(len, texts), dtype=np.int32, count=len(texts)) + len(_APART)
        return (np.cumsum(lengths) - lengths).astype(np.int32), _APART.join(texts)

    @cached_property
    def aria_rows(self) -> dict[str, list[int]]:
        """Value of the `role` attribute, lower case -> elements that have it."""
        found: dict[str, list[int]] = {}
        for row, value in enumerate(read_attribute_column(self.page.document, "role")):
            if value:
                found.setdefault(value.lower(), []).append(row)
        return found

    @cached_property
    def tokens(self) -> list[tuple[frozenset[str], frozenset[str]]]:
        """For each semantic block: class and id tokens of its own elements, and of the elements around it."""
        seen: dict[int, frozenset[str]] = {}
        made = []
        for roots in self.segments.roots:
            own = [self._read_tokens(row, seen) for root in roots for row in self._list_chain(root)]
            around, row = [], int(self.page.document.parent[roots[0]])
            while row >= 0:
                around.append(self._read_tokens(row, seen))
                row = int(self.page.document.parent[row])
            made.append((frozenset[str]().union(*own), frozenset[str]().union(*around)))
        return made

    def _read_tokens(self, row: int, seen: dict[int, frozenset[str]]) -> frozenset[str]:
        if row not in seen:
            document = self.page.document
            names = [read_attribute(document, row, key) or "" for key in ("class", "id")]
            seen[row] = read_tokens(*names) if any(names) else frozenset()
        return seen[row]

    def _list_chain(self, row: int) -> list[int]:
        """The element and the single elements it wraps: they name the same block."""
        document, chain = self.page.document, [row]
        while row + 1 < document.end[row] and document.end[row + 1] == document.end[row]:
            row += 1
            chain.append(row)
        return chain

    def sum_text_blocks(self, values: np.ndarray[tuple[int], np.dtype[np.generic]]) -> Floats:
        """float64 [n]: sum of a column of text blocks over each semantic block."""
        inside = self.segment_of >= 0
        return np.bincount(self.segment_of[inside], values[inside], minlength=len(self.segments)).astype(np.float64)

    def count_elements(self, wanted: Mask) -> Floats:
        """float64 [n]: elements of each semantic block that are marked."""
        return self.count_segments(self.segments.owner[wanted])

    def count_segments(self, numbers: Rows) -> Floats:
        """float64 [n]: how often each semantic block is named."""
        return np.bincount(numbers[numbers >= 0], minlength=len(self.segments)).astype(np.float64)
