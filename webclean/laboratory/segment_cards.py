"""Pages whose blocks people marked -> the cards of semantic blocks: splits, roles and sections.

**Splits.** BCubed precision and recall of a page are sums over its blocks: a block S of |S| characters, v of them of
the mark t, adds v² / |S| to the one and v² / |t| to the other. So what the best division of any part of the page is
worth is known from the leaves up, and with it what splitting a node gains:

    worth of a node = max(as one block, its own text as a block + worth of its parts)
    gain of a split = its own text as a block + worth of its parts - as one block

The card is fitted to the sign of the gain. A node weighs by a power of the gain, under one: wrong decisions about large
parts cost more, but small parts are many and must be learnt too. The root is always split.

**Roles.** The card is a multinomial logistic regression over bins of each measure; types of marks weigh alike, so that
rare ones are learnt too. It learns from the blocks that the rules cut, not from the marked ones: those are what it will
be asked about. It is scored as it is used: with the given lines of the rules, and with the entries that make a block an
index.

**Sections.** The card says how likely people name a node of the tree, large or small. A case is a node of the cut tree
that is large enough for a section; it is named where a mark has just its text. Marks stand within marks, and all count.
What is scored is the tree that comes out, flat blocks and sections together: the share of the marks that one of them is
close to, and how many there are for each mark, because a tree of everything finds everything.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import Final, NamedTuple

import numpy as np
from msgspec import structs

from webclean.features.cards import Registry
from webclean.laboratory import marked_pages
from webclean.laboratory.fitting import AdditiveOptions, fit_additive, fit_multinomial, read_model, simplify_model
from webclean.laboratory.harness import SETTINGS, Learnt, write_cards
from webclean.laboratory.marked_pages import MarkedPage, score_cells
from webclean.model import Block, Floats
from webclean.rules import RuleSet
from webclean.rules.card_schema import Bins, Card, Line
from webclean.segments import build_semantic_blocks
from webclean.segments.nodes import NODE_FEATURES, NodeColumns, find_nodes, measure_nodes
from webclean.segments.sections import choose_sections, find_large, find_parts
from webclean.segments.segment_columns import SEGMENT_FEATURES, measure_segments
from webclean.segments.semantic_page import score_roles, segment_page

_TAGS: Final[list[str]] = SETTINGS["splits"]["tags"].split()
N_FOLDS: Final = 10
"""Of the cross-validations: marked pages are few."""
SPLITS: Final = AdditiveOptions(n_bins=6, ridge=2.0, smooth=5.0)
"""How the card of splits is fitted: with 4 or 8 bins the blocks of unseen sites are .008 worse than with 6."""
SECTIONS: Final = AdditiveOptions(n_bins=10, ridge=50.0, smooth=20.0)
"""How the card of sections is fitted: a strong pull to zero, for marked pages are few."""
TOLERANCE: Final = 0.02
"""Bins of splits and sections whose points differ less become one."""
_POWER: Final = 0.6
"""Of the gain of a split, by which a node weighs."""
Cases = tuple[Floats, Floats]
"""float64 [n, n_features], the nodes of a page; float64 [n], what is gained by splitting each, or whether people named
it."""


def _write(section: str, registry: Registry, card: Card, head: str) -> dict[str, str]:
    """The rule file of the learnt lines of a card; those by hand stay in the layers below."""
    own = structs.replace(card, given={})
    return {"": write_cards([((section,), own, registry)], head, (f"{section}.bias", f"{section}.lines"))}


def learn_splits(pages: Sequence[MarkedPage], rules: RuleSet, shuffles: int) -> Learnt:
    """The card of splits, scored by BCubed F1 of the blocks of unseen sites."""
    shipped = fmean(score_cells(page).f1 for page in pages)
    unseen = [score_unseen_splits(pages, rules, seed) for seed in range(shuffles)]
    report = [f"{len(pages)} pages, BCubed F1: blocks of the rules {shipped:.4f}"]
    report += [f"  unseen sites {score:.4f}" for score in unseen]
    head = f"""\
Which parts of a page are split into semantic blocks: those with over 0 points.
Learnt by `webclean learn splits`; segments.yaml has lines by hand.
From {len(pages)} marked pages; BCubed F1 of the blocks of unseen sites {fmean(unseen):.3f}."""

    def write() -> dict[str, str]:
        names = list_node_features(rules)
        card = fit_splits([list_split_cases(page, names) for page in pages], names, rules.splits)
        return _write("splits", NODE_FEATURES, card, head)

    return Learnt("\n".join(report), write)


def list_node_features(rules: RuleSet) -> list[str]:
    """The features that the card learns."""
    groups = (f"token.{group}" for group in rules.segments.tokens)
    return [*NODE_FEATURES.list_learnt("splits"), *(f"tag.{name}" for name in _TAGS), *groups]


def list_split_cases(page: MarkedPage, names: Sequence[str]) -> Cases:
    """The nodes of a page that can be split, and what is gained by splitting each."""
    nodes = find_nodes(page.analysis.columns, page.analysis.rules.segments)
    return _measure(nodes, names), measure_gains(page, nodes) if len(nodes) else np.zeros(0)


def _measure(nodes: NodeColumns, names: Sequence[str]) -> Floats:
    """float64 [n_nodes, n_names]."""
    if not len(nodes):
        return np.zeros((0, len(names)))
    return np.column_stack([measure_nodes(nodes, name) for name in names])


def measure_gains(page: MarkedPage, nodes: NodeColumns) -> Floats:
    """float64 [n]: what splitting each node adds to precision + recall of the page if its parts are split at best."""
    tree, end = nodes.tree, page.analysis.columns.document.end.tolist()
    node_of = np.full(len(end), -1, dtype=np.int64)
    for node in sorted({*nodes.nodes, *nodes.parts.tolist()}):
        node_of[tree.row[node] : end[tree.row[node]]] = node
    # of each node: mark -> characters of the texts that stand in no node below
    size, inside = Counter[int](), [Counter[int]() for _ in range(len(tree))]
    for row, mark, n_chars in page.texts:
        size[mark] += n_chars
        inside[int(node_of[row])][mark] += n_chars
    worth, gains = dict[int, float](), dict[int, float]()
    # from the leaves up: children stand after their parents
    for node in range(len(tree) - 1, -1, -1):
        own, children = inside[node], tree.children[node]
        inside[node] = sum((inside[part] for part in children), own)
        worth[node] = as_one = _measure_worth(inside[node], size)
        if children:
            apart = _measure_worth(own, size) + sum(worth[part] for part in children)
            worth[node], gains[node] = max(as_one, apart), apart - as_one
    return np.array([gains[node] for node in nodes.nodes]) / max(1, size.total())


def _measure_worth(marks: Mapping[int, int], size: Mapping[int, int]) -> float:
    """What a block adds to BCubed precision and recall. marks: mark -> its characters in the block, size: in all."""
    total = sum(marks.values())
    return sum(n * n * (1 / total + 1 / size[mark]) for mark, n in marks.items()) if total else 0.0


def fit_splits(cases: Sequence[Cases], names: Sequence[str], given: Card) -> Card:
    """Fit a card; what it has by hand is kept."""
    table, gain = (np.concatenate(columns) for columns in zip(*cases, strict=True))
    # a node whose split gains nothing either way would have no weight at all
    weight = np.abs(gain) ** _POWER + 1e-9
    model = fit_additive(table, (gain > 0).astype(np.float64), weight * len(weight) / weight.sum(), SPLITS)
    return structs.replace(read_model(names, simplify_model(model, TOLERANCE)), given=given.given)


def list_split_folds(
    pages: Sequence[MarkedPage], rules: RuleSet, seed: int
) -> Iterator[tuple[RuleSet, list[int], list[int]]]:
    """(rules with a card of splits that has not seen the sites, pages to learn from, pages of these sites) of each
    fold of a cross-validation, shuffled by the seed."""
    names = list_node_features(rules)
    cases = [list_split_cases(page, names) for page in pages]
    for seen, unseen in marked_pages.fold_by_site(pages, N_FOLDS, seed):
        card = fit_splits([cases[i] for i in seen], names, rules.splits)
        yield structs.replace(rules, splits=card), seen, unseen


def score_unseen_splits(pages: Sequence[MarkedPage], rules: RuleSet, seed: int) -> float:
    """Mean BCubed F1 of pages that are divided by a card that has not seen their site."""
    folds = list_split_folds(pages, rules, seed)
    return fmean(score_cells(marked_pages.cut_anew(pages[i], other)).f1 for other, _, unseen in folds for i in unseen)


_LEAST_POINTS: Final = 0.05
"""Smaller points of a role are written as none."""
_UNMARKED: Final = -2.0
"""The bias of a role that is left to its given lines, which must overcome it."""
_BALANCE: Final = 0.5
"""At 0 types of marks weigh as much as their text, at 1 all alike."""
_ROLE_BINS: Final = 3
"""Of each measure, at quantiles."""


class RoleCases(NamedTuple):
    """What a card is fitted to: one row a (block, type of mark) of a page.

    values: float64 [n, n_measures]. given: float64 [n, n_roles], points of the given lines. marks: type of mark.
    share: of the page's marked characters.
    """

    values: Floats
    given: Floats
    marks: list[str]
    share: Floats


def learn_roles(pages: Sequence[MarkedPage], rules: RuleSet, shuffles: int) -> Learnt:
    """The role card, scored by the agreement of blocks with the marks of unseen pages."""
    shipped = marked_pages.measure_agreement([(page, read_blocks(page, rules.roles)) for page in pages])
    found = [marked_pages.measure_agreement(list(list_unseen(pages, rules, seed))) for seed in range(shuffles)]
    report = [f"{len(pages)} pages  BCubed F1 {shipped.bcubed:.4f}"]
    for name, own in (("card of the rules", shipped), *(("unseen pages", own) for own in found)):
        report.append(f"{name:18s} role {own.role:.4f}  kept {own.kept:.4f}")
    report += [f"  {kind:14s} {fmean(own.by_type[kind] for own in found):.3f}" for kind in found[0].by_type]
    role, kept = fmean(own.role for own in found), fmean(own.kept for own in found)
    head = f"""\
What semantic blocks are for. Learnt by `webclean learn roles`; segments.yaml has lines by hand.
From {len(pages)} marked pages; on unseen ones roles agree on {role:.3f} of each type of mark, and {kept:.3f} is
rightly kept or dropped."""

    def write() -> dict[str, str]:
        features = list_learnt_features(rules)
        card = fit_roles([list_cases(page, features) for page in pages], features, rules.roles)
        return _write("roles", SEGMENT_FEATURES, card, head)

    return Learnt("\n".join(report), write)


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
        if block >= 0 and page.kinds[mark] in marked_pages.ROLE_OF_MARK:
            cells[block, page.kinds[mark]] += n_chars / total
    at = [block for block, _ in cells]
    return RoleCases(table[at], given[at], [mark for _, mark in cells], np.array(list(cells.values())))


def fit_roles(
    cases: Sequence[RoleCases],
    names: Sequence[str],
    card: Card,
    *,
    strength: float = 0.03,
    min_pages: int = 6,
    min_share: float = 0.5,
) -> Card:
    """Fit the learnt lines of a card to what its given lines leave open, for the roles that it names.

    Each case is weighed by the square root of its share of the page. strength: inverse of the L2 penalty, a strong one,
    for pages are few. A role that fewer pages are marked with, and less text (in shares of a page, summed), has a low
    bias and no learnt lines: what few pages have in common by chance says nothing of others.
    """
    mark = np.array([mark for case in cases for mark in case.marks])
    meant = np.array([marked_pages.ROLE_OF_MARK[name] for name in mark.tolist()])
    page = np.repeat(np.arange(len(cases)), [len(case.marks) for case in cases])
    share = np.concatenate([case.share for case in cases])
    roles = [
        name
        for name in card.classes
        if len(np.unique(page[meant == name])) >= min_pages or share[meant == name].sum() >= min_share
    ]
    own = np.isin(meant, roles)
    mark, meant, share = mark[own], meant[own], share[own]
    values = np.vstack([case.values for case in cases])[own]
    given = np.vstack([case.given for case in cases])[own][:, [card.classes.index(name) for name in roles]]
    size = {name: share[mark == name].sum() for name in set(mark.tolist())}
    weight = np.sqrt(share) / np.array([size[name] for name in mark.tolist()]) ** _BALANCE
    edges = [_find_edges(column) for column in values.T]
    bins = [np.searchsorted(limits, column, side="right") for column, limits in zip(values.T, edges, strict=True)]
    table = np.hstack([np.eye(len(limits) + 1)[own] for own, limits in zip(bins, edges, strict=True)])
    true = (meant[:, None] == np.array(roles)).astype(np.float64)
    points, bias = fit_multinomial(table, true, given, weight * len(weight) / weight.sum(), strength)
    lines, parts = dict[str, Line](), np.split(points, np.cumsum([len(limits) + 1 for limits in edges])[:-1])
    for name, own_bins, limits, part in zip(names, bins, edges, parts, strict=True):
        mean = part[own_bins].mean(axis=0)
        bias = bias + mean
        shown = np.where(np.abs(part - mean) >= _LEAST_POINTS, np.round(part - mean, 2), 0.0)
        rows = {role: tuple(row) for role, row in zip(roles, shown.T.tolist(), strict=True) if any(row)}
        if rows:
            lines[name] = Bins(below=tuple(limits.tolist()), points=rows)
    learnt = {name: round(float(value), 2) for name, value in zip(roles, bias - bias.mean(), strict=True)}
    # roles that hardly anybody marked are left to the lines by hand
    start = {name: learnt.get(name, _UNMARKED) for name in card.classes}
    return structs.replace(card, bias=start, lines=lines)


def _find_edges(values: Floats) -> Floats:
    distinct = np.unique(values)
    if len(distinct) <= _ROLE_BINS + 1:
        return np.asarray((distinct[1:] + distinct[:-1]) / 2, dtype=np.float64)
    quantiles = np.quantile(values, np.linspace(0, 1, _ROLE_BINS + 1)[1:-1])
    return np.unique([float(f"{value:.2g}") for value in quantiles])


def read_blocks(page: MarkedPage, card: Card) -> tuple[Block, ...]:
    """The blocks of a page, by another role card."""
    own, rules = page.analysis, structs.replace(page.analysis.rules, roles=card)
    return build_semantic_blocks(own.columns, own.decisions, rules, own.matches)


def list_unseen(pages: Sequence[MarkedPage], rules: RuleSet, seed: int) -> Iterator[tuple[MarkedPage, Sequence[Block]]]:
    """The pages, divided and judged by cards that have not seen their site: cross-validation, shuffled by the seed.

    The card of splits is learnt anew in each fold too.
    """
    names = list_learnt_features(rules)
    for other, seen, unseen in list_split_folds(pages, rules, seed):
        # roles are learnt from blocks as they are cut by the card of the same fold
        cut = [marked_pages.cut_anew(page, other) for page in pages]
        card = fit_roles([list_cases(cut[i], names) for i in seen], names, rules.roles)
        yield from ((cut[i], read_blocks(cut[i], card)) for i in unseen)


FEATURES: Final[tuple[str, ...]] = tuple(SETTINGS["sections"]["features"].split())
CLOSE: Final = 0.75
"""IoU from which a node of the tree equals a mark."""
_LEAST_CHARS, _LEAST_SHARE = 20, 0.002
"""Of a page's characters: smaller marks and nodes are not counted."""


class SectionScore(NamedTuple):
    """Of one page. best: of each mark, the IoU of the node of the tree that is closest. n_nodes: of the tree."""

    best: list[float]
    n_nodes: int


def learn_sections(pages: Sequence[MarkedPage], rules: RuleSet, shuffles: int) -> Learnt:
    """The card of sections, scored by the marks of unseen sites."""
    found = [summarise(score_unseen_sections(pages, rules, seed)) for seed in range(shuffles)]
    share, nodes, iou = np.mean(found, axis=0).tolist()
    scores = f"found {share:.3f} at {nodes:.2f} nodes a mark, mean IoU {iou:.3f}"
    head = f"""\
Which parts of a page people name, for its sections: log-odds of each.
Learnt by `webclean learn sections` from {len(pages)} marked pages. Of unseen sites: {scores}"""

    def write() -> dict[str, str]:
        card = fit_sections([list_section_cases(page, rules) for page in pages])
        return _write("sections", NODE_FEATURES, card, head)

    return Learnt(f"{len(pages)} pages\n{scores}", write)


def summarise(scores: Iterable[SectionScore]) -> tuple[float, float, float]:
    """(share of the marks that are found, mean over pages; nodes for each mark of all pages; mean IoU)."""
    marked = [score for score in scores if score.best]
    found = np.mean([np.mean([iou >= CLOSE for iou in score.best]) for score in marked])
    n_marks = sum(len(score.best) for score in marked)
    iou = np.mean([np.mean(score.best) for score in marked])
    return float(found), sum(score.n_nodes for score in marked) / n_marks, float(iou)


def score_unseen_sections(pages: Sequence[MarkedPage], rules: RuleSet, seed: int) -> list[SectionScore]:
    """Scores of all pages: blocks and sections by cards that have not seen the page's site."""
    cases, scores = [list_section_cases(page, rules) for page in pages], list[SectionScore]()
    for other, seen, unseen in list_split_folds(pages, rules, seed):
        by_card = structs.replace(other, sections=fit_sections([cases[i] for i in seen]))
        scores += [score_tree(marked_pages.cut_anew(pages[i], other), by_card) for i in unseen]
    return scores


def list_section_cases(page: MarkedPage, rules: RuleSet) -> Cases:
    """The parts of a page that are large enough for a section, and whether people named each."""
    nodes = find_parts(page.analysis.columns, rules.segments)
    if not len(nodes):
        return _measure(nodes, FEATURES), np.zeros(0)
    is_large = find_large(nodes.share * nodes.page.blocks.n_chars.sum(), rules.segments.sections)
    marked = set(page.list_marked(0))
    spans = zip(page.shown[nodes.row].tolist(), page.shown[nodes.end].tolist(), strict=True)
    named = np.array([float(span in marked) for span in spans])
    return _measure(nodes, FEATURES)[is_large], named[is_large]


def fit_sections(cases: Sequence[Cases]) -> Card:
    """Fit the card; all nodes weigh alike."""
    values, named = (np.concatenate(columns) for columns in zip(*cases, strict=True))
    model = fit_additive(values, named, np.ones(len(named)), SECTIONS)
    return read_model(FEATURES, simplify_model(model, TOLERANCE))


def score_tree(page: MarkedPage, rules: RuleSet) -> SectionScore:
    """Compare the blocks and sections of a page, by these rules, with its marks."""
    analysis, shown, end = page.analysis, page.shown, page.analysis.columns.document.end
    segments = segment_page(analysis.columns, rules, analysis.decisions).columns.segments
    rows = np.flatnonzero(np.diff(shown))
    # the texts of each block, alone and with the blocks inside it: bool [n_rows]
    owner, below = np.asarray(segments.owner)[rows], [{number} for number in range(len(segments))]
    for number, above in reversed(list(enumerate(segments.parent))):
        if above >= 0:
            below[above] |= below[number]
    masks = [owner == number for number in range(len(segments))] + [np.isin(owner, list(own)) for own in below]
    # and those of each section
    sections = choose_sections(find_parts(analysis.columns, rules.segments), rules.sections, segments, rules.segments)
    for part in sections.taken:
        spans = [(rows >= row) & (rows < end[row]) for row in sections.list_rows(part)]
        masks.append(np.logical_or.reduce(spans))
    size = np.diff(shown)[rows].astype(np.float64)
    least = max(_LEAST_CHARS, _LEAST_SHARE * size.sum())
    # a block and the section around it alone hold the same text: one node
    parts = {mask.tobytes(): mask for mask in masks if mask @ size >= least}
    nodes = np.array(list(parts.values())).reshape(-1, len(rows))
    measured, best = nodes @ size, []
    for first, last in page.list_marked(least):
        common = nodes @ (size * ((shown[rows] >= first) & (shown[rows] < last)))
        best.append(float((common / (measured + (last - first) - common)).max(initial=0)))
    return SectionScore(best, len(nodes))
