"""Explains the points of a row: one `Reason` for each line or word that gave some, the largest first."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from webclean.features.cards.compile import Registry
from webclean.model import Reason
from webclean.rules.card_schema import Bins, Card, Line, Points


def explain_points(
    card: Card,
    values: Mapping[str, float],
    registry: Registry | None,
    stage: str,
    *,
    share: float = 1.0,
    weights: Mapping[str, float] | None = None,
    chosen: str = "",
    rival: str = "",
    words: Iterable[tuple[str, str]] = (),
) -> Iterator[Reason]:
    """The lines and words that gave points. With the bias they sum to the score, or to the margin over `rival`.

    registry: has the meaning of each feature; None leaves it out of the text. share: of the card in the score, 0 to 1.
    weights: page type -> probability, 0 to 1. chosen: the class whose points are explained, '' for a card without
    classes. rival: a class whose points are subtracted, '' for none. words: (channel, word) of those that were found.
    """
    parts = [("", card.lines, share), ("", card.given, share)]
    for kind, added in card.by_type.items():
        parts.append((f"by_type.{kind}.", added.lines, share * (weights or {}).get(kind, 0.0)))
    found: list[tuple[float, str, Callable[[], str]]] = []
    for place, lines, weight in parts:
        for name, line in lines.items():
            value = values.get(name, math.nan)
            points = weight * _read_margin(line, value, chosen, rival)
            if points:
                found.append((points, place + name, partial(describe_value, name, value, line, registry)))
    for channel, word in words:
        points = share * _subtract_rival(card.words[channel][word], chosen, rival)
        if points:
            found.append((points, f"{channel}:{word}", partial("{} word {!r}".format, channel, word)))
    for points, rule, describe in sorted(found, key=lambda entry: -abs(entry[0])):
        yield Reason(stage, rule, describe(), round(points, 4))


def _read_margin(line: Line, value: float, chosen: str, rival: str) -> float:
    """The points of a line for a value: of class `chosen` less those of `rival` if the card has classes."""
    if value != value:  # noqa: PLR0124  NaN: a missing value; this runs for every line of every block
        return 0.0
    if not isinstance(line, Bins):
        return line * value
    if not isinstance(line.points, dict):
        return line.points[bisect_right(line.below, value)]
    at = bisect_right(line.below, value)
    own, other = line.points.get(chosen), line.points.get(rival)
    return (own[at] if own else 0.0) - (other[at] if other else 0.0)


def describe_value(name: str, value: float, line: Line, registry: Registry | None) -> str:
    """Text of a reason: value, unit, meaning, comment: `n_links = 3 (links: `a` elements with an href). Few links`."""
    text = f"{name} = {round(value, 4):g}"
    if registry is not None:
        feature = registry.find(name)
        text += f" ({feature.unit}: {feature.meaning})"
    return f"{text}. {line.because}" if isinstance(line, Bins) and line.because else text


def _subtract_rival(points: Points, chosen: str, rival: str) -> float:
    """The points of class `chosen` less those of `rival`."""
    return points.get(chosen, 0.0) - points.get(rival, 0.0) if isinstance(points, dict) else points
