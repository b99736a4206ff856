"""Why one block was kept or dropped: the card lines with the most points.

Computed from the columns on demand; nothing is recorded while deciding. The points of a line are multiplied by the
share that its pass has in the score, so that those of all lines, biases and corrections by the whole page sum to it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from webclean.decide import SURROUNDINGS_FEATURES, compute_second_share, list_first_cards, measure_surroundings
from webclean.decide.rule_matches import sum_rule_points
from webclean.features import BLOCK_FEATURES, PageColumns, measure
from webclean.features.cards import explain_points
from webclean.model import BlockDecisions, Reason
from webclean.rules.card_schema import Card
from webclean.rules.schema import RuleSet

_MOST: Final = 5
"""Lines of each pass that are told, the strongest: nobody reads a hundred to see why one block was kept."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of one block.

    first, second: lines of each pass, the most points first. page: corrections by the whole page.
    """

    block: int
    kept: bool
    score: float
    cut: float
    decided_by: Reason
    first: tuple[Reason, ...]
    second: tuple[Reason, ...]
    page: tuple[Reason, ...]

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """What decided, then the corrections by the whole page and the lines of both passes with the most points."""
        return (self.decided_by, *_sort((*self.page, *self.second[:_MOST], *self.first[:_MOST])))


def explain_block(columns: PageColumns, decisions: BlockDecisions, rules: RuleSet, block: int) -> Explanation:
    """Explain the decision about one block."""
    weights = decisions.type_weights or {}
    # rules have the last word, so they are the reason where they spoke
    by_rule = _find_rule(decisions, rules, block)
    first: tuple[Reason, ...] = ()
    second: tuple[Reason, ...] = ()
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
    score, kept = float(decisions.score[block]), bool(decisions.kept[block])
    side = "over" if score >= decisions.cut else "under"
    by_cut = Reason("cut", "cut", f"{score:.2f} points, {side} the cut of {decisions.cut:.2f}", score - decisions.cut)
    by_step = (decisions.steps or {}).get(block)
    told = ((correction, float(correction.points[block])) for correction in decisions.corrections)
    page = _sort(Reason("page", one.name, one.tell(block), round(points, 4)) for one, points in told if points)
    return Explanation(block, kept, score, decisions.cut, by_rule or by_step or by_cut, first, second, page)


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
