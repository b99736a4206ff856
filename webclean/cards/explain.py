"""Why a row has its points: one reason a line or word, the largest first."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from webclean.cards.compile import Known
from webclean.model import Reason
from webclean.rules.card_schema import Bins, Card, Line, Points


def explain_points(
    card: Card,
    values: Mapping[str, float],
    known: Known | None,
    stage: str,
    *,
    share: float = 1.0,
    weights: Mapping[str, float] | None = None,
    chosen: str = "",
    rival: str = "",
    words: Iterable[tuple[str, str]] = (),
) -> Iterator[Reason]:
    """What gave points; with the bias they sum to the score, or to the margin over the rival.

    Args:
        card: as the rules have it.
        values: feature -> value of the row.
        known: what is said of each feature.
        stage: of the reasons.
        share: of the card in the score.
        weights: type -> how far the page is of it.
        chosen: the class whose points are told, '' for a card without classes.
        rival: a class whose points are taken off, '' for none.
        words: channel and word of those that were found.
    """
    parts = [("", card.lines, share), ("", card.given, share)]
    for kind, added in card.by_type.items():
        parts.append((f"by_type.{kind}.", added.lines, share * (weights or {}).get(kind, 0.0)))
    found: list[tuple[float, str, Callable[[], str]]] = []
    for place, lines, weight in parts:
        for name, line in lines.items():
            value = values.get(name, math.nan)
            points = weight * _weigh(read_points(line, value), chosen, rival)
            if points:
                found.append((points, place + name, partial(describe_value, name, value, line, known)))
    for channel, word in words:
        points = share * _weigh(card.words[channel][word], chosen, rival)
        if points:
            found.append((points, f"{channel}:{word}", partial("{} word {!r}".format, channel, word)))
    for points, rule, describe in sorted(found, key=lambda entry: -abs(entry[0])):
        yield Reason(stage, rule, describe(), round(points, 4))


def read_points(line: Line, value: float) -> Points:
    """What a line gives for a value; nothing for one that is missing (NaN)."""
    if math.isnan(value):
        return 0.0
    if not isinstance(line, Bins):
        return line * value
    at = bisect_right(line.below, value)
    if isinstance(line.points, dict):
        return {label: points[at] for label, points in line.points.items()}
    return line.points[at]


def describe_value(name: str, value: float, line: Line, known: Known | None) -> str:
    """`n_links = 3 (links: `a` elements with an href). Few links` with what is known of the feature and the line."""
    text = f"{name} = {round(value, 4):g}"
    if known is not None:
        feature = known.find(name)
        text += f" ({feature.unit}: {feature.meaning})"
    return f"{text}. {line.because}" if isinstance(line, Bins) and line.because else text


def _weigh(points: Points, chosen: str, rival: str) -> float:
    """Points of a class, less those of its rival."""
    return points.get(chosen, 0.0) - points.get(rival, 0.0) if isinstance(points, dict) else points
