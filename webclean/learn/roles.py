"""Pages whose blocks people marked -> the role card, as YAML, with its cross-validated scores.

The card is a multinomial logistic regression over bins of each measure; types of marks weigh alike, so that rare ones
are learnt too. It learns from the blocks that the rules cut, not from the marked ones: those are what it will be asked
about. It is scored as it is used: with the given lines of the rules, and with the entries that make a block an index.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from webclean.learn.card_text import write_cards
from webclean.learn.marked_pages import Agreement, MarkedPage, cut_anew, fold_by_site, measure_agreement
from webclean.learn.splits import SplitSettings, fit_splits, list_node_features, list_split_cases
from webclean.model import Block, Floats, PageType
from webclean.rules import RuleSet
from webclean.rules.card_schema import Bins, Card, Line
from webclean.segments import build_semantic_blocks, segment_page
from webclean.segments.features import SEGMENT_FEATURES, measure_segments
from webclean.segments.role_points import score_roles

ROLE_OF_MARK: Final = {
    "LinkList": "links",
    "Menu": "navigation",
    "Menu Sidebar": "navigation",
    "Footer": "footer",
    "Header": "header",
    "Logo": "header",
    "Ad": "advertisement",
    "Searchbar": "form",
    "Sidebar": "sidebar",
    "Comments": "comments",
    **dict.fromkeys(("Article", "Content", "Title", "Author", "Table", "Image", "Video"), "content"),
}
"""Type of a mark -> the role learnt from it."""


@dataclass(frozen=True, slots=True)
class RoleSettings:
    """n_bins: of each measure, at quantiles. strength: inverse of the L2 penalty. balance: 0 weighs types of marks by
    their text, 1 all alike. min_points: smaller points are written as none. n_folds: of the cross-validation.
    min_pages, min_share: a role that fewer pages are marked with, and less text (in shares of a page, summed), is left
    to the given lines.
    """

    n_bins: int = 3
    strength: float = 0.03
    balance: float = 0.5
    min_points: float = 0.05
    n_folds: int = 10
    min_pages: int = 6
    min_share: float = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class RoleCases:
    """What a card is fitted to: one row a (block, type of mark) of a page.

    values: float64 [n, n_measures]. given: float64 [n, n_roles], points of the given lines. marks: type of mark.
    share: of the page's marked characters.
    """

    values: Floats
    given: Floats
    marks: list[str]
    share: Floats


def list_learnt_features(rules: RuleSet) -> list[str]:
    """The features of the learnt lines: all but landmarks and patterns, of which it is known what they mean."""
    return [*SEGMENT_FEATURES.list_learnt("roles"), *(f"token.{group}" for group in rules.segments.tokens)]


def list_cases(page: MarkedPage, names: Sequence[str]) -> RoleCases:
    """The cases of one page."""
    analysis = page.analysis
    card = analysis.rules.roles
    columns = segment_page(analysis.columns, analysis.rules, analysis.decisions).columns
    table = np.column_stack([measure_segments(columns, name) for name in names])
    given = score_roles(columns, structs.replace(card, lines={}, bias=dict.fromkeys(card.classes, 0.0))).points.T
    total = sum(page.cells.values())
    cells: defaultdict[tuple[int, str], float] = defaultdict(float)
    for (block, mark), n_chars in page.cells.items():
        if block >= 0 and page.kinds[mark] in ROLE_OF_MARK:
            cells[block, page.kinds[mark]] += n_chars / total
    at = [block for block, _ in cells]
    return RoleCases(table[at], given[at], [mark for _, mark in cells], np.array(list(cells.values())))


def fit_roles(cases: Sequence[RoleCases], names: Sequence[str], card: Card, settings: RoleSettings) -> Card:
    """Fit the learnt lines of a card to what its given lines leave open, for the roles that it names.

    Each case is weighed by the square root of its share of the page. A role that is hardly marked has the lowest bias
    and no learnt lines: what few pages have in common by chance says nothing of others.
    """
    roles = [role for role in card.classes if _is_marked_enough(cases, role, settings)]
    at = [np.array([ROLE_OF_MARK[mark] in roles for mark in case.marks], dtype=bool) for case in cases]
    values = np.vstack([case.values[own] for case, own in zip(cases, at, strict=True)])
    marks = [mark for case in cases for mark in case.marks if ROLE_OF_MARK[mark] in roles]
    share = np.concatenate([case.share[own] for case, own in zip(cases, at, strict=True)])
    size = {mark: share[[m == mark for m in marks]].sum() for mark in set(marks)}
    weight = np.sqrt(share) / np.array([size[mark] for mark in marks]) ** settings.balance
    edges = tuple(_find_edges(values[:, column], settings.n_bins) for column in range(values.shape[1]))
    table = np.hstack([_mark_bins(values[:, column], limits) for column, limits in enumerate(edges)])
    true = np.array([[role == ROLE_OF_MARK[mark] for role in roles] for mark in marks], dtype=np.float64)
    columns = [card.classes.index(role) for role in roles]
    given = np.vstack([case.given[own][:, columns] for case, own in zip(cases, at, strict=True)])
    points, bias = _fit_logistic(table, true, given, weight * len(weight) / weight.sum(), settings.strength)
    lines, parts = dict[str, Line](), np.split(points, np.cumsum([len(limits) + 1 for limits in edges])[:-1])
    for column, (name, limits, part) in enumerate(zip(names, edges, parts, strict=True)):
        mean = part[np.searchsorted(limits, values[:, column], side="right")].mean(axis=0)
        bias = bias + mean
        shown = np.where(np.abs(part - mean) >= settings.min_points, np.round(part - mean, 2), 0.0)
        rows = {role: tuple(row) for role, row in zip(roles, shown.T.tolist(), strict=True) if any(row)}
        if rows:
            lines[name] = Bins(below=tuple(limits.tolist()), points=rows)
    learnt = {role: round(float(value), 2) for role, value in zip(roles, bias - bias.mean(), strict=True)}
    start = {role: learnt.get(role, min(learnt.values())) for role in card.classes}
    return structs.replace(card, bias=start, lines=lines)


def _is_marked_enough(cases: Sequence[RoleCases], role: str, settings: RoleSettings) -> bool:
    own = [np.array([ROLE_OF_MARK[mark] == role for mark in case.marks], dtype=bool) for case in cases]
    share = sum(float(case.share[rows].sum()) for case, rows in zip(cases, own, strict=True))
    return sum(map(np.any, own)) >= settings.min_pages or share >= settings.min_share


def _fit_logistic(table: Floats, true: Floats, given: Floats, weight: Floats, strength: float) -> tuple[Floats, Floats]:
    """Points [n_columns, n_roles] and bias [n_roles] of a multinomial logistic regression that adds to given points."""
    from scipy.optimize import minimize  # noqa: PLC0415  comes with the extra

    n_columns, n_roles = table.shape[1], true.shape[1]

    def measure_loss(parameters: Floats) -> tuple[float, Floats]:
        points = parameters.reshape(n_columns + 1, n_roles)
        total = table @ points[:-1] + points[-1] + given
        total -= total.max(axis=1, keepdims=True)
        chance = np.exp(total)
        chance /= chance.sum(axis=1, keepdims=True)
        loss = -float(np.sum(weight[:, None] * true * np.log(chance + 1e-12)))
        error = (chance - true) * weight[:, None]
        slope = strength * np.vstack([table.T @ error, error.sum(axis=0)])
        slope[:-1] += points[:-1]
        return strength * loss + 0.5 * float(np.sum(points[:-1] ** 2)), slope.ravel()

    start = np.zeros((n_columns + 1) * n_roles)
    found = minimize(measure_loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 150}).x
    points = np.asarray(found, dtype=np.float64).reshape(n_columns + 1, n_roles)
    return points[:-1], points[-1]


def _find_edges(values: Floats, n_bins: int) -> Floats:
    distinct = np.unique(values)
    if len(distinct) <= n_bins + 1:
        return np.asarray((distinct[1:] + distinct[:-1]) / 2, dtype=np.float64)
    quantiles = np.quantile(values, np.linspace(0, 1, n_bins + 1)[1:-1])
    return np.unique([float(f"{value:.2g}") for value in quantiles])


def _mark_bins(values: Floats, edges: Floats) -> NDArray[np.float64]:
    return np.asarray(np.eye(len(edges) + 1)[np.searchsorted(edges, values, side="right")], dtype=np.float64)


def read_blocks(page: MarkedPage, card: Card) -> tuple[Block, ...]:
    """The blocks of a page, by another role card."""
    analysis = page.analysis
    rules = structs.replace(analysis.rules, roles=card)
    page_type = PageType(analysis.page_type.value)
    return build_semantic_blocks(analysis.columns, analysis.decisions, rules, page_type, analysis.matches)


def score_unseen(pages: Sequence[MarkedPage], rules: RuleSet, settings: RoleSettings, seed: int) -> Agreement:
    """The agreement of blocks whose cards have not seen their site: cross-validation, shuffled by the seed.

    The card of splits is learnt anew in each fold too, where the rules use it.
    """
    return measure_agreement(list(list_unseen(pages, rules, settings, seed)))


def list_unseen(
    pages: Sequence[MarkedPage], rules: RuleSet, settings: RoleSettings, seed: int
) -> Iterator[tuple[MarkedPage, Sequence[Block]]]:
    """The pages, divided and judged by cards that have not seen their site."""
    names, asked, by_card = list_learnt_features(rules), list_node_features(rules), rules.segments.cut.method == "card"
    splits = [list_split_cases(page, asked) for page in pages] if by_card else []
    for seen, unseen in fold_by_site(pages, settings.n_folds, seed):
        if by_card:
            card = fit_splits([splits[i] for i in seen], asked, SplitSettings(), rules.splits)
            rules = structs.replace(rules, splits=card)
        cut = [cut_anew(page, rules) for page in pages] if by_card else pages
        roles = fit_roles([list_cases(cut[i], names) for i in seen], names, rules.roles, settings)
        yield from ((cut[i], read_blocks(cut[i], roles)) for i in unseen)


def format_roles(card: Card, note: str) -> str:
    """The rule file of the learnt lines of a card."""
    head = f"What semantic blocks are for. Learnt by `webclean learn roles`; segments.yaml has lines by hand.\n{note}"
    learnt = structs.replace(card, given={})
    return write_cards([(("roles",), learnt, SEGMENT_FEATURES)], head, ("roles.bias", "roles.lines"))
