"""Blocks before the headline and after the last paragraph of an article lose points, the more the farther away.

The main run is kept running text (P) with gaps of at most `gap` dropped blocks (.). Kept blocks that are not running
text (k) do not count in the distance:

    k . . [P P k P . P] k . . . P . .
                        0 1 2 3 3 4 5    distance, in dropped blocks
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from webclean.decide.correction import average_by_type, make_correction
from webclean.features import PageColumns
from webclean.features.headline import find_headline
from webclean.kernels import DECIDE
from webclean.model import Correction, Floats, Mask, Rows
from webclean.rules.decide_schema import PageEnds

_TOLD: Final = ("after the last paragraph", "before the text")


def correct_ends(columns: PageColumns, kept: Mask, rules: PageEnds, types: Mapping[str, float]) -> Correction | None:
    """The points that blocks lose by standing outside the text, None where none does. kept: bool [n_blocks], what would
    be kept so far."""
    share = average_by_type(rules.counts, types)
    run = find_main_run(columns, kept, rules) if share else None
    if run is None:
        return None
    first, last = run
    headline = find_headline(columns)
    before = rules.points if headline >= 0 else rules.no_headline
    if 0 <= headline < first:
        first = headline
    fade = DECIDE.fade_outside if DECIDE else fade_plainly
    points, is_before = fade(kept, first, last, before, rules.points, rules.reach, share)
    return make_correction("ends", points, is_before, *_TOLD)


def fade_plainly(
    kept: Mask, first: int, last: int, before: float, after: float, reach: float, share: float
) -> tuple[Floats, Rows]:
    """The same as `kernels.decide.fade_outside`, which documents it."""
    index, n_dropped = np.arange(len(kept)), np.cumsum(~kept)
    is_before = index < first
    distance = np.where(index > last, n_dropped - n_dropped[last], n_dropped[first] - n_dropped)
    points = share * (np.where(is_before, before, after) * np.minimum(1.0, distance / reach))
    return np.where(is_before | (index > last), points, 0.0), is_before.astype(np.intp)


def find_main_run(columns: PageColumns, kept: Mask, rules: PageEnds) -> tuple[int, int] | None:
    """First and last block of the run of kept running text with the most words; None where it holds too few of them."""
    find = DECIDE.find_run if DECIDE else find_run_plainly
    first, last, words, total = find(kept, columns.is_prose, columns.words, rules.gap)
    return (first, last) if first >= 0 and words >= rules.main_share * total else None


def find_run_plainly(kept: Mask, prose: Mask, words: Floats, gap: int) -> tuple[int, int, float, float]:
    """The same as `kernels.decide.find_run`, which documents it."""
    text = (kept & prose).nonzero()[0]
    if not len(text):
        return -1, -1, 0.0, 0.0
    gaps = np.diff(np.cumsum(~kept)[text])
    run = np.concatenate(([0], np.cumsum(gaps > gap)))
    of_run = np.bincount(run, words[text])
    best = int(of_run.argmax())
    inside = text[run == best]
    return int(inside[0]), int(inside[-1]), float(of_run[best]), float(np.cumsum(of_run)[-1])
