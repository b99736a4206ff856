"""Blocks before the headline and after the last paragraph of an article lose points, the more the farther away.

The main run is kept running text (P) with gaps of at most `gap` dropped blocks (.). Kept blocks that are not running
text (k) do not count in the distance:

    k . . [P P k P . P] k . . . P . .
                        0 1 2 3 3 4 5    distance, in dropped blocks
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from webclean.decide.regions import average_by_type
from webclean.features import PageColumns
from webclean.features.headline import find_headline
from webclean.model import Correction, Mask
from webclean.rules.regions_schema import PageEnds

_NOTHING = ("",)


def correct_ends(columns: PageColumns, kept: Mask, rules: PageEnds, types: Mapping[str, float]) -> Correction:
    """The points that blocks lose by standing outside the text. kept: bool [n_blocks], what would be kept so far."""
    n, share = len(kept), average_by_type(rules.counts, types)
    run = find_main_run(columns, kept, rules) if share else None
    if run is None:
        return Correction("ends", np.zeros(n), np.zeros(n, dtype=np.intp), _NOTHING)
    first, last = run
    headline = find_headline(columns)
    before = rules.points if headline >= 0 else rules.no_headline
    if 0 <= headline < first:
        first = headline
    n_dropped = np.cumsum(~kept)
    distance = np.where(columns.index > last, n_dropped - n_dropped[last], 0)
    distance_before = np.where(columns.index < first, n_dropped[first] - n_dropped, 0)
    points = rules.points * np.minimum(1.0, distance / rules.reach)
    points += before * np.minimum(1.0, distance_before / rules.reach)
    because = (columns.index < first).astype(np.intp)
    return Correction("ends", share * points, because, ("after the last paragraph", "before the text"))


def find_main_run(columns: PageColumns, kept: Mask, rules: PageEnds) -> tuple[int, int] | None:
    """First and last block of the run of kept running text with the most words; None where it holds too few of them."""
    text = (kept & columns.is_prose).nonzero()[0]
    if not len(text):
        return None
    gaps = np.diff(np.cumsum(~kept)[text])
    run = np.concatenate(([0], np.cumsum(gaps > rules.gap)))
    words = np.bincount(run, columns.words[text])
    best = int(words.argmax())
    inside = text[run == best]
    return (int(inside[0]), int(inside[-1])) if words[best] >= rules.main_share * words.sum() else None
