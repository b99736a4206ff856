"""`StructuredPage`: a page as the steps of the patent see it, and what they ask of its blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.blocks.statistics import BlockStatistics, compute_statistics
from webclean.blocks.structure import StructureTree
from webclean.caching import cached_property
from webclean.features import PageColumns
from webclean.features.looks import Looks, read_looks
from webclean.methods.counts import keep_blocks_under
from webclean.model import Document, Mask, Rows
from webclean.parse import read_attribute
from webclean.parse.tags import HEADING
from webclean.rules import RuleSet
from webclean.rules.methods_schema import PatentMethod
from webclean.segments.url_structure import UrlStructure, describe_urls

_MOST_LINKS: Final = 200
"""Links of an element that are read."""


@dataclass(frozen=True, eq=False)
class StructuredPage:
    """One page with its structure-block tree and the settings of the method. Elements are named by their rows."""

    columns: PageColumns
    rules: RuleSet

    @property
    def document(self) -> Document:
        return self.columns.document

    @property
    def settings(self) -> PatentMethod:
        return self.rules.methods.patent

    @property
    def tree(self) -> StructureTree:
        """The structure-block tree (A2)."""
        return self.statistics.tree

    @cached_property
    def statistics(self) -> BlockStatistics:
        """The valid blocks, the largest and the second-largest text block (A3)."""
        return compute_statistics(self.document, self.columns.blocks, self.rules.statistics)

    @cached_property
    def looks(self) -> Looks:
        return read_looks(self.document, self.settings.blocks.max_css_chars)

    @cached_property
    def _links(self) -> Rows:
        link = self.document.link
        return np.flatnonzero(link == np.arange(len(link)))

    def count_chars(self, row: int) -> int:
        """Characters below an element."""
        return int(self.tree.chars_below[row])

    def is_link_block(self, row: int) -> bool:
        """Whether an element has less text for each character of link text than a text has. Text includes links."""
        ratio = self.settings.link_block_ratio
        return self.count_chars(row) < ratio * int(self.tree.link_chars_below[row])

    def mark_under(self, *rows: int) -> Mask:
        """bool [n_blocks]: the visible text blocks in the subtrees of the elements."""
        return keep_blocks_under(self.columns, np.array(rows, dtype=np.int64)) & self.columns.blocks.visible

    def read_text(self, row: int) -> str:
        """The text below an element."""
        low, high = np.searchsorted(self.columns.blocks.row, (row, int(self.document.end[row])))
        return " ".join(self.columns.blocks.text[low:high])

    def describe_links(self, rows: tuple[int, ...]) -> UrlStructure:
        """The URL structure of the links below elements, with the markers of the rules (`segments.urls`)."""
        urls = self.rules.segments.urls
        found = []
        for row in rows:
            low, high = np.searchsorted(self._links, (row, int(self.document.end[row])))
            links = self._links[low : min(high, low + _MOST_LINKS)].tolist()
            found += [read_attribute(self.document, link, "href") or "" for link in links]
        return describe_urls(map(str.strip, found), urls.markers, centre_share=urls.centre_share)

    def starts_with_heading(self, row: int) -> bool:
        """Whether the first text below an element is a heading."""
        at = int(np.searchsorted(self.columns.blocks.row, row))
        blocks = self.columns.blocks
        while at < len(blocks) and blocks.row[at] < self.document.end[row] and not blocks.visible[at]:
            at += 1
        return bool(at < len(blocks) and blocks.row[at] < self.document.end[row] and HEADING[self.columns.tag[at]])

    def is_heading_of(self, row: int, other: int) -> bool:
        """Whether an element is the heading of another: short, and a heading by its tag or by its looks (larger than
        the other, or bold where the other is not)."""
        if self.count_chars(row) > self.settings.blocks.heading_chars:
            return False
        if self.starts_with_heading(row):
            return True
        look, around = self.looks.find_main(row), self.looks.find_main(other)
        return round(look.size) > round(around.size) or (look.bold and not around.bold)
