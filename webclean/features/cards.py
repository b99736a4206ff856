"""The additive card, one engine for all that is decided by points: blocks, page types, roles, fields.

A card is a generalised additive model: each feature has bins with points, and the score of a row is the sum of the
points of the bins that its values fall in, plus a bias. Scores are log-odds. The bin of a value is the number of limits
that it reaches: with the limits 1, 3, 5 the value 4 reaches 1 and 3, so it is in bin 2. A missing value (NaN) gives no
points.

A card has parts: its own lines (learnt, and given by hand), and the lines that each page type adds. All parts of a
feature are given the same bins, so that the points of a page are one matrix product: points by bin and part, times how
much each part counts. `below: [1, 5]` in one part and `below: [3]` in another make four bins:

    limits               1      3      5
    lines            0.2 |  0.4 |  0.4 | -0.1      below: [1, 5], points: [0.2, 0.4, -0.1]
    by_type.forum    0   |  0   |  0.5 |  0.5      below: [3], points: [0, 0.5]
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from webclean import core
from webclean.errors import RuleError
from webclean.model import Floats, Reason, Rows
from webclean.registry import FeatureRegistry
from webclean.rules.card_schema import Bins, Card, Line, Points
from webclean.rules.files import format_path
from webclean.rules.rule_schema import cached_per_rule_set
from webclean.rules.validate import find_card_faults, list_lines

Registry = FeatureRegistry[Any, Any]
ByClass = tuple[float, ...]
"""One number for each class; one in all for a card without classes."""


@dataclass(frozen=True, slots=True, eq=False)
class CompiledCard:
    """A card as arrays. n_parts is one more than its types; n_classes is 1 for a card without classes.

    names: the features. limits, first_limit: the limits of all features, one after the other, float64 [n_limits], and
    where those of each begin, int64 [n_features + 1]. points: float64 [n_classes, n_bins, n_parts], the bins of each
    feature after those of the one before it. bias: float64 [n_classes, n_parts]. row_plan, start: `core.RowPlan` and
    bias for scoring a single row, without types. words: (channel, word) of each word; word_points: its points.
    """

    source: Card
    classes: tuple[str, ...]
    types: tuple[str, ...]
    names: tuple[str, ...]
    limits: Floats
    first_limit: Rows
    points: Floats
    bias: Floats
    row_plan: Any
    start: ByClass
    words: tuple[tuple[str, str], ...]
    word_points: tuple[ByClass, ...]


@cached_per_rule_set
def compile_card(card: Card, registry: Registry | None = None) -> CompiledCard:
    """Compile a card, once a rule set. Raises `RuleError` for one that cannot be used.

    registry: the features that it may refer to; None for any.
    """
    for path, message in find_card_faults(card):
        raise RuleError(message, key=format_path(path))
    if registry is not None:
        for path, lines in list_lines(card):
            for name in lines:
                registry.find(name, format_path((*path, name)))
    classes = card.classes or ("",)
    # a part may have two lines for a feature, a learnt one and a given one; their points are added
    parts = [(card.lines, card.given), *((added.lines,) for added in card.by_type.values())]
    found: dict[str, list[list[Bins]]] = {}
    for number, part in enumerate(parts):
        for own in part:
            for name, line in own.items():
                found.setdefault(name, [[] for _ in parts])[number].append(_read_line(line))
    limits = {
        name: sorted({limit for part in lines for line in part for limit in line.below})
        for name, lines in found.items()
    }
    names = tuple(sorted(limits, key=lambda name: -len(limits[name])))
    points = [_read_bins(found[name], limits[name], classes) for name in names]
    words = [(channel, word) for channel, group in card.words.items() for word in group]
    all_limits = np.array([limit for name in names for limit in limits[name]], dtype=np.float64)
    first_limit = np.cumsum([0, *(len(limits[name]) for name in names)], dtype=np.int64)
    all_points = np.concatenate([np.zeros((len(classes), 0, len(parts))), *points], axis=1)
    return CompiledCard(
        source=card,
        classes=card.classes,
        types=tuple(card.by_type),
        names=names,
        limits=all_limits,
        first_limit=first_limit,
        points=all_points,
        # a part for each type: how much it counts is known only when a page is scored
        bias=np.array([_spread(part.bias, classes) for part in (card, *card.by_type.values())]).T,
        row_plan=core.RowPlan(names, all_limits, first_limit, all_points[:, :, 0]),
        start=_spread(card.bias, classes),
        words=tuple(words),
        word_points=tuple(_spread(card.words[channel][word], classes) for channel, word in words),
    )


@dataclass(frozen=True, slots=True, eq=False)
class BlockCard:
    """A card without classes, of features that the core has the columns of.

    plan: `core.CardPlan`; types: that it adds lines for; needs: what its features must have been given.
    """

    plan: Any
    types: tuple[str, ...]
    needs: tuple[str, ...]


@cached_per_rule_set
def plan_card(card: Card, registry: Registry) -> BlockCard:
    """The plan by which the core adds up a card, once a rule set; raises what `compile_card` raises."""
    compiled = compile_card(card, registry)
    numbers = [registry.numbers[name] for name in compiled.names]
    plan = core.CardPlan(numbers, compiled.limits, compiled.first_limit, compiled.points[0], compiled.bias[0])
    needs = sorted({thing for name in compiled.names for thing in registry.needs[name]})
    return BlockCard(plan, compiled.types, tuple(needs))


def _read_line(line: Line) -> Bins:
    """A line as bins: a number is the points of a flag that holds."""
    return line if isinstance(line, Bins) else Bins(below=(1.0,), points=(0.0, line))


def _read_bins(parts: list[list[Bins]], limits: list[float], classes: tuple[str, ...]) -> Floats:
    """float64 [n_classes, n_limits + 1, n_parts]: points that the lines of a feature give for values of each bin."""
    found = np.zeros((len(classes), len(limits) + 1, len(parts)))
    for number, lines in enumerate(parts):
        for line in lines:
            for label, row in zip(classes, found[:, :, number], strict=True):
                points = _subtract_bins(line, label, "")
                row += [points[bisect_right(line.below, low)] for low in (-np.inf, *limits)]
    return found


def _spread(points: Points, classes: tuple[str, ...]) -> ByClass:
    """The points of each class; a plain number counts for all classes."""
    if isinstance(points, dict):
        return tuple(float(points.get(label, 0.0)) for label in classes)
    return (float(points),) * len(classes)


def score_table(
    card: CompiledCard, table: Sequence[Floats] | Floats, n_rows: int, weights: Mapping[str, float] | None = None
) -> Floats:
    """float64 [n_classes, n_rows]: points of all rows.

    They are rounded, so that they do not depend on the order of summation: a limit of a later card could tell the
    difference.

    table: for each feature its values, float64 [n_rows], in the order of `card.names`. weights: page type ->
    probability, 0 to 1: how much the lines count that the card adds for the type.
    """
    points, bias = card.points[:, :, 0], card.bias[:, 0]
    if card.types:
        share = np.array([1.0, *((weights or {}).get(name, 0.0) for name in card.types)])
        points, bias = card.points @ share, card.bias @ share
    found: Floats = core.add_points(table, card.limits, card.first_limit, points, bias, n_rows)
    return found


def score_one(card: CompiledCard, values: dict[str, float], words: Iterable[int] = ()) -> list[float]:
    """Points of each class for a single row. words: indices into `card.words` of the words that were found."""
    start = tuple(map(sum, zip(card.start, *(card.word_points[number] for number in words), strict=True)))
    found: list[float] = card.row_plan.score(values, start)
    return found


def softmax(totals: Sequence[float]) -> list[float]:
    """Points -> probabilities that sum to 1."""
    # `exp` of points over 709 overflows; only differences count
    best = max(totals)
    raised = [math.exp(total - best) for total in totals]
    whole = sum(raised)
    return [value / whole for value in raised]


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
    share_of = {"": share} | {kind: share * (weights or {}).get(kind, 0.0) for kind in card.by_type}
    found: list[tuple[float, str, str | tuple[str, float, Line]]] = []
    for kind, rule, name, line, margins in _list_margins(card, chosen, rival):
        value = values.get(name, math.nan)
        if value == value:  # noqa: PLR0124  not missing; this runs for every line of every block
            points = share_of[kind] * margins[bisect_right(_read_line(line).below, value)]
            if points:
                found.append((points, rule, (name, value, line)))
    for channel, word in words:
        given = card.words[channel][word]
        points = share * (given.get(chosen, 0.0) - given.get(rival, 0.0) if isinstance(given, dict) else given)
        if points:
            found.append((points, f"{channel}:{word}", f"{channel} word {word!r}"))
    for points, rule, told in sorted(found, key=lambda entry: -abs(entry[0])):
        yield Reason(stage, rule, told if isinstance(told, str) else describe_value(*told, registry), round(points, 4))


@cached_per_rule_set
def _list_margins(card: Card, chosen: str, rival: str) -> list[tuple[str, str, str, Line, tuple[float, ...]]]:
    """Each line of a card: its type, rule, feature, itself, and what each bin gives `chosen` more than `rival`."""
    lines = [("", name, name, line) for part in (card.lines, card.given) for name, line in part.items()]
    for kind, added in card.by_type.items():
        lines += [(kind, f"by_type.{kind}.{name}", name, line) for name, line in added.lines.items()]
    return [(*given, _subtract_bins(_read_line(given[-1]), chosen, rival)) for given in lines]


def _subtract_bins(line: Bins, chosen: str, rival: str) -> tuple[float, ...]:
    """For each bin, the points of `chosen` less those of `rival`; without classes, its points."""
    if not isinstance(line.points, dict):
        return line.points
    none = (0.0,) * (len(line.below) + 1)
    own, other = line.points.get(chosen) or none, line.points.get(rival) or none
    return tuple(mine - theirs for mine, theirs in zip(own, other, strict=True))


def describe_value(name: str, value: float, line: Line, registry: Registry | None) -> str:
    """Text of a reason: value, unit, meaning, comment: `n_links = 3 (links: `a` elements with an href). Few links`."""
    text = f"{name} = {round(value, 4):g}"
    if registry is not None:
        feature = registry.find(name)
        text += f" ({feature.unit}: {feature.meaning})"
    return f"{text}. {line.because}" if isinstance(line, Bins) and line.because else text
