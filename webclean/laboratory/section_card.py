"""Pages whose parts people marked, large and small -> the card of sections: how likely people name a node of the tree.

A case is a node of the cut tree that is large enough for a section; it is named where a mark has just its text. Marks
stand within marks, and all count. What is scored is the tree that comes out, flat blocks and sections together: the
share of the marks that one of them is close to, and how many there are for each mark, because a tree of everything
finds everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import structs

from webclean.laboratory.fitting import AdditiveOptions, fit_additive, simplify_model
from webclean.laboratory.harness import Learnt
from webclean.laboratory.marked_pages import MarkedPage, cut_anew, read_marked_pages
from webclean.laboratory.rule_files import read_model, write_cards
from webclean.laboratory.segment_cards import SPLITS, TOLERANCE, list_split_folds
from webclean.model import Floats, Mask, Segmentation
from webclean.rules import RuleSet, load_rules
from webclean.rules.card_schema import Card
from webclean.segments import segment_page
from webclean.segments.nodes import NODE_FEATURES, measure_nodes
from webclean.segments.sections import choose_sections, find_large, find_parts

FEATURES: Final = (
    *("n_chars", "text_share", "share_of_whole", "position", "depth", "element_depth", "chain", "n_divs"),
    *("n_text_blocks", "first_part", "heading_parts", "n_images", "n_links", "link_density"),
    *("links_around", "link_density_around", "in_list", "n_of_shape", "n_elements_alike", "n_siblings_alike"),
    *("n_nodes_alike", "tag.div", "tag.li", "token.navigation"),
)
"""Those of 88 whose points differ most over the nodes; with all of them unseen pages are no better."""
CLOSE: Final = 0.75
"""IoU from which a node of the tree equals a mark."""
_LEAST_CHARS, _LEAST_SHARE = 20, 0.002
"""Of a page's characters: smaller marks and nodes are not counted."""


SECTIONS: Final = AdditiveOptions(n_bins=10, ridge=50.0, smooth=20.0)
"""How the card is fitted: a strong pull to zero, for marked pages are few."""


VARIANTS: Final[dict[str, dict[str, Any]]] = {
    "as shipped": {},
    "larger trees": {"least_gain": 0.0075},
    "smaller trees": {"least_gain": 0.02},
    **{f"without {signal}": {signal: False} for signal in ("headings", "tags", "urls", "looks", "gain", "landmarks")},
    "by the card alone": dict.fromkeys(("headings", "tags", "urls", "landmarks"), False),
}
"""Settings of `segments.sections` that are scored beside those that are shipped: other sizes of the tree, and each
signal switched off."""


class SectionScore(NamedTuple):
    """Of one page. best: of each mark, the IoU of the node of the tree that is closest. n_nodes: of the tree."""

    best: list[float]
    n_nodes: int


def learn_sections(data: Path, shuffles: int, n_bins: int) -> Learnt:
    """The card of sections, scored by the marks of unseen sites."""
    rules, options = load_rules(), replace(SECTIONS, n_bins=n_bins)
    pages = list(read_marked_pages(data, rules))
    lines = [f"{len(pages)} pages", *_report_unseen(pages, rules, options, shuffles)]
    head = f"""\
Which parts of a page people name, for its sections: log-odds of each.
Learnt by `webclean learn sections` from {len(pages)} marked pages. Of unseen sites:
{chr(10).join(f"  {line}" for line in lines[1:4])}"""

    def write() -> dict[str, str]:
        card = fit_sections([list_section_cases(page, rules) for page in pages], options)
        return {"": write_cards([(("sections",), card, NODE_FEATURES)], head, ("sections.bias", "sections.lines"))}

    return Learnt("\n".join(lines), write)


def _report_unseen(pages: Sequence[MarkedPage], rules: RuleSet, options: AdditiveOptions, shuffles: int) -> list[str]:
    """A line for each of `VARIANTS`: the means over shuffles of a cross-validation."""
    found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in VARIANTS}
    for seed in range(shuffles):
        for name, scores in score_unseen_sections(pages, rules, options, seed).items():
            found[name].append(summarise(scores))
    means = {name: np.mean(rows, axis=0).tolist() for name, rows in found.items()}
    return [
        f"{name:18s} found {share:.3f} at {nodes:.2f} nodes a mark, mean IoU {iou:.3f}"
        for name, (share, nodes, iou) in means.items()
    ]


def summarise(scores: Iterable[SectionScore]) -> tuple[float, float, float]:
    """(share of the marks that are found, mean over pages; nodes for each mark of all pages; mean IoU)."""
    marked = [score for score in scores if score.best]
    found = np.mean([np.mean([iou >= CLOSE for iou in score.best]) for score in marked])
    n_marks = sum(len(score.best) for score in marked)
    iou = np.mean([np.mean(score.best) for score in marked])
    return float(found), sum(score.n_nodes for score in marked) / n_marks, float(iou)


def score_unseen_sections(
    pages: Sequence[MarkedPage], rules: RuleSet, options: AdditiveOptions, seed: int
) -> dict[str, list[SectionScore]]:
    """Scores of all pages by variant: blocks and sections by cards that have not seen the page's site."""
    cases = [list_section_cases(page, rules) for page in pages]
    scores: dict[str, list[SectionScore]] = {name: [] for name in VARIANTS}
    for other, seen, unseen in list_split_folds(pages, rules, SPLITS, seed):
        card = fit_sections([cases[i] for i in seen], options)
        for name, changed in VARIANTS.items():
            choice = structs.replace(other.segments.sections, **changed)
            varied = structs.replace(other, segments=structs.replace(other.segments, sections=choice), sections=card)
            scores[name] += [score_tree(cut_anew(pages[i], other), varied) for i in unseen]
    return scores


def list_section_cases(page: MarkedPage, rules: RuleSet) -> tuple[Floats, Floats]:
    """float64 [n, n_features]; float64 [n], whether people named the node."""
    nodes = find_parts(page.analysis.columns, rules.segments)
    if not len(nodes):
        return np.zeros((0, len(FEATURES))), np.zeros(0)
    is_large = find_large(nodes.share * nodes.page.blocks.n_chars.sum(), rules.segments.sections)
    marked = set(page.list_marked(0))
    spans = zip(page.shown[nodes.row].tolist(), page.shown[nodes.end].tolist(), strict=True)
    named = np.array([float(span in marked) for span in spans])
    return np.column_stack([measure_nodes(nodes, name) for name in FEATURES])[is_large], named[is_large]


def fit_sections(cases: Sequence[tuple[Floats, Floats]], options: AdditiveOptions) -> Card:
    """Fit the card; all nodes weigh alike."""
    values, named = (np.concatenate(columns) for columns in zip(*cases, strict=True))
    model = fit_additive(values, named, np.ones(len(named)), options)
    return read_model(FEATURES, simplify_model(model, TOLERANCE))


def score_tree(page: MarkedPage, rules: RuleSet) -> SectionScore:
    """Compare the blocks and sections of a page, by these rules, with its marks."""
    analysis, shown = page.analysis, page.shown
    segments = segment_page(analysis.columns, rules, analysis.decisions).columns.segments
    rows = np.flatnonzero(np.diff(shown))
    # a block and the section around it alone hold the same text: one node
    parts = {part.tobytes(): part for part in [*_list_blocks(segments, rows), *_list_sections(page, rules, rows)]}
    size = np.diff(shown)[rows].astype(np.float64)
    least = max(_LEAST_CHARS, _LEAST_SHARE * size.sum())
    nodes = np.array([part for part in parts.values() if part @ size >= least]).reshape(-1, len(rows))
    measured, best = nodes @ size, []
    for first, end in page.list_marked(least):
        common = nodes @ (size * ((shown[rows] >= first) & (shown[rows] < end)))
        best.append(float((common / (measured + (end - first) - common)).max(initial=0)))
    return SectionScore(best, len(nodes))


def _list_blocks(segments: Segmentation, rows: Any) -> list[Mask]:
    """bool [n_rows] each: the texts of each block, alone and with the blocks inside it."""
    owner, below = np.asarray(segments.owner)[rows], [{number} for number in range(len(segments))]
    for number, above in reversed(list(enumerate(segments.parent))):
        if above >= 0:
            below[above] |= below[number]
    sets = [*({number} for number in range(len(segments))), *below]
    return [np.isin(owner, list(numbers)) for numbers in sets]


def _list_sections(page: MarkedPage, rules: RuleSet, rows: Any) -> list[Mask]:
    """bool [n_rows] each: the texts of each section."""
    analysis = page.analysis
    nodes = find_parts(analysis.columns, rules.segments)
    segments = segment_page(analysis.columns, rules, analysis.decisions).columns.segments
    chosen, end = choose_sections(nodes, rules.sections, segments, rules.segments), analysis.columns.document.end
    holds: Callable[[int], Mask] = lambda row: (rows >= row) & (rows < end[row])  # noqa: E731  one line, used once
    return [np.logical_or.reduce([holds(row) for row in chosen.list_rows(part)]) for part in chosen.taken]
