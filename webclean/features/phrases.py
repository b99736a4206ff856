"""Phrases of concepts as a table, and which of them stand in labels: words in a row, compared as numbers.

The key of a phrase is made of the keys of its words. A text is first searched for words that begin a phrase, which are
few; only there the words that follow are looked at.

    the label       Read also: more news
    begins phrases  ^         ^
    in the table    ^^^^^^^^^ ^^^^^^^^^
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.features.lexicon import Found, WordSet, make_word_set
from webclean.features.words import Words, cut_labels
from webclean.model import Rows

_NEXT_WORD: Final = np.uint64(0xD6E8FEB86659FD93)
"""What the key of a phrase is multiplied by before the next word is added: an odd number without a pattern."""


@dataclass(frozen=True, slots=True, eq=False)
class PhraseSet:
    """Phrases to look for. first: words that begin one. whole: the phrases. lengths: how many words they have."""

    first: WordSet
    whole: WordSet
    lengths: tuple[int, ...]

    def find(self, labels: Words) -> Found:
        """The phrases in labels, each once a label; their places are those of their keys in `whole`."""
        begins = self.first.find(labels)[0]
        chained = [_chain_words(labels, begins, n_words) for n_words in self.lengths]
        columns = ([getattr(part, name) for part in chained] for name in ("text", "key", "length"))
        return Found(*self.whole.find_each_once(Words(*map(np.concatenate, columns))))


def make_phrase_set(phrases: Sequence[str]) -> tuple[PhraseSet, Rows]:
    """A set of lower-case phrases, and int64 [n], the place of each; what has no letters has the place behind all."""
    words = cut_labels(phrases)
    bounds = words.text.searchsorted(np.arange(len(phrases) + 1))
    start, n_words = bounds[:-1], np.diff(bounds)
    key = np.zeros(len(phrases), dtype=np.uint64)
    lengths = tuple(sorted(set(n_words[n_words > 0].tolist())))
    for length in lengths:
        alike = n_words == length
        key[alike] = _chain_words(words, start[alike], length).key
    is_phrase = n_words > 0
    whole = make_word_set(key[is_phrase])
    place = np.where(is_phrase, whole.key.searchsorted(key), len(whole.key) - 1)
    return PhraseSet(make_word_set(words.key[start[is_phrase]]), whole, lengths or (1,)), place


def _chain_words(words: Words, start: Rows, n_words: int) -> Words:
    """So many words in a row as one, from each start on where they stand in one text."""
    start = start[start + n_words <= len(words.text)]
    start = start[words.text[start] == words.text[start + n_words - 1]]
    key, length = words.key[start], words.length[start]
    for step in range(1, n_words):
        key = key * _NEXT_WORD + words.key[start + step]
        length = length + words.length[start + step]
    return Words(words.text[start], key, length)
