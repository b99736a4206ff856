"""Labelled blocks -> points for single words: class names, words of short texts and of headings.

One logistic regression over all words at once, with a ridge penalty, so that a word is not blamed for its company
(`post` under `related`). A word counts when enough sites use it; pages weigh the same, blocks by their words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from webclean.features import PageColumns
from webclean.features.block_texts import SHORT_TEXT
from webclean.features.names import find_names
from webclean.features.words import compile_word_points, split_name, split_text
from webclean.laboratory.block_material import N_PARTS, WORD_FEATURES, Material, measure_table
from webclean.laboratory.fitting import fit_words
from webclean.laboratory.harness import Say
from webclean.model import Floats, Mask, Rows
from webclean.rules.features_schema import WordGroup, WordPoints

KINDS: Final = ("names", "words", "headings")
Word = tuple[str, str]
"""Kind and word."""


@dataclass(frozen=True, slots=True, eq=False)
class WordCounts:
    """Which words stand on which blocks: counts float32 [n_blocks, n_words] (sparse) and the words."""

    counts: sparse.csr_matrix
    words: tuple[Word, ...]


def list_on_page(columns: PageColumns) -> tuple[Rows, list[list[Word]]]:
    """Which sets of words stand on which blocks, as the features of `features.word_points` read them.

    int64 [2, n]: a block and the number of a set that stands on it; and the sets. Those of names stand on a block once
    for each element around it that has the name, itself included.
    """
    names, texts, above = find_names(columns), columns.blocks.text, columns.heading_above
    short = np.array([at for at, text in enumerate(texts) if len(text) <= SHORT_TEXT], dtype=np.int64)
    below = np.flatnonzero(above >= 0)
    headings, heading = np.unique(above[below], return_inverse=True)
    sets = [[("names", word) for word in split_name(name)] for name in names.names]
    places = [_list_around(columns, names.index), np.stack([short, len(sets) + np.arange(len(short))])]
    sets += [[("words", word) for word in split_text(texts[at])] for at in short]
    places.append(np.stack([below, len(sets) + heading]))
    sets += [[("headings", word) for word in split_text(texts[at])] for at in headings]
    return np.concatenate(places, axis=1), sets


def _list_around(columns: PageColumns, name: Rows) -> Rows:
    """int64 [2, n]: each block with the names of all elements around it. name: int64 [n_elements]."""
    block, at, found = np.arange(len(columns.blocks)), columns.row, [np.zeros((2, 0), dtype=np.int64)]
    while len(at):
        found.append(np.stack([block, name[at]]))
        # one level up for all blocks at once, until the last one has reached the root
        at = columns.document.parent[at]
        block, at = block[at >= 0], at[at >= 0]
    return np.concatenate(found, axis=1)


def count_words(pages: Iterable[tuple[PageColumns, int]], min_sites: int = 4) -> WordCounts:
    """Words on all blocks of all pages, in page order; pages are (columns, group). Rare words are left out."""
    number, sites = dict[Word, int](), list[set[int]]()
    n_blocks, found = 0, [np.zeros((3, 0), dtype=np.int32)]
    for columns, group in pages:
        places, sets = list_on_page(columns)
        for word in sorted(set().union(*sets) - number.keys()):
            number[word] = len(number)
            sites.append(set())
        numbers = [[number[word] for word in own] for own in sets]
        for own in set().union(*numbers):
            sites[own].add(group)
        counted = _count_on_page(places, numbers, len(number))
        counted[0] += n_blocks
        found.append(counted)
        n_blocks += len(columns.blocks)
    kept = sorted(word for word, own in number.items() if len(sites[own]) >= min_sites)
    place = np.full(len(number), -1, dtype=np.int32)
    place[[number[word] for word in kept]] = np.arange(len(kept))
    rows, numbered, times = np.concatenate(found, axis=1)
    used = place[numbered] >= 0
    entries = times[used].astype(np.float32), (rows[used], place[numbered[used]])
    return WordCounts(sparse.csr_matrix(entries, shape=(n_blocks, len(kept))), tuple(kept))


def _count_on_page(places: Rows, numbers: Sequence[Sequence[int]], n_words: int) -> NDArray[np.int32]:
    """int32 [3, n]: block, word, and how often it stands there. places: int64 [2, n], of blocks and sets of words."""
    size = np.array(list(map(len, numbers)), dtype=np.int64)
    flat = np.array([word for own in numbers for word in own], dtype=np.int64)
    block, of_set = places
    n = size[of_set]
    # each place is as many entries as its set has words, from where the set begins among all words
    within = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
    word = flat[np.repeat((np.cumsum(size) - size)[of_set], n) + within]
    keys, times = np.unique(np.repeat(block, n) * n_words + word, return_counts=True)
    return np.stack([keys // n_words, keys % n_words, times]).astype(np.int32)


def make_word_points(counts: WordCounts, weights: Floats, least: float = 0.05, step: float = 0.1) -> WordPoints:
    """Weights as rules: points rounded to `step`, words of the same points in one group, weak words left out."""
    groups: dict[str, dict[int, list[str]]] = {kind: {} for kind in KINDS}
    for (kind, word), value in zip(counts.words, weights.tolist(), strict=True):
        # the rest would be thousands of lines that move no score
        if abs(value) >= least and round(value / step):
            groups[kind].setdefault(round(value / step), []).append(word)
    made = {
        kind: tuple(WordGroup(points=round(n * step, 2), words=" ".join(sorted(own[n]))) for n in sorted(own))
        for kind, own in groups.items()
    }
    return WordPoints(names=made["names"], words=made["words"], headings=made["headings"])


class WordTables:
    """Word points by the pages they were learnt on, and the feature columns that follow from them.

    Those columns are measured with words that were learnt on other pages: never on the page's own site, and never on
    pages that are held out to be scored.
    """

    def __init__(self, material: Material, say: Say, min_sites: int = 4) -> None:
        self._material, self._say = material, say
        self.counts = count_words(zip(material.columns, material.group.tolist(), strict=True), min_sites)
        say(f"{len(self.counts.words)} words on enough sites")

    def learn(self, pages: Mask) -> WordPoints:
        """Word points from the chosen pages."""
        material = self._material
        rows = pages[material.page] & (material.weight > 0)
        weights = fit_words(self.counts.counts[np.flatnonzero(rows)], material.label[rows], material.weight[rows])
        return make_word_points(self.counts, weights)

    def measure(self, learnt: Mask) -> tuple[NDArray[np.float32], WordPoints]:
        """float32 [n_blocks, n_word_features]: by words learnt from `learnt` alone, not from the page's own part; and
        the points of words from all of `learnt`."""
        material = self._material
        part = material.part
        found = [self.learn(learnt & (part != own)) for own in range(N_PARTS)]
        # last, for pages that are held out: by all that may be learnt from
        by_part = [*found, self.learn(learnt)]
        self._say(f"words learnt from {np.count_nonzero(learnt)} pages")
        tables = []
        for page, own in enumerate(material.columns):
            # a page that is learnt from sees words of the other part alone, as a new page sees words of others
            points = by_part[part[page] if learnt[page] else N_PARTS]
            view = replace(own, word_points=compile_word_points(points, own.word_points.concepts))
            tables.append(measure_table(view, WORD_FEATURES))
        return np.concatenate(tables), by_part[N_PARTS]
