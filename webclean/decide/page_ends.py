"""Blocks before the headline and after the last paragraph of an article lose points, the more the farther away.

The main run is kept running text (P) with gaps of at most `gap` dropped blocks (.). Kept blocks that are not running
text (k) do not count in the distance:

    k . . [P P k P . P] k . . . P . .
                        0 1 2 3 3 4 5    distance, in dropped blocks
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from webclean import core
from webclean.decide.correction import average_by_type, make_correction
from webclean.features import PageColumns
from webclean.features.headline import find_headline
from webclean.model import Correction, Mask
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
    points, is_before = core.fade_outside(kept, first, last, before, rules.points, rules.reach, share)
    return make_correction("ends", points, is_before, *_TOLD)


def find_main_run(columns: PageColumns, kept: Mask, rules: PageEnds) -> tuple[int, int] | None:
    """First and last block of the run of kept running text with the most words; None where it holds too few of them."""
    first, last, words, total = core.find_run(kept, columns.is_prose, columns.words, rules.gap)
    return (first, last) if first >= 0 and words >= rules.main_share * total else None
