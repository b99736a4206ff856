"""Density sums: punctuation density, text density and composite text density.

Sources: Yang & Yang, punctuation density (2015); Sun, Song & Liao, "DOM based content extraction via text density"
(CETD, SIGIR 2011), whose algorithm all three use with different densities.

D_i is the density of node i, S_i (the density sum) the sum of D over the children of i. The threshold t is the smallest
D on the path from body to the node with the largest S. From body down, Extract(R): (1) if D(R) < t, end here, whatever
is below R; (2) the node with the largest S in the subtree of R (R included) is content; (3) Extract each child of R.
Text density, C characters and T tags below each node:

    node              C   T   D       S
    body             36   8   4.5    18
      div A          24   2  12      24    largest S, so t = min(12, 4.5) = 4.5
        p, p         12   0  12       0
      div B          12   4   3       6    D < t: the recursion ends
        a, a          3   0   3       0    D < t
        p             6   0   6       0    D > t, but not looked at

Reached are body, div A and its paragraphs, so the text of div A is the content. The densities are:

    punctuation density       D_i = P_i / N_i                 P punctuation marks, N nodes below i (1 if none)
    text density              D_i = C_i / T_i                 C characters, T tags below i
    composite text density    D_i = (C_i / T_i) * log_b((C_i / LC_i) * (T_i / LT_i))
                              b = ln((C_i / NLC_i) * LC_i + (LC_body / C_body) * C_i + e)
                              LC link characters, NLC = C - LC, LT link tags; zeros count as 1

Reading: the printed condition is D(R) > t; but t is the density of a node on the path itself, so the recursion would
end before the content: it must be >=. N counts elements, as T does, since neither paper says whether text nodes count.
Only displayed elements count. The base b is above 1, since the argument of its logarithm is above e.
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
    parent = document.parent
    sums = sum_children(parent, density)
    best = find_subtree_maximum(parent, sums)
    row = int(best[body])
    threshold = density[row]
    while row > body:
        row = int(parent[row])
        threshold = min(threshold, density[row])
    return np.unique(best[find_reached(document, body, density >= threshold)]).astype(np.int32)


def find_reached(document: Document, body: int, dense: Mask) -> Rows:
    """int64 [n]: rows from body down that are dense and below dense elements alone. dense: bool [n_elements]."""
    end = int(document.end[body])
    sparse = np.flatnonzero(~dense[body:end]) + body
    ended = np.zeros(len(document) + 1, dtype=np.int64)
    ended[sparse] += 1
    np.subtract.at(ended, document.end[sparse], 1)
    return np.flatnonzero(np.cumsum(ended)[body:end] == 0) + body
