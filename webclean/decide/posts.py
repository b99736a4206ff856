"""Posts of a thread are decided together: a short or unusual post is as likely content as the others.

Posts are several blocks with the same tag path (tags and classes of the element and those above it) that are mostly
running text. Posts with fewer points than the mean of all are raised towards it; none is lowered.
"""

from __future__ import annotations

from collections.abc import Mapping

from webclean import core
from webclean.decide.correction import average_by_type, make_correction
from webclean.features import PageColumns
from webclean.features.names import find_numbered_alike
from webclean.features.trees import hash_paths, number_groups
from webclean.model import Correction, Floats
from webclean.rules.decide_schema import Posts


def correct_posts(columns: PageColumns, points: Floats, rules: Posts, types: Mapping[str, float]) -> Correction | None:
    """The points that each post gains, None where there are none."""
    share = rules.share * average_by_type(rules.counts, types)
    if not share:
        return None
    group = number_groups(hash_paths(columns.document, find_numbered_alike(columns), rules.levels, columns.row))
    gained = core.raise_posts(
        group, points, columns.words, columns.sentence_words, rules.text_share, rules.least, share
    )
    return make_correction("posts", gained, None, "as the other posts at the same path")
