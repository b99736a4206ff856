"""Posts of a thread are decided together: a short or unusual post is as likely content as the others.

Posts are several blocks with the same tag path (tags and classes of the element and those above it) that are mostly
running text. Posts with fewer points than the mean of all are raised towards it; none is lowered.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from webclean.decide.correction import average_by_type, make_correction
from webclean.features import PageColumns
from webclean.features.names import find_numbered_alike
from webclean.features.trees import hash_paths, number_groups
from webclean.kernels import DECIDE
from webclean.model import Correction, Floats, Rows
from webclean.rules.decide_schema import Posts


def correct_posts(columns: PageColumns, points: Floats, rules: Posts, types: Mapping[str, float]) -> Correction | None:
    """The points that each post gains, None where there are none."""
    share = rules.share * average_by_type(rules.counts, types)
    if not share:
        return None
    group = number_groups(hash_paths(columns.document, find_numbered_alike(columns), rules.levels, columns.row))
    raise_posts = DECIDE.raise_posts if DECIDE else raise_plainly
    gained = raise_posts(group, points, columns.words, columns.sentence_words, rules.text_share, rules.least, share)
    return make_correction("posts", gained, None, "as the other posts at the same path")


def raise_plainly(
    group: Rows, points: Floats, words: Floats, prose_words: Floats, text_share: float, least: int, share: float
) -> Floats:
    """The same as `kernels.decide.raise_posts`, which documents it."""
    of_group = np.bincount(group, words)
    is_posts = np.bincount(group, prose_words) > text_share * of_group
    is_posts &= np.bincount(group) >= least
    mean = np.bincount(group, words * points) / of_group
    return np.where(is_posts[group], share * np.maximum(0.0, mean[group] - points), 0.0)
