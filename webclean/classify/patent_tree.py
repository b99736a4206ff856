"""The patent's page classifier (CN101251855A, A3, step 103): a decision tree over 13 features, which the patent calls
attributes.

They are numbered as in the patent. Thresholds are rules (`page_type.patent.thresholds`). The largest and the
second-largest text block are those of `blocks.text_blocks`, and their text, tags and paragraphs are those that stand in
no further valid block. A *block with p* is a valid block with such a paragraph. Characters are counted without white
space. *Reading* marks how an ambiguous sentence of the patent is interpreted.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import Final

import numpy as np

from webclean.blocks.text_blocks import BlockStatistics, compute_statistics
from webclean.classify.classification import Classification, make_classification
from webclean.features import PageColumns
from webclean.matching.expressions import compile_pattern
from webclean.model import Reason
from webclean.parse.tags import tag_mask
from webclean.registry import FeatureRegistry
from webclean.rules import RuleSet
from webclean.rules.card_schema import Step, TreeNode, read_probabilities, walk_tree
from webclean.storage import read_table

_PARAGRAPH: Final = tag_mask("p br blockquote pre")
"""`p` and similar nodes: the elements that divide running text into paragraphs."""


PATENT_FEATURES: Final = FeatureRegistry[Mapping[str, float], float]("patent page", "page_type.patent.tree")
"""Of the values that `measure_patent_features` gives, in its order."""
for _name, (_unit, _meaning) in read_table(__file__, "patent_features.toml").items():
    PATENT_FEATURES.feature(_unit, _meaning, name=_name)(itemgetter(_name))


def measure_patent_features(columns: PageColumns, rules: RuleSet) -> dict[str, float]:
    """Feature -> value for all features; 1 is yes, 0 no."""
    document, blocks, asked = columns.document, columns.blocks, rules.page_type.patent.thresholds
    found = compute_statistics(document, blocks, rules.statistics)
    first, second, is_paragraph = found.largest, found.second, _PARAGRAPH[document.tag]
    n_first, n_second = (float(found.n_chars[row]) if row >= 0 else 0.0 for row in (first, second))
    # what is a valid block's own
    owned = (found.owner[(found.owner >= 0) & chosen] for chosen in (True, is_paragraph))
    n_elements, n_paragraphs = (np.bincount(owner, minlength=len(document)) for owner in owned)
    # Reading: text is all characters, links included
    n_chars, n_link_chars = float(blocks.n_chars.sum()), max(1.0, float(blocks.n_link_chars.sum()))
    text = " ".join(blocks.text[at] for at in found.list_own(blocks, first).tolist()) if first >= 0 else ""
    with_paragraph = found.n_chars[found.row[n_paragraphs[found.row] > 0]]
    values = (
        n_first > asked.largest_text_chars,
        second >= 0 and n_first / n_second < asked.largest_to_second_ratio,
        n_second > asked.second_text_chars,
        second >= 0 and found.is_notice(blocks, second, compile_pattern(asked.copyright)),
        second >= 0 and _are_related(found),
        compile_pattern(asked.full_stop).search(text) is not None,
        n_elements[first] - 1 if first >= 0 else 0,  # the block itself is not counted
        n_paragraphs[first] if first >= 0 else 0,
        n_chars / n_link_chars > asked.text_to_link_ratio,
        n_first / n_link_chars < asked.largest_to_link_low,
        n_first / n_link_chars > asked.largest_to_link_high and (with_paragraph > asked.paragraph_chars).any(),
        # Reading: no two text blocks compete; the threshold, which the patent leaves open, is `unclear_text_chars`
        second < 0 and n_first < asked.unclear_text_chars,
        not len(found.row) and not (found.tree.chars_below[is_paragraph] > 0).any(),
    )
    return dict(zip(PATENT_FEATURES, map(float, values), strict=True))


def _are_related(found: BlockStatistics) -> bool:
    """Whether the two largest text blocks are parent and child.

    Reading: one is inside the parent block of the other, so that this parent is a text of several blocks. By the
    letter (the one is the nearest valid block around the other) the tree is right less often. The body, and a block
    that holds all of the body's text, is the page and no parent: otherwise it would hold of any two blocks at the top.
    """
    tree = found.tree
    pair = tree.block_of[found.largest], tree.block_of[found.second]
    for block, other in (pair, pair[::-1]):
        above = int(tree.parent[block])
        # block 0 is the body
        if above >= 0 and tree.n_chars[above] < tree.n_chars[0] and above < other < tree.end[above]:
            return True
    return False


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
    values = measure_patent_features(columns, rules)
    return walk_tree(rules.page_type.patent.tree, lambda name: PATENT_FEATURES.find(name).compute(values))


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
