"""Density sums: punctuation density, text density and composite text density.

Sources: Yang & Yang, punctuation density (2015); Sun, Song & Liao, "DOM based content extraction via text density"
(CETD, SIGIR 2011), whose frame all three share.

With D_i the density of node i and S_i = sum of D over the direct children of i, the threshold t is the smallest D on
the path from body to the node with the largest S. Extract(R): if D(R) > t, the node C of R's subtree (R included)
with the largest S is content; then Extract each child of R.

    punctuation density       D_i = P_i / N_i                 P punctuation marks, N nodes below i (1 if none)
    text density              D_i = C_i / T_i                 C characters, T tags below i
    composite text density    D_i = (C_i / T_i) * log_b((C_i / LC_i) * (T_i / LT_i))
                              b = ln((C_i / NLC_i) * LC_i + (LC_body / C_body) * C_i + e)
                              LC link characters, NLC = C - LC, LT link tags; zeros count as 1

Reading: N counts elements, as T does, since neither paper says whether text nodes count; only elements that are
displayed count. A logarithm whose base is at most 1 does not occur: its argument is at least e.
"""

from __future__ import annotations

import numpy as np

from webclean.features import PageColumns
from webclean.methods.counts import (
    SubtreeCounts,
    at_least_one,
    count_subtrees,
    find_subtree_maximum,
    keep_blocks_under,
    sum_children,
)
from webclean.model import Document, Floats, Mask, Rows


def select_by_punctuation_density(columns: PageColumns) -> Mask:
    """bool [n_blocks]: text blocks inside what punctuation density marks as content."""
    counts = count_subtrees(columns)
    return _select(columns, counts, counts.punctuation / at_least_one(counts.tags))


def select_by_text_density(columns: PageColumns) -> Mask:
    """bool [n_blocks]: text blocks inside what text density marks as content."""
    counts = count_subtrees(columns)
    return _select(columns, counts, counts.chars / at_least_one(counts.tags))


def select_by_composite_text_density(columns: PageColumns) -> Mask:
    """bool [n_blocks]: text blocks inside what composite text density marks as content."""
    counts = count_subtrees(columns)
    return _select(columns, counts, compute_composite_density(counts))


def compute_composite_density(counts: SubtreeCounts) -> Floats:
    """CETD's composite text density of every element; 0 for an element without text."""
    chars, tags = at_least_one(counts.chars), at_least_one(counts.tags)
    links, link_tags = at_least_one(counts.link_chars), at_least_one(counts.link_tags)
    plain = at_least_one(counts.chars - counts.link_chars)
    page = links[counts.body] / chars[counts.body] if len(chars) else 0.0
    base = np.log(chars / plain * links + page * chars + np.e)
    density = chars / tags * np.log(chars / links * (tags / link_tags)) / np.log(base)
    return np.where(counts.chars > 0, density, 0.0)


def _select(columns: PageColumns, counts: SubtreeCounts, density: Floats) -> Mask:
    if not len(columns.blocks):
        return np.zeros(0, dtype=bool)
    return keep_blocks_under(columns, extract_content(columns.document, counts.body, density))


def extract_content(document: Document, body: int, density: Floats) -> Rows:
    """int32 [n]: rows that Extract(body) marks."""
    parent, end = document.parent, int(document.end[body])
    sums = sum_children(parent, density)
    best = find_subtree_maximum(parent, sums)
    row = int(best[body])
    threshold = density[row]
    while row > body:
        row = int(parent[row])
        threshold = min(threshold, density[row])
    dense = np.flatnonzero(density[body:end] > threshold) + body
    return np.unique(best[dense]).astype(np.int32)
