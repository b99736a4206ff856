"""The patent's page classifier (CN101251855A, A3, step 103): a decision tree over 13 features, which the patent calls
attributes.

They are numbered as in the patent. Thresholds are rules (`page_type.patent.thresholds`). The largest and the
second-largest text block are those of `blocks.text_blocks`, and their text, tags and paragraphs are those that stand in
no further valid block. A *block with p* is a valid block with such a paragraph. Characters are counted without white
space. *Reading* marks how an ambiguous sentence of the patent is interpreted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.blocks.text_blocks import BlockStatistics, compute_statistics
from webclean.caching import cached_property
from webclean.classify.classification import Classification, make_classification
from webclean.features import PageColumns
from webclean.matching.expressions import compile_pattern
from webclean.model import Document, Floats, Mask, Reason
from webclean.parse.tags import tag_mask
from webclean.registry import FeatureRegistry
from webclean.rules import RuleSet
from webclean.rules.card_schema import Step, TreeNode, read_probabilities, walk_tree
from webclean.rules.page_schema import PatentThresholds

_PARAGRAPH: Final = tag_mask("p br blockquote pre")
"""`p` and similar nodes: the elements that divide running text into paragraphs."""


@dataclass(frozen=True, eq=False)
class PatentPage:
    """A page as the patent's classifier sees it."""

    columns: PageColumns
    statistics: BlockStatistics
    thresholds: PatentThresholds

    @property
    def document(self) -> Document:
        return self.columns.document

    @property
    def largest(self) -> int:
        """Row of the largest text block, or -1."""
        return self.statistics.largest

    @property
    def second(self) -> int:
        """Row of the second-largest text block, or -1."""
        return self.statistics.second

    @cached_property
    def n_link_chars(self) -> float:
        """Link characters of the whole page, at least 1."""
        return max(1.0, float(self.columns.blocks.n_link_chars.sum()))

    @cached_property
    def n_paragraphs(self) -> Floats:
        """float64 [n_elements]: paragraph elements that are a valid block's own."""
        return self._count_own(_PARAGRAPH[self.document.tag])

    @cached_property
    def n_tags(self) -> Floats:
        """float64 [n_elements]: elements that are a valid block's own, itself not included."""
        return self._count_own(np.ones(len(self.document), dtype=bool)) - 1

    def _count_own(self, chosen: Mask) -> Floats:
        owner = self.statistics.owner[chosen]
        return np.bincount(owner[owner >= 0], minlength=len(self.document)).astype(np.float64)

    @cached_property
    def blocks_with_paragraph(self) -> Mask:
        """bool [n valid blocks]: the block has a paragraph of its own."""
        return self.n_paragraphs[self.statistics.row] > 0

    def count_chars(self, row: int) -> float:
        """Characters of a block's own text, 0 for none."""
        return float(self.statistics.n_chars[row]) if row >= 0 else 0.0

    def read_text(self, row: int) -> str:
        """The own text of a block, '' for none."""
        blocks = self.columns.blocks
        return " ".join(blocks.text[at] for at in self.statistics.list_own(blocks, row).tolist()) if row >= 0 else ""


PATENT_FEATURES: Final = FeatureRegistry[PatentPage, float]("patent page", "page_type.patent.tree")
feature: Final = PATENT_FEATURES.feature
"""Registers a function as a feature of the patent's classifier: `@feature(unit, meaning)`."""


@feature("0 or 1", "1. The largest text block is longer than 150 characters")
def largest_is_long(page: PatentPage) -> float:
    return page.count_chars(page.largest) > page.thresholds.largest_text_chars


@feature("0 or 1", "2. Largest / second-largest text block is below 1.3 (false without a second one)")
def two_largest_similar(page: PatentPage) -> float:
    if page.second < 0:
        return 0.0
    return page.count_chars(page.largest) / page.count_chars(page.second) < page.thresholds.largest_to_second_ratio


@feature("0 or 1", "3. The second-largest text block is longer than 400 characters")
def second_is_long(page: PatentPage) -> float:
    return page.count_chars(page.second) > page.thresholds.second_text_chars


@feature("0 or 1", "4. The second-largest text block is a copyright notice")
def second_is_copyright(page: PatentPage) -> float:
    pattern = compile_pattern(page.thresholds.copyright)
    return page.second >= 0 and page.statistics.is_notice(page.columns.blocks, page.second, pattern)


@feature("0 or 1", "5. The largest and the second-largest text block are parent and child")
def two_largest_related(page: PatentPage) -> float:
    """Reading: one is inside the parent block of the other, so that this parent is a text of several blocks. By the
    letter (the one is the nearest valid block around the other) the tree is right less often. The body, and a block
    that holds all of the body's text, is the page and no parent: otherwise it would hold of any two blocks at the top.
    """
    if page.second < 0:
        return 0.0
    tree = page.statistics.tree
    first, second = tree.block_of[page.largest], tree.block_of[page.second]

    def is_inside_parent(block: int, other: int) -> bool:
        above = int(tree.parent[block])
        # block 0 is the body: a parent with all of its text is the page
        is_part = above >= 0 and tree.n_chars[above] < tree.n_chars[0]
        return bool(is_part and above < other < tree.end[above])

    return is_inside_parent(first, second) or is_inside_parent(second, first)


@feature("0 or 1", "6. The text of the largest text block has a full stop (any sentence-ending mark)")
def has_full_stop(page: PatentPage) -> float:
    return compile_pattern(page.thresholds.full_stop).search(page.read_text(page.largest)) is not None


@feature("tags", "7. The number of tags in the largest text block")
def tag_count(page: PatentPage) -> float:
    return float(page.n_tags[page.largest]) if page.largest >= 0 else 0.0


@feature("elements", "8. The number of `p` and similar nodes in the largest text block; 0 when it has none")
def paragraph_count(page: PatentPage) -> float:
    return float(page.n_paragraphs[page.largest]) if page.largest >= 0 else 0.0


@feature("0 or 1", "9. Text / link text over the whole body is above 2")
def text_outweighs_links(page: PatentPage) -> float:
    """Reading: text is all characters, links included."""
    return float(page.columns.blocks.n_chars.sum()) / page.n_link_chars > page.thresholds.text_to_link_ratio


@feature("0 or 1", "10. Largest text block / the page's link text is below 0.08")
def largest_small_beside_links(page: PatentPage) -> float:
    return page.count_chars(page.largest) / page.n_link_chars < page.thresholds.largest_to_link_low


@feature("0 or 1", "11. The same ratio is above 0.05, and a block with `p` holds more than 75 characters")
def paragraph_block_beside_links(page: PatentPage) -> float:
    if page.count_chars(page.largest) / page.n_link_chars <= page.thresholds.largest_to_link_high:
        return 0.0
    chars = page.statistics.n_chars[page.statistics.row[page.blocks_with_paragraph]]
    return bool((chars > page.thresholds.paragraph_chars).any())


@feature("0 or 1", "12. There are no clear blocks, and the largest text block is below a threshold")
def no_clear_blocks(page: PatentPage) -> float:
    """Reading: no two text blocks compete; the threshold, which the patent leaves open, is `unclear_text_chars`."""
    return page.second < 0 and page.count_chars(page.largest) < page.thresholds.unclear_text_chars


@feature("0 or 1", "13. There are no blocks at all, and no text in `p`")
def no_blocks(page: PatentPage) -> float:
    if len(page.statistics.row):
        return 0.0
    return not bool((page.statistics.tree.chars_below[_PARAGRAPH[page.document.tag]] > 0).any())


def view_patent_page(columns: PageColumns, rules: RuleSet) -> PatentPage:
    """Compute the block statistics that the features need."""
    statistics = compute_statistics(columns.document, columns.blocks, rules.statistics)
    return PatentPage(columns, statistics, rules.page_type.patent.thresholds)


def measure_patent_features(columns: PageColumns, rules: RuleSet) -> dict[str, float]:
    """Feature -> value for all features; 1 is yes, 0 no."""
    page = view_patent_page(columns, rules)
    return {name: float(feature.compute(page)) for name, feature in PATENT_FEATURES.items()}


def classify_by_patent(columns: PageColumns, rules: RuleSet) -> Classification:
    """The type at the leaf that the page reaches. It knows no subtypes: those of a type are equally probable."""
    leaf, path = ask_tree(columns, rules)
    shares = read_probabilities(leaf)
    types = rules.page_type.types
    members = {kind: [name for name in rules.page_type.card.classes if types[name] == kind] for kind in shares}
    # the patent knows four types; cards weigh by subtypes, of which none is likelier than another
    probabilities = {name: share / len(members[kind]) for kind, share in shares.items() for name in members[kind]}
    answer = str(leaf.answer)
    return make_classification(answer, None, shares.get(answer, 1.0), probabilities, lambda: explain_path(leaf, path))


def ask_tree(columns: PageColumns, rules: RuleSet) -> tuple[TreeNode, tuple[Step, ...]]:
    """The leaf of the patent's tree that the page reaches, and the way there."""
    page = view_patent_page(columns, rules)
    return walk_tree(rules.page_type.patent.tree, lambda name: float(PATENT_FEATURES.find(name).compute(page)))


def explain_path(leaf: TreeNode, path: tuple[Step, ...]) -> tuple[Reason, ...]:
    """The outcome, then the conditions from the root to the leaf."""
    ranked = sorted(read_probabilities(leaf).items(), key=lambda item: -item[1])
    text = ", then ".join(f"{name} {share:.2f}" for name, share in ranked[:2])
    margin = ranked[0][1] - ranked[1][1] if len(ranked) > 1 else 1.0
    text = f"{text}: ahead by {margin:.2f}" + (f". {leaf.because}" if leaf.because else "")
    outcome = Reason("page type", "patent tree", text)
    steps = []
    for step in path:
        sign = "<" if step.condition.below else ">="
        asked = f"{step.condition.name} {sign} {step.condition.threshold:g}"
        answer = "yes" if step.held else "no"
        text = f"{asked}: {answer} ({step.value:.4g})" + (f". {step.because}" if step.because else "")
        steps.append(Reason("patent tree", step.condition.name, text))
    return (outcome, *steps)
