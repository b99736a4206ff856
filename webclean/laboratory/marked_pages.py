"""Pages whose blocks people marked -> what is learnt from them, and how well found blocks agree with the marks.

A page is a file `*.html.gz` or `*.html` whose elements carry `data-block` and `data-block-type` (Kreuzer, Hage &
Feelders, 2015, "A quantitative comparison of semantic web page segmentation approaches"). The marks are taken out
before the page is cleaned. Each text node belongs to the deepest marked element around it and to one found block; all
that is measured is weighed by characters without white space.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from webclean.laboratory.harness import SETTINGS, list_folds
from webclean.model import Block, Rows
from webclean.page import Analysis
from webclean.parse import parse_page, read_attributes
from webclean.parse.url import find_registered_domain
from webclean.pipeline import analyse_document
from webclean.rules import RuleSet
from webclean.segments.semantic_page import segment_page
from webclean.workbench.labelled_pages import LabelledPage, Score, read_pages

_ROLES: Final[dict[str, str]] = SETTINGS["marks"]
ROLE_OF_MARK: Final = {mark: roles.split()[0] for mark, roles in _ROLES.items()}
AGREEING: Final = {mark: frozenset(roles.split()) for mark, roles in _ROLES.items()}

NOISE: Final = frozenset(("Menu", "Menu Sidebar", "Footer", "Ad", "Logo", "Searchbar", "Header"))
"""Types of marks that a reader of the page's content can do without."""

MIN_PAGES: Final = 5
"""A type of mark counts in the mean over types when so many pages have it."""

LISTED, UNLISTED, WRITTEN, LEAST = 0.35, 0.3, 0.5, 500
"""The least share of `LinkList` in the marked characters of a listing; the shares of `LinkList` and of `Article` that a
service stays below; and marked characters: a page with fewer says too little of its type."""

TOOL: Final = re.compile(
    rb'<div\b[^>]*\bclass="ui-dialog [^>]*>(?:(?!<div\b[^>]*\bclass="ui-dialog ).)*?'
    rb'\bid="popupDialog".*?(?=</body>|\Z)',
    re.DOTALL,
)
"""The dialog in which people marked the pages: it stands last in the body of those saved while it was open."""
_MARK: Final = re.compile(rb'\sdata-block(?:-type)?="[^"]*"')
_UNSEEN: Final = frozenset(("script", "style", "template", "noscript", "head", "title"))


@dataclass(frozen=True, slots=True, eq=False)
class MarkedPage:
    """One page without its marks, as analysed.

    texts: (row, mark, characters) of each text that stands in a mark. cells: (block, mark) -> characters, blocks by
    number (-1: in none) and marks by number. kinds: type of each mark, "?" where none is given. marks: the row of each
    mark. shown: int64 [n_elements + 1], characters that are shown in the elements before each one, in marks or not.
    """

    name: str
    analysis: Analysis
    texts: list[tuple[int, int, int]]
    cells: dict[tuple[int, int], int]
    kinds: list[str]
    marks: list[int]
    shown: Rows

    def list_marked(self, least: float) -> list[tuple[int, int]]:
        """The distinct spans of marks of at least so many characters, as characters before them and up to their end."""
        end = self.analysis.columns.document.end
        spans = ((int(self.shown[row]), int(self.shown[end[row]])) for row in self.marks)
        return list(dict.fromkeys(span for span in spans if span[1] - span[0] >= least))


@dataclass(frozen=True, slots=True)
class Agreement:
    """How found blocks agree with marks.

    bcubed: F1 of the segmentation, mean over pages. by_type: type of mark -> share of its characters, over all pages,
    whose block has a role that agrees. role: the mean of these. kept: mean of the share of noise that is dropped and of
    the share of the rest that is kept; keeping everything gives 0.5.
    """

    bcubed: float
    by_type: dict[str, float]
    role: float
    kept: float


def read_marked_pages(folder: Path, rules: RuleSet) -> Iterator[MarkedPage]:
    """The marked pages of a folder, in the order of their names. Raises `InputError` when there are none."""
    pages = (read_marked_page(page.id, page.html, rules) for page in read_pages(folder))
    return (page for page in pages if page.cells)


def read_marked_page(name: str, html: bytes, rules: RuleSet) -> MarkedPage:
    """Analyse a page without its marks, and lay these over its blocks: taking out attributes moves no element."""
    html = TOOL.sub(b"", html)
    analysis = analyse_document(parse_page(_MARK.sub(b"", html)), rules)
    marked = parse_page(html)
    types = read_attributes(marked, range(len(marked)), "data-block-type")
    is_marked = read_attributes(marked, range(len(marked)), "data-block")
    kinds, mark_of, seen, marks = list[str](), list[int](), list[bool](), list[int]()
    for row, above in enumerate(marked.parent.tolist()):
        # parents stand before their children, so that of the parent is known
        seen.append(marked.names[row] not in _UNSEEN and (above < 0 or seen[above]))
        if is_marked[row]:
            mark_of.append(len(kinds))
            kinds.append(types[row] or "?")
            marks.append(row)
        else:
            # the deepest mark around a text counts
            mark_of.append(mark_of[above] if above >= 0 else -1)
    texts, shown = list[tuple[int, int, int]](), np.zeros(len(seen) + 1, dtype=np.int64)
    for row, text in zip(marked.text_owner.tolist(), marked.text, strict=True):
        if seen[row] and (n_chars := sum(map(len, text.split()))):
            shown[row + 1] += n_chars
            texts += [(row, mark_of[row], n_chars)] if mark_of[row] >= 0 else []
    return MarkedPage(name, analysis, texts, _count_cells(analysis, texts), kinds, marks, np.cumsum(shown))


def cut_anew(page: MarkedPage, rules: RuleSet) -> MarkedPage:
    """The same page with blocks by other cards (of splits, of roles)."""
    analysis = replace(page.analysis, rules=rules)
    return replace(page, analysis=analysis, cells=_count_cells(analysis, page.texts))


def _count_cells(analysis: Analysis, texts: Iterable[tuple[int, int, int]]) -> dict[tuple[int, int], int]:
    owner = segment_page(analysis.columns, analysis.rules, analysis.decisions).columns.segments.owner.tolist()
    cells: Counter[tuple[int, int]] = Counter()
    for row, mark, n_chars in texts:
        cells[owner[row], mark] += n_chars
    return dict(cells)


def measure_agreement(pages: Sequence[tuple[MarkedPage, Sequence[Block]]]) -> Agreement:
    """Compare the blocks of each page with its marks. Every page weighs alike."""
    right, every = defaultdict[str, float](float), defaultdict[str, float](float)
    n_pages, fate = Counter[str](), {(noise, kept): 0.0 for noise in (False, True) for kept in (False, True)}
    for page, blocks in pages:
        total = sum(page.cells.values())
        for (number, mark), n_chars in page.cells.items():
            kind, share = page.kinds[mark], n_chars / total
            block = blocks[number] if number >= 0 else None
            fate[kind in NOISE, block is not None and block.kept] += share
            if kind in AGREEING:
                every[kind] += share
                right[kind] += share * (block is not None and block.role in AGREEING[kind])
        n_pages.update({page.kinds[mark] for _, mark in page.cells})
    # types of marks on a few pages would move the mean by chance
    by_type = {kind: right[kind] / every[kind] for kind in sorted(every) if n_pages[kind] >= MIN_PAGES}
    kept = fate[False, True] / max(1e-9, fate[False, True] + fate[False, False])
    dropped = fate[True, False] / max(1e-9, fate[True, True] + fate[True, False])
    bcubed = [score_cells(page).f1 for page, _ in pages]
    role = sum(by_type.values()) / max(1, len(by_type))
    return Agreement(sum(bcubed) / max(1, len(bcubed)), by_type, role, (kept + dropped) / 2)


def score_cells(page: MarkedPage) -> Score:
    """BCubed precision, recall and F1 of the blocks of a page (Bagga & Baldwin, 1998)."""
    true, found = Counter[int](), Counter[int]()
    for (block, mark), n in page.cells.items():
        true[mark] += n
        found[block] += n
    total = true.total()
    precision = sum(n * n / found[block] for (block, _), n in page.cells.items()) / total
    recall = sum(n * n / true[mark] for (_, mark), n in page.cells.items()) / total
    return Score(precision, recall, 2 * precision * recall / (precision + recall))


def fold_by_site(pages: Sequence[MarkedPage], n_folds: int, seed: int) -> Iterator[tuple[list[int], list[int]]]:
    """(numbers of the pages to learn from, of those to score) of each fold of a cross-validation.

    Pages whose file name is a host of the same registered domain are in one fold.
    """
    sites = [find_registered_domain(f"//{page.name}") or page.name for page in pages]
    # sorted: the same seed draws the same folds on every machine
    distinct = sorted(set(sites))
    drawn = dict(zip(distinct, np.random.default_rng(seed).permutation(len(distinct)) % n_folds, strict=True))
    return list_folds(np.array([drawn[site] for site in sites]))


def read_home_pages(folder: Path, rules: RuleSet) -> Iterator[LabelledPage]:
    """The listings and services among the marked pages of a folder, as they were before the marks.

    Corpora of extraction hold articles; what front pages look like is learnt from pages that people cut into blocks. By
    the marked text, a portal's front page is mostly lists of links, and that of a firm or an office has few of them and
    no article; what lies between says nothing sure of its type and is left out. A file is named after its site. Raises
    `InputError` for a folder without pages.
    """
    for page in read_pages(folder):
        if page_type := tell_type(read_marked_page(page.id, page.html, rules)):
            own, corpus = _MARK.sub(b"", page.html), folder.resolve().name
            yield LabelledPage(page.id, f"http://{page.id}/", own, page_type=page_type, domain=page.id, corpus=corpus)


def tell_type(page: MarkedPage) -> str:
    """`listing` or `service` by the shares of the marked characters; '' for what is neither."""
    total = sum(page.cells.values())
    if total < LEAST:
        return ""
    by_kind: Counter[str] = Counter()
    for (_, mark), n_chars in page.cells.items():
        by_kind[page.kinds[mark]] += n_chars
    listed, written = by_kind["LinkList"] / total, by_kind["Article"] / total
    if listed >= LISTED:
        return "listing"
    return "service" if listed < UNLISTED and written < WRITTEN else ""
