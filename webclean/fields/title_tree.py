"""The title of a page by a decision tree, as its source has it (source C, "title extraction by decision tree", 2010).

The page is a sequence of texts. Rules leave out what cannot be a title: hidden text, text of scripts, what is too long
or mostly a link. A C4.5 tree, learnt by `webclean learn title-tree`, marks each text as title or not, by its similarity
to the `<title>` element, its length, its position, its tag and its looks; `<title>` itself is a guide and no candidate.
Of several marked texts the nearest to `<title>` wins.

Reading: similarity is 1 - edit distance / length of the longer one. Where no text is marked, the one with the largest
share of titles at its leaf is taken, of equals the nearest to `<title>`; where there is no text at all, `<title>`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from rapidfuzz.distance import Levenshtein

from webclean.features.looks import read_looks
from webclean.fields.candidates import TITLE_TREE_FEATURES, Candidate, list_alternatives
from webclean.fields.statements import PageStatements
from webclean.model import FieldValue
from webclean.parse.tags import CODE
from webclean.rules.card_schema import TreeNode, read_probabilities, walk_tree
from webclean.rules.fields_schema import TitleRules

IS_TITLE: Final = "title"
"""The answer of a leaf whose texts are titles; the other one is `other`."""
_HEADINGS: Final = {CODE[f"h{level}"]: float(level) for level in range(1, 7)}
_NO_HEADING: Final = 7.0
"""Below h6, so that one test tells headings down to any level."""


def find_title_by_tree(statements: PageStatements, rules: TitleRules) -> tuple[int, FieldValue]:
    """(row of the element that shows the title, or -1; the title)."""
    candidates = collect_title_texts(statements, rules)
    best = choose_title(candidates, rules.tree)
    if best is None:
        return -1, FieldValue(statements.title or None, "title" if statements.title else "")
    share = read_share(rules.tree, best.features)
    rest = sorted(candidates, key=lambda candidate: -candidate.features["title_similarity"])
    return best.row, FieldValue(
        best.value, best.source, share, list_alternatives(other for other in rest if other is not best)
    )


def collect_title_texts(statements: PageStatements, rules: TitleRules, *, guide: str | None = None) -> list[Candidate]:
    """The texts that can be the title, in reading order, with their features. guide: compared with each text in place
    of the page's `<title>`."""
    blocks, document = statements.columns.blocks, statements.document
    looks = read_looks(document, rules.max_css_chars)
    # sizes and colours count against those of most of the text below the root
    around = looks.find_main(0)
    guide, n = (statements.title if guide is None else guide).casefold(), len(blocks)
    # one character is a bullet or an arrow
    fits = (blocks.n_chars > 1) & (blocks.n_chars <= rules.tree_chars) & blocks.visible
    found = []
    for at in np.flatnonzero(fits & (2 * blocks.n_link_chars <= blocks.n_chars)).tolist()[: rules.tree_texts]:
        text, row = blocks.text[at], int(blocks.row[at])
        look = looks.find_main(row)
        features = {
            "title_similarity": Levenshtein.normalized_similarity(text.casefold(), guide),
            "n_chars": float(blocks.n_chars[at]),
            "position": at / n,
            "heading_level": _HEADINGS.get(int(document.tag[row]), _NO_HEADING),
            # rounded, for sizes that are computed by `em` and per cent differ in their last digits
            "size_ratio": round(look.size / max(1.0, around.size), 3),
            "is_bold": float(look.bold),
            "other_colour": float(look.colour != around.colour),
            "other_background": float(look.background != around.background),
        }
        found.append(Candidate(text, f"tree: {document.names[row]}", features, row))
    _mark_largest(found)
    return found


def _mark_largest(candidates: list[Candidate]) -> None:
    """Add whether a text is in the largest letters of all."""
    largest = max((candidate.features["size_ratio"] for candidate in candidates), default=1.0)
    for candidate in candidates:
        candidate.features["is_largest"] = float(candidate.features["size_ratio"] >= largest > 1)


def choose_title(candidates: list[Candidate], tree: TreeNode) -> Candidate | None:
    """Of the marked texts the nearest to `<title>`; without one, that of the leaf with most titles; the first of
    equals."""

    def rank(candidate: Candidate) -> tuple[bool, float, float]:
        leaf = _find_leaf(tree, candidate.features)
        is_marked = leaf.answer == IS_TITLE
        share = read_probabilities(leaf).get(IS_TITLE, 0.0)
        return is_marked, 0.0 if is_marked else share, candidate.features["title_similarity"]

    return max(candidates, key=rank, default=None)


def read_share(tree: TreeNode, values: Mapping[str, float]) -> float:
    """Share of titles at the leaf that a text reaches."""
    return read_probabilities(_find_leaf(tree, values)).get(IS_TITLE, 0.0)


def _find_leaf(tree: TreeNode, values: Mapping[str, float]) -> TreeNode:
    return walk_tree(tree, lambda name: float(TITLE_TREE_FEATURES.find(name).compute(values)))[0]
