"""Semantic blocks -> their importance, 0 to 1, with reasons (patent A7: ranking of index blocks).

The importance is a weighted sum of URL regularity, marker tokens in URLs, size, position and role.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from webclean.model import Floats, Reason, Role
from webclean.rules.segments_schema import Importance
from webclean.segments.features import measure_segments
from webclean.segments.segment_columns import SegmentColumns
from webclean.segments.url_structure import UrlStructure

N_REASONS = 2


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """value: float64 [n_blocks], 0 to 1. parts: name of a summand -> float64 [n_blocks]."""

    value: Floats
    parts: dict[str, Floats]


def rank_blocks(columns: SegmentColumns, roles: Sequence[Role], urls: Floats, rules: Importance) -> Ranking:
    """Compute the importance of each block. What its URLs give is scaled down for a block with few of them.

    Args:
        columns: the blocks.
        roles: of each.
        urls: float64 [3, n_blocks], their number, regularity and markers, as `measure_urls` gives them.
        rules: weights.
    """
    size = np.sqrt(measure_segments(columns, "text_share"))
    n_urls, regularity, marker_weight = urls
    trust = np.minimum(1.0, n_urls / rules.full_urls)
    parts = {
        "size": rules.size * size,
        "position": rules.position * (1 - measure_segments(columns, "position")),
        "url regularity": rules.regularity * trust * regularity,
        "url markers": rules.markers * trust * marker_weight,
        "role": np.array([rules.roles.get(str(role), 0.0) for role in roles], dtype=np.float64),
    }
    first, *others = parts.values()
    total = sum(others, start=first)
    return Ranking(np.minimum(np.maximum(total, 0.0), 1.0), parts)


def explain_importance(ranking: Ranking, urls: UrlStructure, number: int) -> tuple[Reason, ...]:
    """The summands that changed the importance of a block most."""
    details = {
        "url regularity": f"{urls.regularity:.0%} of {urls.n_urls} URLs look like {urls.shape}",
        "url markers": ", ".join(f"{token} ({n})" for token, n in urls.markers[:3]),
    }
    points = {name: float(values[number]) for name, values in ranking.parts.items()}
    given = sorted(points, key=lambda name: -abs(points[name]))[:N_REASONS]
    return tuple(Reason("importance", name, details.get(name, ""), round(points[name], 3)) for name in given)
