"""Ordered (value, source) pairs -> a field: the first is the value, the others are alternatives."""

from __future__ import annotations

from collections.abc import Sequence

from webclean.fields.card import MAX_ALTERNATIVES
from webclean.model import FieldValue


def rank_values(found: Sequence[tuple[str, str]], confidence: float) -> FieldValue:
    """The first value that is not empty; others that differ are alternatives. Agreement of sources raises the
    confidence."""
    values = [(" ".join(value.split()), source) for value, source in found]
    values = [(value, source) for value, source in values if value]
    if not values:
        return FieldValue(None)
    best, source = values[0]
    others = dict.fromkeys(value for value, _ in values if value != best)
    agreeing = sum(value == best for value, _ in values) - 1
    sure = 1 - (1 - confidence) * 0.5**agreeing
    by_value = dict(reversed(values))
    return FieldValue(best, source, sure, tuple((value, by_value[value]) for value in list(others)[:MAX_ALTERNATIVES]))
