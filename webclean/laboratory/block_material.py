"""Labelled pages -> everything the cards of blocks are fitted on: features, labels, weights, folds, points of words.

The label of a block is how much of it belongs to the main content. The words of a page's blocks are aligned with those
of the truth by their longest common subsequence. What that leaves ambiguous (parts that the truth has in another order,
short labels that also occur in the truth) is settled by the page's bag-of-words F1, the measure of the WCXB benchmark.

Points of single words (class names, words of short texts and of headings) are learnt from these labels: one logistic
regression over all words at once, with a ridge penalty, so that a word is not blamed for its company
(`post` under `related`). A word counts when enough sites use it; pages weigh the same, blocks by their words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq
from scipy import sparse

from webclean.features import BLOCK_FEATURES, PageColumns, measure
from webclean.features.page_words import SHORT_TEXT, find_names
from webclean.features.words import compile_word_points, split_name, split_text
from webclean.laboratory.fitting import fit_words
from webclean.laboratory.harness import WORD_KINDS, LabelledPages, read_columns, say
from webclean.laboratory.type_cards import predict_types
from webclean.model import Floats, Mask, Rows
from webclean.parse.tags import tag_mask
from webclean.rules import load_rules
from webclean.rules.page_schema import WordGroup, WordPoints
from webclean.workbench.labelled_pages import LabelledPage

UNSPACED: Final = frozenset(("zh", "ja", "th"))
"""Languages written without spaces: each character counts as a word."""
_WORD: Final = re.compile(r"\w+")
_CHARACTER: Final = re.compile(r"\w")
_MAX_ALIGNED: Final = 60_000
"""Words of each side: the alignment takes time by the product of both."""
N_PARTS: Final = 2
"""Parts of the learning pages, by fold: what a card learns from other learnt things is learnt from the other part."""
_LEARNT: Final = tuple(name for name, feature in BLOCK_FEATURES.items() if feature.learn)
WORD_FEATURES: Final = tuple(name for name in _LEARNT if BLOCK_FEATURES[name].group == "tokens")
"""The features that word points go into."""
OTHER_FEATURES: Final = tuple(name for name in _LEARNT if name not in WORD_FEATURES)
_LARGE: Final = 0.004
"""The share of a page's words from which on a block is learnt from whatever there is beside it."""
_DRAWN: Final = 100
"""Of a page's blocks that hold a smaller share of its words than `_LARGE`, so many are learnt from, about."""
MIN_SITES: Final = 4
"""That must use a word."""
_WEAK: Final = 0.05
"""Words with fewer points are left out."""
_CAPTION: Final = tag_mask("figcaption caption")
_APART: Final = 0.25
"""Corpora disagree on a kind of blocks when the shares of them that belong to the truth are so far apart: the headline
is main content on 13 % of the articles of WCXB, on 84 % of dragnet's and on 79 % of DAnIEL's."""


@dataclass(frozen=True, slots=True, eq=False)
class WordTable:
    """The words of a page's blocks and of its truth as numbers.

    word: int32 [n], the words of all blocks in reading order; block: int32 [n], whose they are.
    truth: int32 [m], the words of the truth; wanted: int32 [vocabulary], how often each occurs there.
    """

    word: Rows
    block: Rows
    truth: Rows
    wanted: Rows
    n_blocks: int

    def measure_prf(self, kept: Mask) -> tuple[float, float, float]:
        """Precision, recall and F1 over words of the kept blocks against the truth; 1 where both sides are empty."""
        counts = np.bincount(self.word[kept[self.block]], minlength=len(self.wanted))
        n_kept = int(counts.sum())
        if not n_kept or not len(self.truth):
            full = float(n_kept == len(self.truth))
            return full, full, full
        overlap = float(np.minimum(counts, self.wanted).sum())
        precision, recall = overlap / n_kept, overlap / len(self.truth)
        return precision, recall, 2 * overlap / (n_kept + len(self.truth))


def tabulate_words(texts: Sequence[str], truth: str, language: str = "") -> WordTable:
    """Number the words of the blocks and of the truth alike. language: its primary subtag."""
    cut = (_CHARACTER if language in UNSPACED else _WORD).findall
    number: dict[str, int] = {}
    found = [cut(text.lower()) for text in texts]
    words = [number.setdefault(word, len(number)) for own in found for word in own]
    wanted = [number.setdefault(word, len(number)) for word in cut(truth.lower())]
    return WordTable(
        word=np.array(words, dtype=np.int32),
        block=np.repeat(np.arange(len(texts), dtype=np.int32), list(map(len, found))),
        truth=np.array(wanted, dtype=np.int32),
        wanted=np.bincount(np.array(wanted, dtype=np.int32), minlength=len(number)).astype(np.int32),
        n_blocks=len(texts),
    )


def label_blocks(table: WordTable) -> Floats:
    """float64 [n_blocks]: the share of each block's words that belong to the main content."""
    n_words = np.bincount(table.block, minlength=table.n_blocks)
    matched = np.bincount(table.block[align_words(table)], minlength=table.n_blocks)
    return resolve_labels(table, matched / np.maximum(1, n_words))


def resolve_labels(table: WordTable, share: Floats) -> Floats:
    """Move labels half way to 0 or 1 where flipping the block raises the page's F1 over that of `share >= 0.5`: the
    alignment and the count of words may both be wrong."""
    kept = choose_best_subset(table, share >= 0.5)
    return np.where(kept == (share >= 0.5), share, np.where(kept, 0.5 + share / 2, share / 2))


def align_words(table: WordTable) -> Rows:
    """Positions in `table.word` that the longest common subsequence with the truth uses."""
    page, truth = table.word[:_MAX_ALIGNED].tolist(), table.truth[:_MAX_ALIGNED].tolist()
    used = [np.zeros(0, dtype=np.int32)]
    if page and truth:
        steps = (step for step in LCSseq.opcodes(page, truth) if step.tag == "equal")
        used += [np.arange(step.src_start, step.src_end, dtype=np.int32) for step in steps]
    return np.concatenate(used)


def choose_best_subset(table: WordTable, kept: Mask, n_rounds: int = 3) -> Mask:
    """bool [n_blocks]: flip single blocks, in reading order, while that raises the page's F1."""
    chosen, n_words = kept.tolist(), len(table.wanted)
    # (word, times) of each block: the words that the truth has too, which alone can raise or lower the overlap
    shared, is_shared = [list[tuple[int, int]]() for _ in range(table.n_blocks)], table.wanted[table.word] > 0
    stands = table.block[is_shared].astype(np.int64) * n_words + table.word[is_shared]
    for key, n in zip(*(column.tolist() for column in np.unique(stands, return_counts=True)), strict=True):
        shared[key // n_words].append((key % n_words, n))
    sizes = np.bincount(table.block, minlength=table.n_blocks).tolist()
    counts = np.bincount(table.word[kept[table.block]], minlength=n_words)
    n_kept, overlap, n_truth = int(counts.sum()), int(np.minimum(counts, table.wanted).sum()), len(table.truth)
    # lists: most blocks share a word or two with the truth, for which a call of numpy takes longer than the sums
    held, wanted = counts.tolist(), table.wanted.tolist()
    for _ in range(n_rounds):
        flipped = False
        for block, (size, words) in enumerate(zip(sizes, shared, strict=True)):
            if not size:
                continue
            sign, new = -1 if chosen[block] else 1, overlap
            for word, times in words:
                most, before = wanted[word], held[word]
                new += min(before + sign * times, most) - min(before, most)
            n_new = n_kept + sign * size
            # F1 before and after, without the division: whole numbers, so no rounding decides
            if new * (n_kept + n_truth) > overlap * (n_new + n_truth):
                for word, times in words:
                    held[word] += sign * times
                n_kept, overlap, chosen[block], flipped = n_new, new, not chosen[block], True
        if not flipped:
            break
    return np.array(chosen, dtype=bool)


@dataclass(frozen=True, eq=False)
class Material(LabelledPages):
    """All text blocks of all pages, one after the other.

    columns, words: one entry a page. start: int64 [n_pages + 1], where a page's blocks begin. page: int32 [n_blocks];
    label: float64 [n_blocks]; weight: float64 [n_blocks], the block's share of its page's words, 0 for blocks that
    nothing is learnt from. base: float32 [n_blocks, n_features], the features that no word
    points go into. likely: float64 [n_pages, n_kinds], how likely a page is of each of `kinds`, by a page-type card
    that has not seen its fold; left_out: the same by one that has not seen its corpus.
    """

    columns: tuple[PageColumns, ...]
    words: tuple[WordTable, ...]
    start: NDArray[np.int64]
    page: Rows
    label: Floats
    weight: Floats
    base: NDArray[np.float32]
    kinds: tuple[str, ...]
    likely: Floats
    left_out: Floats

    @property
    def names(self) -> tuple[str, ...]:
        """The columns of the tables."""
        return (*OTHER_FEATURES, *WORD_FEATURES)

    @cached_property
    def is_first(self) -> Mask:
        """bool [n_pages]: of the first corpus, which has every page type."""
        return np.asarray(self.corpus == 0)

    @cached_property
    def is_article(self) -> Mask:
        """bool [n_pages]: by the truth."""
        return np.asarray(self.types == "article")

    @cached_property
    def part(self) -> Rows:
        """int32 [n_pages]: the part of each page, of `N_PARTS`."""
        return self.fold % N_PARTS

    def rows_of(self, page: int) -> slice:
        """The blocks of one page."""
        return slice(int(self.start[page]), int(self.start[page + 1]))


def build_material(pages: Sequence[LabelledPage]) -> Material:
    """Parse, measure and label every page."""
    columns = tuple(map(read_columns, pages))
    say(f"{len(pages)} pages parsed")
    pairs = list(zip(pages, columns, strict=True))
    words = tuple(tabulate_words(own.blocks.text, page.text, page.language) for page, own in pairs)
    labels = list(map(label_blocks, words))
    for number, (page, own) in enumerate(pairs):
        # what the truth has apart as readers' comments is none of it; they may repeat the article: the surer label wins
        if page.comments:
            label = labels[number]
            said = label_blocks(tabulate_words(own.blocks.text, page.comments, page.language))
            labels[number] = np.where(said > label, np.minimum(label, 1 - said), label)
    say("blocks labelled")
    # on a copy: a page keeps every feature that was asked of it, and the table has them already
    base = np.concatenate([measure_table(replace(own), OTHER_FEATURES) for own in columns])
    say(f"{base.shape[1]} features of {len(base)} blocks measured")
    n_blocks = [len(own.blocks) for own in columns]
    page_of = np.repeat(np.arange(len(pages), dtype=np.int32), n_blocks)
    size = np.concatenate([np.bincount(table.block, minlength=table.n_blocks) for table in words])
    share = size / np.maximum(1.0, np.bincount(page_of, size, minlength=len(pages)))[page_of]
    kinds, likely, left_out = predict_types(LabelledPages(tuple(pages), by_corpus=True), columns, load_rules())
    say("page types guessed")
    return Material(
        pages=tuple(pages),
        by_corpus=True,
        columns=columns,
        words=words,
        start=np.concatenate(([0], np.cumsum(n_blocks))).astype(np.int64),
        page=page_of,
        label=np.concatenate(labels),
        weight=sample_blocks(share, page_of),
        base=base,
        kinds=kinds,
        likely=likely,
        left_out=left_out,
    )


def sample_blocks(share: Floats, page: Rows) -> Floats:
    """float64 [n_blocks]: weights by which the cards are fitted; share: of the page's words.

    Most blocks are labels of one or two words, which cost most and say least: of the small blocks of a page each k-th
    is drawn and stands for k of them.
    """
    small = share < _LARGE
    step = np.maximum(1, np.bincount(page, small)[page] // _DRAWN)
    running = np.cumsum(small)
    before = np.concatenate(([0], running))[np.searchsorted(page, page)]
    number = running - small - before
    return np.where(small, np.where(number % step == 0, share * step, 0.0), share)


def measure_table(columns: PageColumns, names: Sequence[str]) -> NDArray[np.float32]:
    """float32 [n_blocks, n_names]."""
    return np.stack([measure(columns, name) for name in names], axis=1).astype(np.float32)


KINDS: Final[Mapping[str, Callable[[PageColumns], Mask]]] = {
    "headline": lambda columns: np.asarray(measure(columns, "after_headline") == 0),
    "caption": lambda columns: np.asarray(_CAPTION[columns.tag]),
}
"""Kinds of blocks of articles on which conventions differ."""


def find_disputed(material: Material) -> tuple[Mask, str]:
    """bool [n_blocks]: blocks of articles on which the corpus disagrees with the first one; and a table of it.

    Whoever marks a main content decides whether the headline is part of it, or the caption of a picture. Where a
    further corpus decides otherwise than the first one, its blocks of that kind teach nothing: they are left out, not
    punished.
    """
    disputed = np.zeros(len(material.label), dtype=bool)
    lines = ["share of the blocks of articles that are main content, by the truth:"]
    for name, find in KINDS.items():
        is_kind = np.concatenate([find(columns) for columns in material.columns]) & material.is_article[material.page]
        shares, summary = list[float](), list[str]()
        for number, corpus in enumerate(material.corpora):
            own = is_kind & (material.corpus[material.page] == number)
            shares.append(float(material.label[own].mean()) if own.any() else 0.0)
            is_other = bool(own.any()) and abs(shares[number] - shares[0]) > _APART
            summary.append(f"{corpus} {shares[number]:.2f}{' (left out)' if is_other else ''}" if own.any() else "")
            disputed |= own & is_other
        lines.append(f"  {name}: {', '.join(filter(None, summary))}")
    return disputed, "\n".join(lines)


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
    places = [np.stack([short, len(sets) + np.arange(len(short))])]
    block, at = np.arange(len(columns.blocks)), columns.row
    while len(at):
        places.append(np.stack([block, names.index[at]]))
        # one level up for all blocks at once, until the last one has reached the root
        at = columns.document.parent[at]
        block, at = block[at >= 0], at[at >= 0]
    sets += [[("words", word) for word in split_text(texts[at])] for at in short]
    places.append(np.stack([below, len(sets) + heading]))
    sets += [[("headings", word) for word in split_text(texts[at])] for at in headings]
    return np.concatenate(places, axis=1), sets


def count_words(pages: Iterable[tuple[PageColumns, int]]) -> WordCounts:
    """Words on all blocks of all pages, in page order; pages are (columns, group). Rare words are left out."""
    number, sites, found = dict[Word, int](), defaultdict[Word, set[int]](set), []
    for columns, group in pages:
        (block, at), sets = list_on_page(columns)
        numbers = [number.setdefault(word, len(number)) for own in sets for word in own]
        for word in set().union(*sets):
            sites[word].add(group)
        of_set = np.repeat(np.arange(len(sets)), list(map(len, sets)))
        stands = _count_pairs(block, at, (len(columns.blocks), len(sets)))
        found.append(stands @ _count_pairs(of_set, np.array(numbers, dtype=np.int64), (len(sets), len(number))))
    kept = sorted(word for word, own in sites.items() if len(own) >= MIN_SITES)
    for own in found:  # words that later pages have too
        own.resize(own.shape[0], len(number))
    counts = sparse.vstack(found, format="csc")[:, [number[word] for word in kept]].tocsr()
    counts.sort_indices()
    return WordCounts(counts, tuple(kept))


def _count_pairs(row: Rows, column: Rows, shape: tuple[int, int]) -> sparse.csr_matrix:
    """float32 of a shape: how often each pair stands there."""
    return sparse.csr_matrix((np.ones(len(row), dtype=np.float32), (row, column)), shape=shape)


def learn_words(material: Material, counts: WordCounts, pages: Mask) -> WordPoints:
    """Word points from the chosen pages: rounded to tenths, words of the same points in one group."""
    rows = pages[material.page] & (material.weight > 0)
    weights = fit_words(counts.counts[np.flatnonzero(rows)], material.label[rows], material.weight[rows])
    groups: dict[str, dict[int, list[str]]] = {kind: {} for kind in WORD_KINDS}
    for (kind, word), value in zip(counts.words, weights.tolist(), strict=True):
        # the rest would be thousands of lines that move no score
        if abs(value) >= _WEAK and round(value / 0.1):
            groups[kind].setdefault(round(value / 0.1), []).append(word)
    made: dict[str, Any] = {
        kind: tuple(WordGroup(points=round(n * 0.1, 2), words=" ".join(sorted(own[n]))) for n in sorted(own))
        for kind, own in groups.items()
    }
    return WordPoints(**made)


def measure_words(material: Material, counts: WordCounts, learnt: Mask) -> tuple[NDArray[np.float32], WordPoints]:
    """float32 [n_blocks, n_word_features]: by words that were learnt on other pages, never on the page's own part of
    `learnt`, and never on pages that are held out to be scored; and the points of words from all of `learnt`."""
    part = material.part
    by_part = [learn_words(material, counts, learnt & (part != own)) for own in range(N_PARTS)]
    # last, for pages that are held out: by all that may be learnt from
    by_part.append(learn_words(material, counts, learnt))
    tables = []
    for page, own in enumerate(material.columns):
        # a page that is learnt from sees words of the other part alone, as a new page sees words of others
        points = by_part[part[page] if learnt[page] else N_PARTS]
        view = replace(own, word_points=compile_word_points(points, own.word_points.concepts))
        tables.append(measure_table(view, WORD_FEATURES))
    return np.concatenate(tables), by_part[N_PARTS]
