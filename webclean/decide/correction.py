"""What the findings about a page as a whole have in common."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from webclean.model import Correction, Floats, Rows
from webclean.rules.decide_schema import TypeShares


def average_by_type(counts: TypeShares, types: Mapping[str, float]) -> float:
    """How far something counts on a page; types: type -> probability."""
    total = 0.0
    for name, share in counts.types.items():
        total += (share - counts.others) * types.get(name, 0.0)
    return counts.others + total


def make_correction(name: str, points: Floats, because: Rows | None, *texts: str) -> Correction | None:
    """What a finding adds to the points of the blocks, None where it adds nothing.

    Args:
        name: of the finding.
        points: float64 [n_blocks].
        because: int64 [n_blocks], index in `texts`; None where there is one text.
        *texts: the evidence.
    """
    if not points.any():
        return None
    return Correction(name, points, np.zeros(len(points), dtype=np.intp) if because is None else because, texts)
