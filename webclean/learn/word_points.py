"""Labelled blocks -> points for single words: class names, words of short texts and of headings.

One logistic regression over all words at once, with a ridge penalty, so that a word is not blamed for its company
(`post` under `related`). A word counts when enough sites use it; pages weigh the same, blocks by their words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from webclean.features import PageColumns
from webclean.features.names import find_names
from webclean.features.text import SHORT_TEXT
from webclean.features.word_points import compile_word_points, split_name, split_text
from webclean.learn.fitting import fit_words
from webclean.learn.harness import Say
from webclean.learn.material import N_PARTS, WORD_FEATURES, Material, measure_table, part_pages
from webclean.model import Floats, Mask
from webclean.rules.features_schema import WordGroup, WordPoints

KINDS: Final = ("names", "words", "headings")


Word = tuple[str, str]
"""Kind and word."""


@dataclass(frozen=True, slots=True, eq=False)
class WordCounts:
    """Which words stand on which blocks: counts float32 [n_blocks, n_words] (sparse) and the words."""

    counts: sparse.csr_matrix
    words: tuple[Word, ...]


def count_on_page(columns: PageColumns) -> list[Counter[Word]]:
    """How often each word stands on each block, as the features of `features.word_points` use them.

    Names: once for each element around the block, itself included, that has the word in a name.
    """
    names, texts, above = find_names(columns), columns.blocks.text, columns.heading_above.tolist()
    own = [[("names", word) for word in split_name(name)] for name in names.names]
    around = list[Counter[Word]]()
    for parent, name in zip(columns.document.parent.tolist(), names.index.tolist(), strict=True):
        words = around[parent] if parent >= 0 else Counter[Word]()
        around.append(words + Counter(own[name]) if own[name] else words)
    found = [around[row].copy() for row in columns.row.tolist()]
    for block, (words, text) in enumerate(zip(found, texts, strict=True)):
        words.update(("words", word) for word in split_text(text if len(text) <= SHORT_TEXT else ""))
        words.update(("headings", word) for word in split_text(texts[above[block]] if above[block] >= 0 else ""))
    return found


def count_words(pages: Iterable[tuple[PageColumns, int]], min_sites: int = 4) -> WordCounts:
    """Words on all blocks of all pages, in page order; pages are (columns, group). Rare words are left out."""
    number, sites = dict[Word, int](), dict[Word, set[int]]()
    n_words, cols, values = list[int](), [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.float32)]
    for columns, group in pages:
        counted = count_on_page(columns)
        for word in set().union(*counted):
            sites.setdefault(word, set()).add(group)
        n_words += map(len, counted)
        # words are numbered as they come and kept as numbers: the words of a corpus would fill the memory
        cols.append(np.array([number.setdefault(word, len(number)) for own in counted for word in own], dtype=np.int64))
        values.append(np.array([n for own in counted for n in own.values()], dtype=np.float32))
    kept = sorted(word for word in number if len(sites[word]) >= min_sites)
    place = np.full(len(number), -1, dtype=np.int64)
    place[[number[word] for word in kept]] = np.arange(len(kept))
    rows, col_of = np.repeat(np.arange(len(n_words)), n_words), place[np.concatenate(cols)]
    used = col_of >= 0
    entries = np.concatenate(values)[used], (rows[used], col_of[used])
    return WordCounts(sparse.csr_matrix(entries, shape=(len(n_words), len(kept))), tuple(kept))


def make_word_points(counts: WordCounts, weights: Floats, least: float = 0.05, step: float = 0.1) -> WordPoints:
    """Weights as rules: points rounded to `step`, words of the same points in one group, weak words left out."""
    groups: dict[str, dict[int, list[str]]] = {kind: {} for kind in KINDS}
    for (kind, word), value in zip(counts.words, weights.tolist(), strict=True):
        # the rest would be thousands of lines that move no score
        if abs(value) >= least:
            groups[kind].setdefault(round(value / step), []).append(word)
    made = {kind: _group_words(groups[kind], step) for kind in KINDS}
    return WordPoints(names=made["names"], words=made["words"], headings=made["headings"])


def _group_words(groups: Mapping[int, list[str]], step: float) -> tuple[WordGroup, ...]:
    return tuple(
        WordGroup(points=round(n * step, 2), words=" ".join(sorted(words))) for n, words in sorted(groups.items()) if n
    )


class WordTables:
    """Word points by the pages they were learnt on, and the feature columns that follow from them.

    Those columns are measured with words that were learnt on other pages: never on the page's own site, and never on
    pages that are held out to be scored.
    """

    def __init__(self, material: Material, say: Say, min_sites: int = 4) -> None:
        self._material, self._say = material, say
        pairs = zip(material.columns, material.group.tolist(), strict=True)
        self.counts = count_words(pairs, min_sites)
        say(f"{len(self.counts.words)} words on enough sites")

    def learn(self, pages: Mask) -> WordPoints:
        """Word points from the chosen pages."""
        material = self._material
        rows = pages[material.page] & (material.weight > 0)
        weights = fit_words(self.counts.counts[np.flatnonzero(rows)], material.label[rows], material.weight[rows])
        return make_word_points(self.counts, weights)

    def measure(self, learnt: Mask) -> NDArray[np.float32]:
        """float32 [n_blocks, n_word_features]: by words learnt from `learnt` alone, not from the page's own part."""
        material = self._material
        part = part_pages(material.fold)
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
        return np.concatenate(tables)
