"""What a result is worth: pure functions from a result and what people say of the page to numbers in 0..1.

Words as the WCXB benchmark counts them (Foley, 2026): runs of word characters, lower case, as a bag. Titles agree when
their edit distance is under 0.2 of the longer one (title extraction by decision tree, 2010). Chinese articles: longest
common subsequence of characters (punctuation density, Yang & Yang, 2015).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rapidfuzz.distance import LCSseq, Levenshtein

_WORD: Final = re.compile(r"\w+")
_CJK: Final = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_CJK_OR_WORD: Final = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")
_SAME_TITLE: Final = 0.2


@dataclass(frozen=True, slots=True)
class Scores:
    """Precision, recall and F1."""

    precision: float
    recall: float
    f1: float


def score_words(text: str, truth: str) -> Scores:
    """Bag of words."""
    return _score_bags(_WORD.findall(text.lower()), _WORD.findall(truth.lower()))


def score_words_and_characters(text: str, truth: str) -> Scores:
    """Bag of words in which each Chinese, Japanese or Korean character is a word."""
    return _score_bags(_CJK_OR_WORD.findall(text.lower()), _CJK_OR_WORD.findall(truth.lower()))


def score_characters(text: str, truth: str) -> Scores:
    """Longest common subsequence of the characters that are not white space."""
    found, wanted = "".join(text.split()), "".join(truth.split())
    return _compare_sizes(LCSseq.similarity(found, wanted), len(found), len(wanted))


def score_snippets(text: str, snippets: Sequence[str]) -> float | None:
    """Share of the snippets that the text holds; None when there are none. White space and case do not matter."""
    if not snippets:
        return None
    held = " ".join(text.lower().split())
    return sum(" ".join(snippet.lower().split()) in held for snippet in snippets) / len(snippets)


def agree_titles(found: str | None, wanted: str) -> bool:
    """Whether two titles, or names, are the same but for small differences."""
    a, b = " ".join((found or "").split()), " ".join(wanted.split())
    return bool(a) and Levenshtein.distance(a, b) / max(len(a), len(b)) < _SAME_TITLE


def agree_dates(found: str | None, wanted: str) -> bool:
    """Whether two ISO 8601 dates name the same day."""
    return bool(found) and str(found)[:10] == wanted[:10]


def average(values: Iterable[float | None]) -> float | None:
    """Mean of the values that exist."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _score_bags(found: list[str], wanted: list[str]) -> Scores:
    overlap = sum((Counter(found) & Counter(wanted)).values())
    return _compare_sizes(overlap, len(found), len(wanted))


def _compare_sizes(overlap: int, n_found: int, n_wanted: int) -> Scores:
    if not n_found or not n_wanted:
        full = float(n_found == n_wanted)
        return Scores(full, full, full)
    precision, recall = overlap / n_found, overlap / n_wanted
    return Scores(precision, recall, 2 * overlap / (n_found + n_wanted))
