"""What belongs together is kept together: the items of a list, terms and definitions, what is in a figure.

A cut through the points of single blocks tears a structure where some of its blocks are just above the cut and others
just below. Where the larger part of its words is kept, the others rise to the mean of the kept ones:

    points      3.1   2.8   0.4   2.9        cut 0.5
    kept        yes   yes   no    yes        three of four: the third one rises to 2.9

A block far below the cut stays where it is: what its words say of it is stronger than its place. Nothing is lowered,
for a list of which little is kept is seldom text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from webclean import core
from webclean.decide.correction import average_by_type, make_correction
from webclean.features import PageColumns
from webclean.features.names import find_numbered_alike
from webclean.model import Correction, Document, Floats
from webclean.parse import count_tags
from webclean.parse.tags import CODE, tag_mask
from webclean.rules.decide_schema import Structures

_NAMES: Final = {"lists": "ul ol", "terms": "dl", "figures": "figure"}
"""The elements that are a structure of each kind."""
_CODES: Final = {kind: [CODE[name] for name in names.split()] for kind, names in _NAMES.items()}
_TAGS: Final = {kind: tag_mask(names).view(np.uint8) for kind, names in _NAMES.items()}
_LEVELS: Final = {"lists": 2, "terms": 2, "figures": 0}
"""Elements of the path by which blocks of a structure are alike: links to share an item are decided as those of the
other items are. All blocks of a figure are alike."""
_TOLD: Final = {
    "lists": "in a list of which most is kept",
    "terms": "in a list of terms of which most is kept",
    "figures": "in a figure of which most is kept",
}


def correct_structures(
    columns: PageColumns, points: Floats, cut: float, rules: Structures, types: Mapping[str, float]
) -> Correction | None:
    """The points that blocks gain whose structure is mostly kept, None where there are none; the innermost of a kind
    counts. cut: the points from which a block is kept so far."""
    there = _list_kinds(columns.document)
    if not there:
        return None
    columns.view("words")  # measured, which the search asks for
    gained, because = np.zeros(len(points)), np.zeros(len(points), dtype=np.intp)
    for number, name in there:
        kind = getattr(rules, name)
        share = average_by_type(kind.counts, types)
        if not share:
            continue
        limits = kind.reach, kind.least_kept, share
        rise = core.raise_structures(
            columns.document.page, points, cut, _TAGS[name], find_numbered_alike(columns), _LEVELS[name], limits
        )
        if rise is not None:
            because[rise > gained] = number
            gained = np.maximum(gained, rise)
    return make_correction("structures", gained, because, *_TOLD.values())


def _list_kinds(document: Document) -> list[tuple[int, str]]:
    """The kinds of structure that a page has, with their numbers."""
    n_tags = count_tags(document)
    return [(number, name) for number, name in enumerate(_TOLD) if any(map(n_tags.__getitem__, _CODES[name]))]
