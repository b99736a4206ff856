"""A page as the steps of the patent see it, and its semantic blocks, built from the leaves up (patent A2 to A4).

A leaf of the structure-block tree is a semantic block. A structure block is one too, in place of its children, if each
of these is one and each pair of neighbours among them belongs together; otherwise it is cut, and runs of children that
belong together are one semantic block each. A block of more than `most_share` of the page's text is always cut, so that
the cut is neither too low (fragments) nor too high (the page):

    body               cut: all of the page
      div              cut: its second child starts with a heading
        ul             \\
        ul             /  one semantic block: their URLs share a centre
        div(h2, p)     a semantic block
      div(p, p)        a semantic block

Two neighbours belong together by the first of these that holds, tried in this order:

1. visual: not if the second one starts with a heading (but entries of a list do: short, each with a heading, and with
   the same tags); yes if the first one is the heading of the second; not if font, size or background changes;
2. URL structure: D = sum over i, j of [a_i = b_j] of their semantic centres, over the size of the smaller centre;
3. tag sequence: both repeat the same unit, or their tags are the same;
4. context information gain: each has less than `gain_below` of their parent's text, and both are link blocks or none;
5. a fragment, too short to stand alone, joins its neighbour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

import numpy as np

from webclean import core
from webclean.blocks.text_blocks import BlockStatistics, StructureTree, compute_statistics, find_lines
from webclean.caching import cached_per_page, cached_property
from webclean.features import PageColumns
from webclean.features.block_features import find_links
from webclean.features.looks import Looks
from webclean.methods import keep_blocks_under
from webclean.model import Document, Mask, Rows, Segmentation
from webclean.parse.tags import HEADING
from webclean.parse.url import find_joined
from webclean.rules import RuleSet
from webclean.rules.decide_schema import PatentMethod
from webclean.segments.nodes import arrange_segments
from webclean.segments.urls import MOST_URLS, SCHEME, UrlStructure, describe_urls, is_page_url

_MOST_LINKS: Final = 200
"""Links of an element that are read."""
_WITHIN_TEXT: Final = frozenset({"colour", "weight"})
"""Changes of looks that links and bold words make."""
_MOST_TAGS: Final = 200
"""Tags of a block that are compared, from its start."""


def list_url_tokens(url: str) -> list[str]:
    """Tokens of a URL without scheme and fragment, split at `/` and `.` (step 2 of the patent)."""
    return [token for token in SCHEME.sub("", url.partition("#")[0]).replace(".", "/").split("/") if token]


def find_centre(tokens: Sequence[Iterable[str]], share: float) -> tuple[str, ...]:
    """The tokens that enough addresses have, the most frequent first. tokens: of each address, each once."""
    counts = Counter(token for own in tokens for token in own)
    least = max(min(2, len(tokens)), share * len(tokens))  # what one of several addresses has is no centre
    return tuple(token for token, n in counts.most_common() if n >= least)


@cached_per_page
def list_telling_tokens(page: PageColumns) -> list[list[str]]:
    """Of each distinct target of `find_links`: its tokens that tell where on the site it leads, for a semantic centre.

    Relative addresses are resolved first. Tokens that most links of the page have, such as the host, are no block's
    centre: a menu and the list of news beside it would share them. Nor are those of one link alone, its name.

        http://news.qq.com/a/20080108/000688.htm    a, 20080108     on a page of qq.com with other links than news
        /a/20080108/001413.htm                      a, 20080108
        /about.htm                                  none
    """
    joined, targets = find_joined(page.document), map(str.strip, find_links(page).distinct)
    urls = [(joined[target] or target) if is_page_url(target) else "" for target in targets]
    tokens = [dict.fromkeys(list_url_tokens(url)) for url in urls]
    most = sum(map(bool, tokens)) / 2
    counts = Counter(token for own in tokens for token in own)
    telling = {token for token, count in counts.items() if 1 < count <= most}
    return [[token for token in own if token in telling] for own in tokens]


def compare_centres(a: UrlStructure, b: UrlStructure) -> float:
    """Overlap of two semantic centres, 0 to 1: D of the patent, equal tokens, / size of the smaller one."""
    # as a share of the smaller one: a teaser of three links may lie within a list of fifty
    smaller = min(len(a.centre), len(b.centre))
    return len({*a.centre}.intersection(b.centre)) / smaller if smaller else 0.0


@dataclass(frozen=True, eq=False)
class StructuredPage:
    """One page with its structure-block tree and the settings of the method. Elements are named by their rows,
    structure blocks by their places in the tree."""

    columns: PageColumns
    rules: RuleSet
    _urls: dict[int, UrlStructure] = field(default_factory=dict)
    _units: dict[int, tuple[object, ...]] = field(default_factory=dict)

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
        return Looks(self.document, self.settings.blocks.max_css_chars)

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

    def describe_targets(self, targets: Rows) -> UrlStructure:
        """The URL structure of links, with the markers of the rules (`segments.urls`). targets: their numbers."""
        urls, links = self.rules.segments.urls, find_links(self.columns)
        some = dict.fromkeys(targets[:_MOST_LINKS].tolist())
        different = [target for target in some if is_page_url(links.distinct[target].strip())]
        tokens = list_telling_tokens(self.columns)
        centre = find_centre([tokens[target] for target in different[:MOST_URLS]], urls.centre_share)
        described = describe_urls([links.distinct[target].strip() for target in different], urls.markers)
        return replace(described, centre=centre)

    def starts_with_heading(self, row: int) -> bool:
        """Whether the first text below an element is a heading."""
        at, end = find_lines(self.document, self.columns.blocks, row).tolist()
        shown = self.columns.blocks.visible[at:end].nonzero()[0]
        return bool(len(shown)) and bool(HEADING[self.columns.tag[at + shown[0]]])

    def is_heading_of(self, row: int, other: int) -> bool:
        """Whether an element is the heading of another: short, and a heading by its tag or by its looks (larger than
        the other, or bold where the other is not)."""
        if self.count_chars(row) > self.settings.blocks.heading_chars:
            return False
        if self.starts_with_heading(row):
            return True
        look, around = self.looks.find_main(row), self.looks.find_main(other)
        return round(look.size) > round(around.size) or (look.bold and not around.bold)

    def changes_looks(self, row: int, other: int) -> bool:
        """Whether font, size or background part two elements. Colour and weight also change inside a text."""
        changes = self.looks.find_main(row).list_changes(self.looks.find_main(other))
        return not _WITHIN_TEXT.issuperset(changes)

    def find_bond(self, before: int, after: int) -> str:
        """Why two neighbours belong together; '' if they do not."""
        row, other = int(self.tree.row[before]), int(self.tree.row[after])
        if self.settings.blocks.visual:
            if self.starts_with_heading(other):
                return "entries of one list" if self._are_entries(before, after) else ""
            if self.is_heading_of(row, other):
                return "the heading of what follows"
            if self.changes_looks(row, other):
                return ""
        is_fragment = min(map(self.count_chars, (row, other))) < self.settings.blocks.fragment_chars
        return self._find_likeness(before, after) or ("too short to stand alone" if is_fragment else "")

    def _are_entries(self, before: int, after: int) -> bool:
        """Whether two neighbours that both start with a heading are entries of a list, such as teasers: short, with the
        same tags and few links. Their headings part entries and not blocks."""
        tree, settings = self.tree, self.settings
        if not settings.blocks.tags or not self.starts_with_heading(int(tree.row[before])):
            return False
        if max(tree.n_chars[before], tree.n_chars[after]) >= settings.blocks.prominent_chars:
            return False
        if max(self.read_urls(before).n_urls, self.read_urls(after).n_urls) >= settings.index.min_urls:
            return False
        return self.read_unit(before) == self.read_unit(after) != ()

    def _find_likeness(self, before: int, after: int) -> str:
        """What two neighbours have in common: URLs, tags, or that neither has most of the text around."""
        settings, tree = self.settings.blocks, self.tree
        if settings.url:
            overlap = compare_centres(self.read_urls(before), self.read_urls(after))
            if overlap >= settings.url_overlap:
                return f"their URLs share {overlap:.0%} of their centre"
        if settings.tags and self.read_unit(before) == self.read_unit(after) != ():
            return "the same sequence of tags"
        row, other = int(tree.row[before]), int(tree.row[after])
        if settings.gain and self.is_link_block(row) == self.is_link_block(other):
            around = max(1, int(tree.n_chars[tree.parent[before]]))
            # the context information gain (patent A4): neither has enough of the text to be a block on its own
            gain = max(int(tree.n_chars[before]), int(tree.n_chars[after])) / around
            if gain < settings.gain_below:
                return f"neither has more than {gain:.0%} of the text around"
        return ""

    def read_urls(self, block: int) -> UrlStructure:
        """The URL structure of the links of a structure block, read once."""
        if block not in self._urls:
            row, links = int(self.tree.row[block]), find_links(self.columns)
            low, high = np.searchsorted(links.row, (row, int(self.document.end[row])))
            self._urls[block] = self.describe_targets(links.number[low:high])
        return self._urls[block]

    def read_unit(self, block: int) -> tuple[object, ...]:
        """The unit of tags that a structure block repeats; where it repeats none, all its tags, if more than one."""
        if block not in self._units:
            row = int(self.tree.row[block])
            names = self.document.names[row + 1 : min(int(self.document.end[row]), row + 1 + _MOST_TAGS)]
            # a list of teasers is compared by one teaser, whatever its length
            unit = find_unit(names, self.rules.segments.records.agreement)
            self._units[block] = unit or (tuple(names) if len(names) > 1 else ())
        return self._units[block]


def cut_semantic_blocks(page: StructuredPage) -> Segmentation:
    """The semantic blocks of a page: every text block is in exactly one."""
    tree = page.tree
    around = page.tree.block_of[page.columns.row]
    holds_text = np.zeros(len(tree), dtype=bool)
    holds_text[around[around >= 0]] = True
    whole = [""] * len(tree)
    found: dict[tuple[int, ...], str] = {}
    # from the leaves up: whether a block is whole depends on its children
    for block in range(len(tree) - 1, -1, -1):
        children = tree.list_children(block)
        joins = [page.find_bond(before, after) for before, after in pairwise(children)]
        whole[block] = _find_whole(page, block, [whole[child] for child in children], joins)
        if whole[block]:
            continue
        for run, why in _list_runs(children, joins, whole):
            found[tuple(int(tree.row[part]) for part in run)] = why
        if holds_text[block]:
            found[(int(tree.row[block]),)] = "text directly inside an element that was cut"
    if len(tree) and whole[0]:
        found[(int(tree.row[0]),)] = whole[0]
    if (around < 0).any():
        found.setdefault((0,), "text outside all structure blocks")
    return arrange_segments(page.document, found)


def _find_whole(page: StructuredPage, block: int, children: list[str], joins: list[str]) -> str:
    """Why a structure block is one semantic block; '' if it is cut. children: the same of its children."""
    tree = page.tree
    if not children:
        return "a structure block without others inside"
    if not all(children) or not all(joins):
        return ""
    # an only child: whatever it is, the element around it is too
    if not joins:
        return children[0]
    share = tree.n_chars[block] / max(1, tree.n_chars[0])
    return f"{len(children)} parts: {joins[0]}" if share <= page.settings.blocks.most_share else ""


def _list_runs(children: list[int], joins: list[str], whole: list[str]) -> list[tuple[list[int], str]]:
    """Runs of children that belong together, each with the reason; children that were cut are in none."""
    runs: list[tuple[list[int], str]] = []
    is_open = False
    for child, join in zip(children, ["", *joins], strict=True):
        if whole[child] and join and is_open:
            runs[-1] = ([*runs[-1][0], child], f"merged: {join}")
        elif whole[child]:
            runs.append(([child], whole[child]))
        is_open = bool(whole[child])
    return runs


def find_unit(tags: Sequence[str], agreement: float) -> tuple[str, ...]:
    """The repeated unit of a sequence of tags (`core/unit_signals.py`), () when nothing repeats.

    agreement: share of the occurrences that must have a tag for the unit to include it, and of the unit's tags that an
    occurrence must have.
    """
    number: dict[str, int] = {}
    sequence = [number.setdefault(tag, len(number)) for tag in tags]
    names = tuple(number)
    # a sequence of one tag cannot be extended
    if len(names) < 2:
        return names if len(tags) > 1 else ()
    return tuple(map(names.__getitem__, core.find_repetition(sequence, len(names), agreement)))
