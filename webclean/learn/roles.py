"""Pages whose blocks people marked -> the role card, as YAML, with its cross-validated scores.

A page is a file `*.html.gz` or `*.html` whose elements carry `data-block` and `data-block-type` (Kreuzer, Hage &
Feelders, 2015, "A quantitative comparison of semantic web page segmentation approaches"). The card is a multinomial
logistic regression over bins of each measure; types of marks weigh alike, so that rare ones are learnt too. It learns
from the blocks that the rules cut, not from the marked ones: those are what it will be asked about.
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from webclean.blocks.features import PageColumns
from webclean.blocks.structure import build_structure_tree
from webclean.blocks.text_blocks import find_text_blocks
from webclean.errors import InputError
from webclean.model import Document, Floats
from webclean.parse import parse_page, read_attribute_column
from webclean.rules import RuleSet
from webclean.semantics import segment_page
from webclean.semantics.measures import list_measures, measure_segments

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

AGREEING: Final = {
    "links": {"links", "index", "navigation", "related"},
    "sidebar": {"sidebar", "links", "related"},
    "header": {"header"},
    "form": {"form", "header"},
}
"""Role learnt from a mark -> the roles that agree with it, where there are more than itself."""


@dataclass(frozen=True, slots=True)
class RoleSettings:
    """n_bins: of each measure, at quantiles. strength: inverse of the L2 penalty. balance: 0 weighs types of marks by
    their text, 1 all alike. min_points: smaller points are written as none. n_folds: of the cross-validation.
    """

    n_bins: int = 3
    strength: float = 0.1
    balance: float = 0.7
    min_points: float = 0.05
    n_folds: int = 10


@dataclass(frozen=True, slots=True, eq=False)
class MarkedPage:
    """values: float64 [n_blocks, n_measures]. cells: (block, type of mark) -> share of the page's marked characters."""

    name: str
    values: Floats
    cells: dict[tuple[int, str], float]


@dataclass(frozen=True, slots=True, eq=False)
class RoleModel:
    """edges: for each measure the limits between its bins. points: for each measure float64 [n_bins, n_roles]."""

    roles: tuple[str, ...]
    edges: tuple[Floats, ...]
    points: tuple[Floats, ...]
    bias: Floats

    def predict(self, values: Floats) -> list[str]:
        """The role of each row."""
        total = np.tile(self.bias, (len(values), 1))
        for column, edges in enumerate(self.edges):
            total += self.points[column][np.searchsorted(edges, values[:, column], side="right")]
        return [self.roles[best] for best in total.argmax(axis=1)]


def learnt_measures(rules: RuleSet) -> list[str]:
    """The measures of the learnt lines: all but landmarks, of which standards say what they mean."""
    names = list_measures(list(rules.semantics.tokens), list(rules.semantics.patterns))
    return [name for name in names if not name.startswith("in_")]


def read_marked_pages(folder: Path, rules: RuleSet) -> Iterator[MarkedPage]:
    """The marked pages of a folder, cut by the rules. Raises `InputError` when there are none."""
    paths = sorted([*folder.glob("*.html.gz"), *folder.glob("*.html")])
    if not paths:
        raise InputError(f"{folder}: no *.html.gz or *.html")
    names = learnt_measures(rules)
    for path in paths:
        html = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        document = parse_page(html)
        blocks = find_text_blocks(document)
        page = segment_page(PageColumns(document, blocks, build_structure_tree(document, blocks)), rules)
        cells = _count_cells(document, page.segments.owner, blocks)
        if cells and len(page.segments):
            yield MarkedPage(path.name, np.column_stack([measure_segments(page, name) for name in names]), cells)


def _count_cells(document: Document, owner: Any, blocks: Any) -> dict[tuple[int, str], float]:
    kinds, marks = read_attribute_column(document, "data-block-type"), read_attribute_column(document, "data-block")
    mark_of: list[str] = []
    for row, above in enumerate(document.parent.tolist()):
        mark_of.append((kinds[row] or "?") if marks[row] else mark_of[above] if above >= 0 else "")
    counts: Counter[tuple[int, str]] = Counter()
    for row, n_chars in zip(blocks.row.tolist(), blocks.n_chars.tolist(), strict=True):
        if mark_of[row]:
            counts[int(owner[row]), mark_of[row]] += n_chars
    total = max(1, sum(counts.values()))
    return {cell: n / total for cell, n in counts.items() if cell[1] in ROLE_OF_MARK}


def fit_roles(pages: Sequence[MarkedPage], settings: RoleSettings) -> RoleModel:
    """Fit the card: each (block, type of mark) is a case, weighed by the square root of its share of the page."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  an extra

    values = np.vstack([page.values[block] for page in pages for block, _ in page.cells])
    marks = [mark for page in pages for _, mark in page.cells]
    share = np.array([share for page in pages for share in page.cells.values()])
    size = {mark: share[[m == mark for m in marks]].sum() for mark in set(marks)}
    weight = np.sqrt(share) / np.array([size[mark] for mark in marks]) ** settings.balance
    edges = tuple(_find_edges(values[:, column], settings.n_bins) for column in range(values.shape[1]))
    table = np.hstack([_mark_bins(values[:, column], limits) for column, limits in enumerate(edges)])
    model = LogisticRegression(C=settings.strength, max_iter=1000)
    model.fit(table, [ROLE_OF_MARK[mark] for mark in marks], sample_weight=weight * len(weight) / weight.sum())
    parts = np.split(model.coef_.T, np.cumsum([len(limits) + 1 for limits in edges])[:-1])
    mean = [
        part[np.searchsorted(limits, values[:, i], side="right")].mean(axis=0)
        for i, (part, limits) in enumerate(zip(parts, edges, strict=True))
    ]
    bias = model.intercept_ + np.sum(mean, axis=0)
    points = tuple(part - shift for part, shift in zip(parts, mean, strict=True))
    return RoleModel(tuple(map(str, model.classes_)), edges, points, bias - bias.mean())


def _find_edges(values: Floats, n_bins: int) -> Floats:
    distinct = np.unique(values)
    if len(distinct) <= n_bins + 1:
        return np.asarray((distinct[1:] + distinct[:-1]) / 2, dtype=np.float64)
    quantiles = np.quantile(values, np.linspace(0, 1, n_bins + 1)[1:-1])
    return np.unique([float(f"{value:.2g}") for value in quantiles])


def _mark_bins(values: Floats, edges: Floats) -> NDArray[np.float64]:
    return np.asarray(np.eye(len(edges) + 1)[np.searchsorted(edges, values, side="right")], dtype=np.float64)


def predict_unseen(pages: Sequence[MarkedPage], settings: RoleSettings) -> list[list[str]]:
    """The role of each block, from a card that has not seen its page."""
    made: list[list[str]] = [[] for _ in pages]
    fold = np.arange(len(pages)) * 7919 % len(pages) % settings.n_folds
    for k in range(settings.n_folds):
        model = fit_roles([page for page, other in zip(pages, fold, strict=True) if other != k], settings)
        for i in np.flatnonzero(fold == k).tolist():
            made[i] = model.predict(pages[i].values)
    return made


def score_roles(pages: Sequence[MarkedPage], predicted: Sequence[Sequence[str]]) -> dict[str, tuple[float, int]]:
    """Type of mark -> (share of its characters whose block got a role that agrees, pages)."""
    right: Counter[str] = Counter()
    every: Counter[str] = Counter()
    n_pages: Counter[str] = Counter()
    for page, roles in zip(pages, predicted, strict=True):
        for (block, mark), share in page.cells.items():
            every[mark] += share  # type: ignore[assignment]
            right[mark] += share * agrees(roles[block], mark)  # type: ignore[assignment]
        n_pages.update({mark for _, mark in page.cells})
    return {mark: (right[mark] / every[mark], n_pages[mark]) for mark in sorted(every)}


def agrees(role: str, mark: str) -> bool:
    """Whether a role says what a mark says."""
    wanted = ROLE_OF_MARK[mark]
    return role in AGREEING.get(wanted, {wanted})


def format_roles(model: RoleModel, names: Sequence[str], settings: RoleSettings, note: str) -> str:
    """The card as YAML."""
    import yaml  # noqa: PLC0415

    def shown(points: Floats) -> dict[str, float]:
        pairs = zip(model.roles, points.tolist(), strict=True)
        return {role: round(value, 2) for role, value in pairs if abs(value) >= settings.min_points}

    lines: dict[str, list[dict[str, Any]]] = {}
    for name, edges, points in zip(names, model.edges, model.points, strict=True):
        if any(shown(row) for row in points):
            limits: list[dict[str, Any]] = [{"below": float(edge)} for edge in edges]
            lines[name] = [{**limit, "points": shown(row)} for limit, row in zip([*limits, {}], points, strict=True)]
    bias = {role: round(float(value), 2) for role, value in zip(model.roles, model.bias, strict=True)}
    text = yaml.safe_dump(
        {"roles": {"bias": bias, "lines": lines}}, sort_keys=False, default_flow_style=None, width=118
    )
    return f"# {note}\n{text}"
