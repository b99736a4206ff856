"""Semantic blocks -> their roles and importance (patent A7), with reasons, and what rules of users make of both.

The card `roles` gives points for each role; the one with the most is chosen. The importance, 0 to 1, is a weighted sum
of URL regularity, marker tokens in URLs, size, position and role. A rule that matches most of a block's words sets its
role, or keeps or drops it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from webclean.features.cards import compile_card, explain_rows, score_table
from webclean.matching.conditions import RuleMatch
from webclean.model import Floats, Reason, Role, Rows
from webclean.parse.tags import HEADING
from webclean.rules.card_schema import Card
from webclean.rules.rule_schema import Rule
from webclean.rules.segments_schema import Importance
from webclean.segments.segment_columns import SEGMENT_FEATURES, SegmentColumns, measure_segments, measure_table
from webclean.segments.urls import UrlStructure

_N_REASONS: Final = 3  # lines of the card that are told of a role
_N_SUMMANDS: Final = 2  # that are told of the importance, of six
_BY_SIBLINGS: Final = Reason("role", "siblings", "siblings of the same tag and class have one role")


@dataclass(frozen=True, slots=True, eq=False)
class RolePoints:
    """roles: of the card. points: float64 [n_roles, n_blocks], means over alike siblings. own, best: int64 [n_blocks],
    index of the best role by the block alone and with its alike siblings."""

    roles: tuple[Role, ...]
    points: Floats
    own: Rows
    best: Rows

    @property
    def chosen(self) -> list[Role]:
        """The role with the most points, for each block."""
        return list(map(self.roles.__getitem__, self.best.tolist()))

    def share_of(self, roles: Collection[str]) -> Floats:
        """float64 [n_blocks]: probability that the role is one of these (softmax of the points)."""
        # less the highest, or the exponentials of a rich page would overflow
        weight = np.exp(self.points - self.points.max(axis=0, keepdims=True))
        wanted = [number for number, role in enumerate(self.roles) if role in roles]
        return np.asarray(weight[wanted].sum(axis=0) / weight.sum(axis=0), dtype=np.float64)


def score_roles(columns: SegmentColumns, card: Card) -> RolePoints:
    """The points of each block for each role: the mean over its alike siblings, which have the same role."""
    compiled = compile_card(card, SEGMENT_FEATURES)
    points = score_table(compiled, measure_table(columns, compiled.names), n_rows=len(columns.segments))
    # of equals the first role of the card, so that the order of a dictionary decides nothing
    own, first = points.argmax(axis=0), columns.alike
    n_alike = np.bincount(first, minlength=len(first))
    if n_alike.max(initial=0) > 1:  # else the points are their own means
        total = np.vstack([np.bincount(first, line, minlength=len(first)) for line in points])
        points = (total / np.maximum(1, n_alike))[:, first]
    return RolePoints(_list_roles(compiled.classes), points, own, points.argmax(axis=0))


@lru_cache(maxsize=16)
def _list_roles(names: tuple[str, ...]) -> tuple[Role, ...]:
    return tuple(map(Role, names))


def explain_roles(columns: SegmentColumns, card: Card, scores: RolePoints) -> list[tuple[Reason, ...]]:
    """For each block, the lines that gave the chosen role most points, the largest first; before them, that its alike
    siblings decided, where it would have another role alone."""
    columns_of = {name: measure_segments(columns, name) for name in compile_card(card, SEGMENT_FEATURES).names}
    found = explain_rows(card, columns_of, SEGMENT_FEATURES, "role", scores.chosen, _N_REASONS)
    outvoted = (scores.own != scores.best).tolist()
    return [(_BY_SIBLINGS, *told) if by_siblings else told for told, by_siblings in zip(found, outvoted, strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """value: float64 [n_blocks], 0 to 1. parts: name of a summand -> float64 [n_blocks]."""

    value: Floats
    parts: dict[str, Floats]

    @property
    def without_lead(self) -> Floats:
        """float64 [n_blocks]: by which lists compare, for a lead story says nothing against them."""
        return _sum_parts({name: values for name, values in self.parts.items() if name != "lead"})


_MOST_LEADS: Final = 2
"""Headings of one rank: three and more are a list, of which none leads."""


def find_lead(columns: SegmentColumns, is_noise: Floats) -> list[int]:
    """The blocks of the lead story of a page of stories: the first one with a linked heading of the highest rank, where
    hardly another has it. A block that is its heading alone goes on with those beside it up to the next heading.

    is_noise: float64 [n], 1 for blocks whose headings lead nowhere, such as the site's name.
    """
    document, owner = columns.page.document, columns.segments.owner
    headings = np.flatnonzero(HEADING[document.tag] & (owner >= 0))
    # a link around a heading, or one in it
    linked = document.link >= 0
    linked[document.block[columns.link_rows]] = True
    rows = headings[linked[headings]]
    rows = rows[is_noise[owner[rows]] == 0]
    ranks = document.tag[rows]  # h1 to h6 are numbered in this order
    leads = rows[ranks == ranks.min()] if len(rows) else rows
    # where all linked headings have one rank, the first is the first of a list
    if not 0 < len(leads) <= _MOST_LEADS or len(leads) == len(rows):
        return []
    n_headings, n_lines = measure_segments(columns, "n_headings"), measure_segments(columns, "n_text_blocks")
    found = [int(owner[leads[0]])]
    end = document.end[document.parent[columns.segments.roots[found[0]][0]]]
    if n_lines[found[0]] == 1:
        for number in range(found[0] + 1, len(columns.segments)):
            if n_headings[number] or is_noise[number] or columns.segments.roots[number][0] >= end:
                break
            found.append(number)
    return found


def rank_blocks(
    columns: SegmentColumns,
    roles: Sequence[Role],
    urls: Sequence[UrlStructure],
    rules: Importance,
    noise: Collection[str] = (),
) -> Ranking:
    """The importance of each block. What its URLs give is scaled down for a block with few of them.

    noise: roles among which there is no lead story.
    """
    is_lead = np.zeros(len(roles))
    is_lead[find_lead(columns, np.array([str(role) in noise for role in roles], dtype=np.float64))] = 1
    size = np.sqrt(measure_segments(columns, "text_share"))  # else one long block leaves the others without any
    measured = [(own.n_urls, own.regularity, own.marker_weight) for own in urls]
    n_urls, regularity, marker_weight = np.array(measured, dtype=np.float64).reshape(-1, 3).T
    # of two links any pattern is chance
    trust = np.minimum(1.0, n_urls / rules.full_urls)
    parts = {
        "size": rules.size * size,
        "position": rules.position * (1 - measure_segments(columns, "position")),
        "url regularity": rules.regularity * trust * regularity,
        "url markers": rules.markers * trust * marker_weight,
        "lead": rules.lead * is_lead,
        "role": np.array([rules.roles.get(str(role), 0.0) for role in roles], dtype=np.float64),
    }
    return Ranking(_sum_parts(parts), parts)


def _sum_parts(parts: dict[str, Floats]) -> Floats:
    """float64 [n_blocks]: the sum, cut to 0..1."""
    first, *others = parts.values()
    total: Floats = sum(others, start=first)
    return np.minimum(np.maximum(total, 0.0), 1.0)


def explain_importance(ranking: Ranking, urls: UrlStructure, number: int) -> tuple[Reason, ...]:
    """The summands that changed the importance of a block most."""
    details = {
        "url regularity": f"{urls.regularity:.0%} of {urls.n_urls} URLs look like {urls.shape}",
        "url markers": ", ".join(f"{token} ({n})" for token, n in urls.markers[:3]),
    }
    points = {name: float(values[number]) for name, values in ranking.parts.items()}
    given = sorted(points, key=lambda name: -abs(points[name]))[:_N_SUMMANDS]
    return tuple(Reason("importance", name, details.get(name, ""), round(points[name], 3)) for name in given)


_MOST: Final = 0.5  # of the words of a block, from which what a rule says of them is said of the block


@dataclass(frozen=True, slots=True)
class Override:
    """What rules set for one block, None if nothing. Keep beats drop; a later role replaces an earlier one."""

    role: Role | None = None
    kept: bool | None = None
    reasons: tuple[Reason, ...] = ()


def find_overrides(columns: SegmentColumns, matches: Sequence[RuleMatch]) -> dict[int, Override]:
    """Block number -> what rules set for it; blocks that no rule is about are left out."""
    found: dict[int, Override] = {}
    deciding = [match for match in matches if _decides(match.rule)]
    if not deciding:
        return found
    words = np.maximum(1, columns.page.blocks.n_words)  # `* * *` is a text block too, though it has none
    total = np.maximum(1, columns.sum_text_blocks(words))
    for match in deciding:
        share = columns.sum_text_blocks(words * match.blocks) / total
        for number in np.flatnonzero(share > _MOST).tolist():
            found[number] = _add(found.get(number, Override()), match)
    return found


def _decides(rule: Rule) -> bool:
    effect = rule.effect
    return bool(effect.role or effect.decide)


def _add(before: Override, match: RuleMatch) -> Override:
    rule = match.rule
    effect = rule.effect
    kept = before.kept if effect.decide is None else before.kept or effect.decide == "keep"
    reason = Reason("rule", match.id, rule.because or "the rule says so", source=rule.origin)
    return Override(effect.role or before.role, kept, (reason, *before.reasons))
