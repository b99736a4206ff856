"""Text blocks and the true main content -> how much of each block belongs to it, and the page's word F1.

The blocks' words are aligned with the words of the truth by their longest common subsequence. What that leaves
ambiguous (parts that the truth has in another order, short labels that also occur in the truth) is settled by the
page's bag-of-words F1, the measure of the WCXB benchmark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from rapidfuzz.distance import LCSseq

from webclean.model import Floats, Mask, Rows

_WORD: Final = re.compile(r"\w+")
UNSPACED: Final = frozenset(("zh", "ja", "th"))
"""Languages written without spaces: each character counts as a word."""
_CHARACTER: Final = re.compile(r"\w")
# Words of each side: the alignment takes time by the product of both.
_MAX_ALIGNED: Final = 60_000


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

    def measure_f1(self, kept: Mask) -> float:
        """Bag-of-words F1 of the kept blocks against the truth."""
        return self.measure_prf(kept)[2]

    def measure_prf(self, kept: Mask) -> tuple[float, float, float]:
        """Precision, recall and F1 over words; 1 where both sides are empty."""
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
    words: list[int] = []
    counts = []
    for text in texts:
        found = cut(text.lower())
        counts.append(len(found))
        words += [number.setdefault(word, len(number)) for word in found]
    wanted = [number.setdefault(word, len(number)) for word in cut(truth.lower())]
    return WordTable(
        word=np.array(words, dtype=np.int32),
        block=np.repeat(np.arange(len(texts), dtype=np.int32), counts),
        truth=np.array(wanted, dtype=np.int32),
        wanted=np.bincount(np.array(wanted, dtype=np.int32), minlength=len(number)).astype(np.int32),
        n_blocks=len(texts),
    )


def label_blocks(table: WordTable) -> Floats:
    """float64 [n_blocks]: the share of each block's words that belong to the main content."""
    n_words = np.bincount(table.block, minlength=table.n_blocks)
    matched = np.bincount(table.block[align_words(table)], minlength=table.n_blocks)
    return resolve_labels(table, matched / np.maximum(1, n_words))


def align_words(table: WordTable) -> Rows:
    """Positions in `table.word` that the longest common subsequence with the truth uses."""
    page, truth = table.word[:_MAX_ALIGNED].tolist(), table.truth[:_MAX_ALIGNED].tolist()
    if not page or not truth:
        return np.zeros(0, dtype=np.int32)
    used = [
        np.arange(step.src_start, step.src_end, dtype=np.int32)
        for step in LCSseq.opcodes(page, truth)
        if step.tag == "equal"
    ]
    return np.concatenate(used) if used else np.zeros(0, dtype=np.int32)


def resolve_labels(table: WordTable, share: Floats) -> Floats:
    """Move labels half way to 0 or 1 where flipping the block raises the page's F1 over that of `share >= 0.5`."""
    kept = choose_best_subset(table, share >= 0.5)
    # half way alone: the alignment and the count of words may both be wrong
    return np.where(kept == (share >= 0.5), share, np.where(kept, 0.5 + share / 2, share / 2))


def choose_best_subset(table: WordTable, kept: Mask, n_rounds: int = 3) -> Mask:
    """bool [n_blocks]: flip single blocks, in reading order, while that raises the page's F1."""
    chosen, sizes, shared = (
        kept.tolist(),
        np.bincount(table.block, minlength=table.n_blocks).tolist(),
        _list_shared(table),
    )
    counts = np.bincount(table.word[kept[table.block]], minlength=len(table.wanted))
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


def _list_shared(table: WordTable) -> list[list[tuple[int, int]]]:
    """(word, times) of each block: the words that the truth has too, which alone can raise or lower the overlap."""
    n_words, shared = len(table.wanted), [list[tuple[int, int]]() for _ in range(table.n_blocks)]
    is_shared = table.wanted[table.word] > 0
    keys, times = np.unique(
        table.block[is_shared].astype(np.int64) * n_words + table.word[is_shared], return_counts=True
    )
    for key, n in zip(keys.tolist(), times.tolist(), strict=True):
        shared[key // n_words].append((key % n_words, n))
    return shared
