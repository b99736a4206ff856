"""Density sums: punctuation density, text density and composite text density.

Sources: Yang & Yang, punctuation density (2015); Sun, Song & Liao, "DOM based content extraction via text density"
(CETD, SIGIR 2011), whose algorithm all three use with different densities.

D_i is the density of node i, S_i (the density sum) the sum of D over the children of i. The threshold t is the smallest
D on the path from body to the node with the largest S. For every node R with D(R) > t, the node with the largest S in
the subtree of R (R included) is content. Text density, C characters and T tags below each node:

    node              C   T   D       S
    body             32   6   5.3    16
      div A          24   2  12      24    largest S, so t = min(12, 5.3) = 5.3
        p, p         12   0  12       0
      div B           8   2   4       8    D < t
        a, a          4   0   4       0    D < t

Nodes above t are div A and its paragraphs, so the text of div A is the content. The densities are:

    punctuation density       D_i = P_i / N_i                 P punctuation marks, N nodes below i (1 if none)
    text density              D_i = C_i / T_i                 C characters, T tags below i
    composite text density    D_i = (C_i / T_i) * log_b((C_i / LC_i) * (T_i / LT_i))
                              b = ln((C_i / NLC_i) * LC_i + (LC_body / C_body) * C_i + e)
                              LC link characters, NLC = C - LC, LT link tags; zeros count as 1

Reading: N counts elements, as T does, since neither paper says whether text nodes count. Only displayed elements count.
The base b is above 1, since the argument of its logarithm is above e.
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
    """bool [n_blocks]: the content by punctuation density."""
    counts = count_subtrees(columns)
    return _select(columns, counts, counts.punctuation / at_least_one(counts.tags))


def select_by_text_density(columns: PageColumns) -> Mask:
    """bool [n_blocks]: the content by text density."""
    counts = count_subtrees(columns)
    return _select(columns, counts, counts.chars / at_least_one(counts.tags))


def select_by_composite_text_density(columns: PageColumns) -> Mask:
    """bool [n_blocks]: the content by composite text density."""
    counts = count_subtrees(columns)
    return _select(columns, counts, compute_composite_density(counts))


def compute_composite_density(counts: SubtreeCounts) -> Floats:
    """float64 [n_elements]: composite text density of CETD; 0 for an element without text."""
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
    """int32 [n]: rows of the content nodes. density: float64 [n_elements]."""
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
