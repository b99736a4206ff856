"""A set of phrases to look for, and which of them occur in labels.

A phrase has a 64-bit hash (its key) that is computed from the keys of its words. Labels are first searched for words
that begin some phrase, which are few. Only from there are the following words combined, once for each number of words
that phrases have, and looked up:

    label                  Read also: more news
    begins a phrase        ^          ^
    phrases that are known ^^^^^^^^^  ^^^^^^^^^
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.features.lexicon import Found, WordSet, make_word_set
from webclean.features.words import Words, cut_labels
from webclean.model import Mask, Rows

NEXT_WORD: Final = np.uint64(0xD6E8FEB86659FD93)
"""The key of a phrase is multiplied by this before that of the next word is added. Odd, so that no bits are lost."""


@dataclass(frozen=True, slots=True, eq=False)
class PhraseSet:
    """Phrases to look for.

    first: the words that begin a phrase. whole: the phrases. lengths: the numbers of words that phrases have, rising.
    """

    first: WordSet
    whole: WordSet
    lengths: tuple[int, ...]

    def find(self, labels: Words, wanted: Mask) -> Found:
        """The phrases in labels, each once a label; `place` of the result is the place of its key in `whole`.

        wanted: bool [n_texts], the labels to search.
        """
        return Found(
            *self.first.compiled.find_phrases(
                self.whole.compiled, self.lengths, NEXT_WORD, labels.text, labels.key, wanted.view(np.uint8)
            )
        )


def make_phrase_set(phrases: Sequence[str]) -> tuple[PhraseSet, Rows]:
    """A set of lower-case phrases, and int64 [n], the place of each; one without letters gets the last place + 1."""
    words = cut_labels(phrases)
    bounds = words.text.searchsorted(np.arange(len(phrases) + 1))
    start, n_words = bounds[:-1], np.diff(bounds)
    key = np.zeros(len(phrases), dtype=np.uint64)
    lengths = tuple(sorted(set(n_words[n_words > 0].tolist())))
    for length in lengths:
        of_length = n_words == length
        key[of_length] = _chain_words(words, start[of_length], length).key
    is_phrase = n_words > 0
    whole = make_word_set(key[is_phrase])
    place = np.where(is_phrase, whole.key.searchsorted(key), len(whole.key) - 1)
    return PhraseSet(make_word_set(words.key[start[is_phrase]]), whole, lengths or (1,)), place


def _chain_words(words: Words, start: Rows, n_words: int) -> Words:
    """Join `n_words` consecutive words to one, from each start; left out where they are not all in one text."""
    start = start[start + n_words <= len(words.text)]
    start = start[words.text[start] == words.text[start + n_words - 1]]
    key, length = words.key[start], words.length[start]
    for step in range(1, n_words):
        key = key * NEXT_WORD + words.key[start + step]
        length = length + words.length[start + step]
    return Words(words.text[start], key, length)
