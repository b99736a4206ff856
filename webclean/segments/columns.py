"""One page's columns together with its semantic blocks, and what several measures share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from operator import or_
from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean.features import PageColumns
from webclean.features.names import find_names
from webclean.features.word_points import split_name
from webclean.model import Document, Floats, Mask, Rows
from webclean.parse import find_attribute, read_attribute
from webclean.rules.segments_schema import Segments
from webclean.segments.cut import Segmentation

_MOST_NAMES: Final = 1 << 14
_APART = "\n\x00\n"


class NameBits(dict[str, int]):
    """Name -> the groups of tokens that it has a whole word of, as bits; kept from page to page, for they recur."""

    def __init__(self, bits: Mapping[str, int]) -> None:
        super().__init__()
        self._bits = bits

    def __missing__(self, name: str) -> int:
        if len(self) >= _MOST_NAMES:
            self.clear()
        found = self[name] = reduce(or_, (self._bits.get(word, 0) for word in split_name(name)), 0)
        return found


@lru_cache(maxsize=16)
def _make_name_bits(tokens: tuple[tuple[str, str], ...]) -> NameBits:
    bits: dict[str, int] = {}
    for i, (_, words) in enumerate(tokens):
        for word in words.split():
            bits[word] = bits.get(word, 0) | 1 << i
    return NameBits(bits)


def get_name_bits(rules: Segments) -> NameBits:
    """The names that are known already under a rule set's groups of tokens."""
    return _make_name_bits(tuple(rules.tokens.items()))


class AuthorRows:
    """The elements whose class, rel or itemprop has a token that says they hold an author; read when asked for."""

    def __init__(self, document: Document, rules: Segments) -> None:
        self._document, self._names, self._bit = document, get_name_bits(rules), rules.group_bits["author"]
        self._known: dict[int, bool] = {}

    def __contains__(self, row: object) -> bool:
        assert isinstance(row, int)
        found = self._known.get(row)
        if found is None:
            names = (read_attribute(self._document, row, key) for key in ("class", "rel", "itemprop"))
            found = self._known[row] = any(self._names[name] & self._bit for name in names if name)
        return found


@dataclass(frozen=True, eq=False)
class SegmentColumns:
    """One page's columns and its semantic blocks.

    score: float64 [n_text_blocks], points of the text blocks; cut: the points from which they are kept.
    """

    page: PageColumns
    segments: Segmentation
    rules: Segments
    score: Floats
    cut: float

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
        for row in find_attribute(self.page.document, "role"):
            found.setdefault((read_attribute(self.page.document, row, "role") or "").lower(), []).append(row)
        return found

    @cached_property
    def tokens(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """int64 [n] each, bits of groups: tokens in the names of each block's own elements, and of those around."""
        parent, names = self.page.document.parent, self.name_bits
        around: list[int] = []
        own: list[int] = []
        path = {-1: 0}
        for roots in self.segments.roots:
            own.append(reduce(or_, (names[row] for root in roots for row in self._list_chain(root))))
            above = [int(parent[roots[0]])]
            while above[-1] not in path:
                above.append(int(parent[above[-1]]))
            for row, up in zip(above[-2::-1], above[:0:-1], strict=True):
                path[row] = path[up] | names[row]
            around.append(path[above[0]])
        return np.array(own, dtype=np.int64), np.array(around, dtype=np.int64)

    @cached_property
    def name_bits(self) -> list[int]:
        """For each element the groups of tokens that its tag or its naming attributes have a whole word of, as bits."""
        table = find_names(self.page)
        found = list(map(get_name_bits(self.rules).__getitem__, table.names))
        return list(map(found.__getitem__, table.index.tolist()))

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
