"""Text and symbol density (Hong et al., 2019).

    TD_i = (T_i - LT_i) / (TG_i - LTG_i)       T, LT characters and link characters; TG, LTG tags and link tags
    SbD_i = (T_i - LT_i) / (Sb_i + 1)          Sb symbols (punctuation)
    score_i = ln(std of TD over the page) * TD_i * log10(P_i + 2) * ln(SbD_i)      P paragraphs

The node with the largest score is the content. Reading: a denominator or an argument of ln that would be 0 counts
as 1; only the body and displayed elements below it are compared.
"""

from __future__ import annotations

import numpy as np

from webclean.features import PageColumns
from webclean.methods.counts import at_least_one, count_subtrees, keep_blocks_under
from webclean.model import Mask


def select_by_text_symbol_density(columns: PageColumns) -> Mask:
    """bool [n_blocks]: text blocks inside the node with the largest score."""
    if not len(columns.blocks):
        return np.zeros(0, dtype=bool)
    counts = count_subtrees(columns)
    plain = counts.chars - counts.link_chars
    density = plain / at_least_one(counts.tags - counts.link_tags)
    per_symbol = at_least_one(plain / (counts.punctuation + 1))
    inside = slice(counts.body, int(columns.document.end[counts.body]))
    spread = np.log(at_least_one(np.asarray(density[inside].std())))
    score = spread * density * np.log10(counts.paragraphs + 2) * np.log(per_symbol)
    score[~columns.document.displayed] = -np.inf
    winner = counts.body + int(np.argmax(score[inside]))
    return keep_blocks_under(columns, np.array([winner], dtype=np.int32))
