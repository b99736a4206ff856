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
from webclean.features.trees import hash_paths, number_groups
from webclean.model import Correction, Document, Floats, Mask, Rows
from webclean.parse import count_tags
from webclean.parse.preorder import find_nearest
from webclean.parse.tags import CODE, tag_mask
from webclean.rules.decide_schema import Structures

_NAMES: Final = {"lists": "ul ol", "terms": "dl", "figures": "figure"}
"""The elements that are a structure of each kind."""
_CODES: Final = {kind: [CODE[name] for name in names.split()] for kind, names in _NAMES.items()}
_TAGS: Final = {kind: tag_mask(names) for kind, names in _NAMES.items()}
_LEVELS: Final = 2
"""Elements of the path by which blocks of a list are alike."""
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
    kept = points >= cut
    there = _list_kinds(columns.document) if kept.any() else []
    if not there:
        return None
    gained, because = np.zeros(len(points)), np.zeros(len(points), dtype=np.intp)
    for number, name in there:
        kind = getattr(rules, name)
        share, near = average_by_type(kind.counts, types), ~kept & (points >= cut - kind.reach)
        if not share or not near.any():
            continue
        around = find_structures(columns, name)
        if not (around[near] >= 0).any():
            continue
        aim = find_means(columns, points, kept, number_structures(columns, name, around), kind.least_kept)
        rises = near & (aim > points)
        rise = np.where(rises, share * (aim - np.where(rises, points, 0.0)), 0.0)
        because[rise > gained] = number
        gained = np.maximum(gained, rise)
    return make_correction("structures", gained, because, *_TOLD.values())


def _list_kinds(document: Document) -> list[tuple[int, str]]:
    """The kinds of structure that a page has, with their numbers."""
    n_tags = count_tags(document)
    return [(number, name) for number, name in enumerate(_TOLD) if any(map(n_tags.__getitem__, _CODES[name]))]


def find_structures(columns: PageColumns, name: str) -> Rows:
    """int [n_blocks]: the innermost structure of a kind around each block, -1 outside."""
    document = columns.document
    return find_nearest(document.parent, _TAGS[name][document.tag])[columns.row]


def number_structures(columns: PageColumns, name: str, around: Rows) -> Rows:
    """int [n_blocks]: a number for the blocks of each structure that are alike; -1 outside. All blocks of a figure are
    alike; in a list, those at the same path, for links to share an item are decided as those of the other items are.
    around: of `find_structures`."""
    if name == "figures":
        return around
    paths = number_groups(hash_paths(columns.document, find_numbered_alike(columns), _LEVELS, columns.row))
    return np.where(around >= 0, around * (int(paths.max()) + 1) + paths, -1)


def find_means(columns: PageColumns, points: Floats, kept: Mask, around: Rows, least_kept: float) -> Floats:
    """float64 [n_blocks]: the mean points of the kept words of the structure around a block, if their share of its
    words is enough; -inf for others."""
    found: Floats = core.average_kept(number_groups(around), around, points, kept, columns.words, least_kept)
    return found
