"""Ordered (value, source) pairs -> a field: the first is the value, the others are alternatives."""

from __future__ import annotations

from collections.abc import Sequence

from webclean.fields.candidates import MAX_ALTERNATIVES
from webclean.model import FieldValue


def rank_values(found: Sequence[tuple[str, str]], confidence: float) -> FieldValue:
    """The first value that is not empty; different values are alternatives. If sources agree, confidence is higher."""
    values: list[str] = []
    sources: dict[str, str] = {}
    for text, source in found:
        if value := " ".join(text.split()):
            values.append(value)
            sources.setdefault(value, source)
    if not values:
        return FieldValue(None)
    (best, source), *others = sources.items()
    sure = 1 - (1 - confidence) * 0.5 ** (values.count(best) - 1)
    return FieldValue(best, source, sure, tuple(others[:MAX_ALTERNATIVES]))
