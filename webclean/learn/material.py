"""Labelled pages -> everything a card is fitted on: feature tables, labels, weights, folds.

What rests on learnt word points is measured with words that were learnt on other folds: never on the page's own, and
in cross-validation never on the fold that is scored.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from webclean.corpora.dataset import LabelledPage, group_pages, make_folds
from webclean.features import BLOCK_FEATURES, PageColumns, measure
from webclean.features.word_points import compile_word_points
from webclean.learn.labels import WordTable, label_blocks, tabulate_words
from webclean.learn.page_type import predict_types
from webclean.learn.word_points import WordCounts, count_words, fit_weights, make_word_points
from webclean.model import Floats, Mask, Rows
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules
from webclean.rules.word_points_schema import WordPoints

Report = Callable[[str], None]

N_FOLDS: Final = 5
_WORD_MODULE: Final = "webclean.features.tokens"
_LEARNT: Final = tuple(name for name, feature in BLOCK_FEATURES.items() if feature.learn)
WORD_FEATURES: Final = tuple(name for name in _LEARNT if BLOCK_FEATURES[name].compute.__module__ == _WORD_MODULE)
"""The features that word points go into."""
OTHER_FEATURES: Final = tuple(name for name in _LEARNT if name not in WORD_FEATURES)


@dataclass(frozen=True, eq=False)
class Material:
    """All text blocks of all pages, one after the other.

    pages, columns, words: one entry a page. fold: int32 [n_pages]. start: int64 [n_pages + 1], where a page's blocks
    begin. page: int32 [n_blocks]; label: float64 [n_blocks]; weight: float64 [n_blocks], the block's share of its
    page's words, so that pages weigh the same. base: float64 [n_blocks, n_features], the features that no word points
    go into. types: float64 [n_pages, n_kinds], how likely a page is of each of `kinds`, by a page-type card that has
    not seen its fold.
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
    base: Floats
    kinds: tuple[str, ...]
    types: Floats

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the tables."""
        return (*OTHER_FEATURES, *WORD_FEATURES)

    @cached_property
    def block_fold(self) -> Rows:
        """int32 [n_blocks]."""
        return self.fold[self.page]

    def rows_of(self, page: int) -> slice:
        """The blocks of one page."""
        return slice(int(self.start[page]), int(self.start[page + 1]))


def build_material(pages: Sequence[LabelledPage], say: Report) -> Material:
    """Parse, measure and label every page."""
    columns = tuple(map(_measure_page, pages))
    say(f"{len(pages)} pages parsed")
    words = tuple(tabulate_words(own.blocks.text, page.text) for own, page in zip(columns, pages, strict=True))
    label = np.concatenate([label_blocks(table) for table in words])
    say("blocks labelled")
    base = np.concatenate([measure_table(own, OTHER_FEATURES) for own in columns])
    say(f"{base.shape[1]} features of {len(base)} blocks measured")
    n_blocks = [len(own.blocks) for own in columns]
    page = np.repeat(np.arange(len(pages), dtype=np.int32), n_blocks)
    size = np.concatenate([np.bincount(table.block, minlength=table.n_blocks) for table in words])
    per_page = np.bincount(page, size, minlength=len(pages))
    group = group_pages(pages)
    fold = make_folds(group, [p.page_type for p in pages], N_FOLDS)
    guessed = predict_types(pages, columns, fold, load_rules())
    kinds = tuple(sorted({kind for row in guessed for kind in row}))
    say("page types guessed")
    return Material(
        pages=tuple(pages),
        columns=columns,
        words=words,
        group=group,
        fold=fold,
        start=np.concatenate(([0], np.cumsum(n_blocks))).astype(np.int64),
        page=page,
        label=label,
        weight=size / np.maximum(1.0, per_page)[page],
        base=base,
        kinds=kinds,
        types=np.array([[row[kind] for kind in kinds] for row in guessed]),
    )


def _measure_page(page: LabelledPage) -> PageColumns:
    return build_columns(parse_page(page.html, url=page.url or None))


def measure_table(columns: PageColumns, names: Sequence[str]) -> Floats:
    """float64 [n_blocks, n_names]."""
    if not len(columns.blocks):
        return np.zeros((0, len(names)), dtype=np.float64)
    return np.stack([measure(columns, name) for name in names], axis=1)


class WordPointTables:
    """Word points by the folds they were not learnt on, and the feature columns that follow from them."""

    def __init__(self, material: Material, say: Report, min_sites: int = 4) -> None:
        self._material, self._say = material, say
        pairs = zip(material.columns, material.group.tolist(), strict=True)
        self.counts: WordCounts = count_words(list(pairs), min_sites)
        self._learnt: dict[frozenset[int], WordPoints] = {}
        say(f"{len(self.counts.words)} words on enough sites")

    def learn(self, without: frozenset[int]) -> WordPoints:
        """Word points from all folds but those given."""
        found = self._learnt.get(without)
        if found is None:
            material = self._material
            rows: Mask = ~np.isin(material.block_fold, list(without))
            weights = fit_weights(self.counts, material.label, material.weight, rows)
            found = self._learnt[without] = make_word_points(self.counts, weights)
            self._say(f"words learnt without folds {sorted(without)}")
        return found

    def measure(self, held_out: int | None) -> Floats:
        """float64 [n_blocks, n_word_features]: by words learnt without each page's own fold and `held_out`."""
        material = self._material
        parts = []
        for page, own in enumerate(material.columns):
            fold = int(material.fold[page])
            without = frozenset((fold,) if held_out is None else (fold, held_out))
            known = compile_word_points(self.learn(without), own.word_points.concepts)
            parts.append(measure_table(replace(own, word_points=known), WORD_FEATURES))
        return np.concatenate(parts)
