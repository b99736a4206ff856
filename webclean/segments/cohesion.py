"""Finds neighbouring parts of a page that are merged into one semantic block (patent A4).

Only siblings are merged. Three signals are reasons to merge neighbours: both are small, their URLs are alike, or they
have the same tag sequence. Two prevent it: the second one starts with a heading, or they look different. The signals
can be switched in the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from webclean.caching import cached_property
from webclean.features.looks import Looks, read_looks
from webclean.model import Document
from webclean.parse import read_attribute
from webclean.rules.segments_schema import SegmentCut, Urls
from webclean.segments.cut_tree import CutTree
from webclean.segments.url_structure import UrlStructure, compare_centres, describe_urls
from webclean.segments.visual import compare_looks, look_alike


@dataclass(frozen=True)
class Neighbours:
    """Compares neighbouring nodes of the cut tree of one page."""

    document: Document
    tree: CutTree
    rules: SegmentCut
    urls: Urls

    @cached_property
    def looks(self) -> Looks:
        return read_looks(self.document, self.rules.max_css_chars)

    def find_runs(self, siblings: Sequence[int], leaves: dict[int, str]) -> list[tuple[list[int], str]]:
        """The runs of siblings to merge, each with the reason for it.

        Args:
            siblings: children of one node of the cut tree, in document order.
            leaves: the nodes that are not split -> why; only these are merged.
        """
        runs: list[tuple[list[int], str]] = []
        for before, after in pairwise(siblings):
            if before not in leaves or after not in leaves:
                continue
            why = self._find_bond(before, after)
            if why and runs and runs[-1][0][-1] == before:
                runs[-1][0].append(after)
            elif why:
                runs.append(([before, after], why))
        return runs

    def _find_bond(self, before: int, after: int) -> str:
        tree, rules = self.tree, self.rules
        why = ""
        if max(tree.share[before], tree.share[after]) < rules.merge_share:
            why = "small neighbours"
        elif rules.url and (overlap := compare_centres(self._urls(before), self._urls(after))) >= rules.url_overlap:
            why = f"their URLs share {overlap:.0%} of their centre"
        elif rules.tags and self._repeats(before, after):
            why = "the same sequence of tags"
        if why and tree.has_heading[after]:
            return ""
        if why and rules.visual and not look_alike(self.document, tree.row[before], tree.row[after]):
            look = compare_looks(self.document, tree.row[before], tree.row[after], self.looks)
            return "" if look.separates else why
        return why

    def _repeats(self, before: int, after: int) -> bool:
        a, b = self._sequence(before), self._sequence(after)
        return len(a) > 1 and a == b

    def _sequence(self, node: int) -> tuple[str, ...]:
        """The tags of a node's elements; a run of equal tags counts once."""
        row = self.tree.row[node]
        names = self.document.names[row : int(self.document.end[row])]
        return tuple(name for i, name in enumerate(names) if not i or names[i - 1] != name)

    def _urls(self, node: int) -> UrlStructure:
        row = self.tree.row[node]
        found = (read_attribute(self.document, at, "href") for at in range(row, int(self.document.end[row])))
        return describe_urls(filter(None, found), {}, centre_share=self.urls.centre_share)
