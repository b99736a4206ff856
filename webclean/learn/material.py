"""Labelled pages -> everything the cards of blocks are fitted on: feature tables, labels, weights, folds.

What rests on learnt word points is measured with words that were learnt on other pages: never on the page's own site,
and never on pages that are held out to be scored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean.compare.dataset import LabelledPage, group_pages, make_folds
from webclean.features import BLOCK_FEATURES, PageColumns, measure
from webclean.features.word_points import compile_word_points
from webclean.learn.labels import WordTable, label_blocks, tabulate_words
from webclean.learn.page_type import predict_types
from webclean.learn.word_points import WordCounts, count_words, fit_weights, make_word_points
from webclean.model import Floats, Mask, Rows
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules
from webclean.rules.features_schema import WordPoints

Report = Callable[[str], None]

N_FOLDS: Final = 5
N_PARTS: Final = 2
"""Parts of the learning pages, by fold: what a card learns from other learnt things is learnt from the other part."""
_OF_WORDS: Final = "tokens"
_LEARNT: Final = tuple(name for name, feature in BLOCK_FEATURES.items() if feature.learn)
WORD_FEATURES: Final = tuple(name for name in _LEARNT if BLOCK_FEATURES[name].group == _OF_WORDS)
"""The features that word points go into."""
OTHER_FEATURES: Final = tuple(name for name in _LEARNT if name not in WORD_FEATURES)
_LARGE: Final = 0.004
_DRAWN: Final = 100
"""Of a page's blocks that hold a smaller share of its words than `_LARGE`, so many are learnt from, about."""


@dataclass(frozen=True, eq=False)
class Material:
    """All text blocks of all pages, one after the other.

    pages, columns, words: one entry a page. fold: int32 [n_pages]. start: int64 [n_pages + 1], where a page's blocks
    begin. page: int32 [n_blocks]; label: float64 [n_blocks]; weight: float64 [n_blocks], the block's share of its
    page's words times the weight of the page, 0 for blocks that nothing is learnt from. base: float32 [n_blocks,
    n_features], the features that no word points go into. types: float64 [n_pages, n_kinds], how likely a page is of
    each of `kinds`, by a page-type card that has not seen its fold; left_out: the same by one that has not seen its
    corpus.
    """

    pages: tuple[LabelledPage, ...]
    columns: tuple[PageColumns, ...]
    words: tuple[WordTable, ...]
    group: Rows
    fold: Rows
    start: NDArray[np.int64]
    page: Rows
    label: Floats
    weight: Floats
    base: NDArray[np.float32]
    kinds: tuple[str, ...]
    types: Floats
    left_out: Floats

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the tables."""
        return (*OTHER_FEATURES, *WORD_FEATURES)

    @cached_property
    def corpora(self) -> tuple[str, ...]:
        """The names of the corpora, in the order in which they were given."""
        return tuple(dict.fromkeys(page.corpus for page in self.pages))

    @cached_property
    def corpus(self) -> Rows:
        """int64 [n_pages]: the place of the page's corpus in `corpora`."""
        return np.array([self.corpora.index(page.corpus) for page in self.pages], dtype=np.intp)

    @cached_property
    def is_first(self) -> Mask:
        """bool [n_pages]: of the first corpus, which has every page type."""
        return np.asarray(self.corpus == 0)

    @cached_property
    def is_article(self) -> Mask:
        """bool [n_pages]: by the truth."""
        return np.array([page.page_type == "article" for page in self.pages], dtype=bool)

    def rows_of(self, page: int) -> slice:
        """The blocks of one page."""
        return slice(int(self.start[page]), int(self.start[page + 1]))


def build_material(pages: Sequence[LabelledPage], say: Report) -> Material:
    """Parse, measure and label every page."""
    columns = tuple(map(_measure_page, pages))
    say(f"{len(pages)} pages parsed")
    words = tuple(
        tabulate_words(own.blocks.text, page.text, page.language) for own, page in zip(columns, pages, strict=True)
    )
    label = np.concatenate([_label_page(*each) for each in zip(pages, columns, words, strict=True)])
    say("blocks labelled")
    base = np.concatenate([measure_table(own, OTHER_FEATURES) for own in columns])
    say(f"{base.shape[1]} features of {len(base)} blocks measured")
    n_blocks = [len(own.blocks) for own in columns]
    page = np.repeat(np.arange(len(pages), dtype=np.int32), n_blocks)
    size = np.concatenate([np.bincount(table.block, minlength=table.n_blocks) for table in words])
    share = size / np.maximum(1.0, np.bincount(page, size, minlength=len(pages)))[page]
    group, fold = group_pages(pages), fold_pages(pages)
    kinds, types, left_out = predict_types(pages, columns, fold, load_rules())
    say("page types guessed")
    page_weight = np.array([p.weight for p in pages])
    return Material(
        pages=tuple(pages),
        columns=columns,
        words=words,
        group=group,
        fold=fold,
        start=np.concatenate(([0], np.cumsum(n_blocks))).astype(np.int64),
        page=page,
        label=label,
        weight=sample_blocks(share, page) * page_weight[page],
        base=base,
        kinds=kinds,
        types=types,
        left_out=left_out,
    )


def fold_pages(pages: Sequence[LabelledPage]) -> Rows:
    """int32 [n_pages]: the fold of each page; pages of one site share it, corpora and types are spread evenly."""
    return make_folds(group_pages(pages), [f"{page.corpus} {page.page_type}" for page in pages], N_FOLDS)


def _measure_page(page: LabelledPage) -> PageColumns:
    return build_columns(parse_page(page.html, url=page.url or None))


def _label_page(page: LabelledPage, columns: PageColumns, words: WordTable) -> Floats:
    """float64 [n_blocks]: the labels of one page; what the truth has apart as readers' comments is none of it."""
    label = label_blocks(words)
    if not page.comments:
        return label
    by_words = label_blocks(tabulate_words(columns.blocks.text, page.comments, page.language))
    return np.where(by_words > label, np.minimum(label, 1 - by_words), label)


def sample_blocks(share: Floats, page: Rows) -> Floats:
    """float64 [n_blocks]: weights by which the cards are fitted; share: of the page's words.

    Of the many small blocks of a page each k-th is drawn and stands for k of them: they cost most and say least.
    """
    small = share < _LARGE
    n_small = np.bincount(page, small)[page]
    step = np.maximum(1, n_small // _DRAWN)
    running = np.cumsum(small)
    before = np.concatenate(([0], running))[np.searchsorted(page, page)]
    number = running - small - before
    return np.where(small, np.where(number % step == 0, share * step, 0.0), share)


def measure_table(columns: PageColumns, names: Sequence[str]) -> NDArray[np.float32]:
    """float32 [n_blocks, n_names]."""
    if not len(columns.blocks):
        return np.zeros((0, len(names)), dtype=np.float32)
    return np.stack([measure(columns, name) for name in names], axis=1).astype(np.float32)


class WordTables:
    """Word points by the pages they were learnt on, and the feature columns that follow from them."""

    def __init__(self, material: Material, say: Report, min_sites: int = 4) -> None:
        self._material, self._say = material, say
        pairs = zip(material.columns, material.group.tolist(), strict=True)
        self.counts: WordCounts = count_words(list(pairs), min_sites)
        say(f"{len(self.counts.words)} words on enough sites")

    def learn(self, pages: Mask) -> WordPoints:
        """Word points from the chosen pages."""
        material = self._material
        rows = pages[material.page] & (material.weight > 0)
        return make_word_points(self.counts, fit_weights(self.counts, material.label, material.weight, rows))

    def measure(self, learnt: Mask) -> NDArray[np.float32]:
        """float32 [n_blocks, n_word_features]: by words learnt from `learnt` alone, not from the page's own part."""
        material = self._material
        part = part_pages(material.fold)
        found = [self.learn(learnt & (part != own)) for own in range(N_PARTS)]
        by_part = [*found, self.learn(learnt)]
        self._say(f"words learnt from {np.count_nonzero(learnt)} pages")
        tables = []
        for page, own in enumerate(material.columns):
            points = by_part[part[page] if learnt[page] else N_PARTS]
            view = replace(own, word_points=compile_word_points(points, own.word_points.concepts))
            tables.append(measure_table(view, WORD_FEATURES))
        return np.concatenate(tables)


def part_pages(fold: Rows) -> Rows:
    """int32 [n_pages]: the part of each page; fold: int32 [n_pages]."""
    return fold % N_PARTS
