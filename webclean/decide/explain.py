"""Why one block was kept or dropped: the card lines with the most points, and the smallest change that would flip it.

Computed from the columns on demand; nothing is recorded while deciding. The points of a line are multiplied by the
share that its pass has in the score, so that those of all lines, biases and corrections by the whole page sum to it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

import numpy as np

from webclean.decide import (
    SURROUNDINGS_FEATURES,
    combine_passes,
    compute_second_share,
    list_first_cards,
    measure_surroundings,
)
from webclean.decide.rule_matches import sum_rule_points
from webclean.features import BLOCK_FEATURES, PageColumns, measure
from webclean.features.cards import explain_points
from webclean.model import BlockDecisions, Reason
from webclean.rules.card_schema import Bins, Card, Line
from webclean.rules.schema import RuleSet

_MOST: Final = 5
"""Lines of each pass that are told, the strongest: nobody reads a hundred to see why one block was kept."""
_SEARCH_STEPS: Final = 12
"""Halvings of the reach: a change is found to within .003 points."""
_REACH: Final = 12.0
"""Points: what these do not turn is decided by more than one feature, and no single change is worth telling."""


@dataclass(frozen=True, slots=True)
class Flip:
    """The smallest change found that flips a decision.

    points: how many points more (or, negative, less) the first pass would have to give. feature: a feature of which
    another bin would give that; None if there is none. value: its value now. limit: the limit that it would have to
    cross. upward: whether to cross it upwards.
    """

    points: float
    feature: str | None = None
    value: float = 0.0
    limit: float = 0.0
    upward: bool = True

    def __str__(self) -> str:
        if self.feature is None:
            return f"{self.points:+.2f} points in the first pass"
        side = "at least" if self.upward else "below"
        return f"{self.feature} {side} {self.limit:g} (is {self.value:g}): {self.points:+.2f} points"


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of one block.

    first, second: lines of each pass, the most points first. page: corrections by the whole page. flip: None where a
    rule or a later step decided, or no change was found.
    """

    block: int
    kept: bool
    score: float
    cut: float
    decided_by: Reason
    first: tuple[Reason, ...]
    second: tuple[Reason, ...]
    page: tuple[Reason, ...]
    flip: Flip | None

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """What decided, then the corrections by the whole page and the lines of both passes with the most points."""
        return (self.decided_by, *_sort((*self.page, *self.second[:_MOST], *self.first[:_MOST])))


def explain_block(
    columns: PageColumns, decisions: BlockDecisions, rules: RuleSet, block: int, *, flips: bool = True
) -> Explanation:
    """Explain the decision about one block. flips: look for what would flip it, which takes longest."""
    weights = decisions.type_weights or {}
    # rules have the last word, so they are the reason where they spoke
    by_rule = _find_rule(decisions, rules, block)
    first: tuple[Reason, ...] = ()
    second: tuple[Reason, ...] = ()
    flip = None
    # methods without scores (the published ones) tell the step alone
    if decisions.first is not None:
        of_second = compute_second_share(rules, decisions.article_share, decisions.plain_share)
        of_first = 1 - of_second
        parts: list[Reason] = []
        for stage, card, of_card in list_first_cards(rules, decisions.article_share, decisions.plain_share):
            share = of_first * of_card
            values = {name: float(measure(columns, name)[block]) for name in _list_names(card) if share}
            parts += explain_points(card, values, BLOCK_FEATURES, stage, share=share, weights=weights)
        first = _sort(parts)
        names = _list_names(rules.second_card) if of_second else ()
        given = decisions.first + sum_rule_points(decisions.corrections)
        # the points of rules are included, since the second pass saw them when it decided
        around = measure_surroundings(columns, given, names)[:, block].tolist()
        values, stage = dict(zip(names, around, strict=True)), "second pass"
        second = (
            *explain_points(rules.second_card, values, SURROUNDINGS_FEATURES, stage, share=of_second, weights=weights),
        )
        # points cannot flip what a rule or a later step decided
        is_open = flips and not by_rule and block not in (decisions.steps or {})
        flip = find_flip(columns, decisions, rules, block) if is_open else None
    score, kept = float(decisions.score[block]), bool(decisions.kept[block])
    side = "over" if score >= decisions.cut else "under"
    by_cut = Reason("cut", "cut", f"{score:.2f} points, {side} the cut of {decisions.cut:.2f}", score - decisions.cut)
    by_step = (decisions.steps or {}).get(block)
    told = ((correction, float(correction.points[block])) for correction in decisions.corrections)
    page = _sort(Reason("page", one.name, one.tell(block), round(points, 4)) for one, points in told if points)
    return Explanation(block, kept, score, decisions.cut, by_rule or by_step or by_cut, first, second, page, flip)


def _list_names(card: Card) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for part in (card, *card.by_type.values()) for name in part.lines))


def _find_rule(decisions: BlockDecisions, rules: RuleSet, block: int) -> Reason | None:
    for word, decided in (("keep", decisions.kept_by), ("drop", decisions.dropped_by)):
        if decided and (name := decided.get(block)):
            rule = rules.rules.get(name)
            because, source = (rule.because, rule.origin) if rule else ("", "")
            return Reason("rule", name, because or f"the rule says {word}", source=source)
    return None


def _sort(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    return tuple(sorted(reasons, key=lambda reason: -abs(reason.points or 0.0)))


def find_flip(columns: PageColumns, decisions: BlockDecisions, rules: RuleSet, block: int) -> Flip | None:
    """Find the change of first-pass points that flips the decision, and a single feature that would cause it.

    A bisection finds the change; it need not equal the distance from the cut, because a block's first-pass points also
    count in the second pass.
    """
    assert decisions.first is not None
    sign = -1.0 if decisions.score[block] >= decisions.cut else 1.0
    # first the farthest: a bisection finds nothing where no change within reach turns the block
    if not _reverses(columns, decisions, rules, block, sign * _REACH):
        return None
    low, high = 0.0, _REACH
    for _ in range(_SEARCH_STEPS):
        middle = (low + high) / 2
        if _reverses(columns, decisions, rules, block, sign * middle):
            high = middle
        else:
            low = middle
    best = Flip(sign * high)
    surplus = np.inf
    # only the card with the largest share is searched: a change in another one moves the score less
    _, card, share = max(list_first_cards(rules, decisions.article_share, decisions.plain_share), key=itemgetter(2))
    for name, line in card.lines.items():
        value = float(measure(columns, name)[block])
        for points, limit, upward in _list_changes(line, value):
            # the points of one card among several count by its share in the first pass
            change = share * points
            enough = sign * change - high
            # the feature that goes least beyond what is needed; tried, for the second pass is not linear
            if 0 <= enough < surplus and _reverses(columns, decisions, rules, block, change):
                best, surplus = Flip(change, name, value, limit, upward), enough
    return best


def _list_changes(line: Line, value: float) -> Iterator[tuple[float, float, bool]]:
    """(change of points, limit to cross, upward) for every other bin of one feature."""
    if not isinstance(line, Bins) or isinstance(line.points, dict):
        return
    now = bisect_right(line.below, value)
    # a line with a slope has no other bins, so this loop does nothing for it
    for other, points in enumerate(line.points):
        if other != now:
            yield points - line.points[now], line.below[other - (other > now)], other > now


def _reverses(columns: PageColumns, decisions: BlockDecisions, rules: RuleSet, block: int, change: float) -> bool:
    """Whether the block's score crosses the cut when its first-pass points change."""
    assert decisions.first is not None
    changed = decisions.first.copy()
    changed[block] += change
    weights, given = decisions.type_weights or {}, sum_rule_points(decisions.corrections)
    before, after = (
        combine_passes(columns, first, rules, weights, decisions.article_share, decisions.plain_share, given)[block]
        for first in (decisions.first, changed)
    )
    moved = float(decisions.score[block] + after - before)
    return bool((moved >= decisions.cut) != (decisions.score[block] >= decisions.cut))
