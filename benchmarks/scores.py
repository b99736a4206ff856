"""What a result is worth: pure functions from a result and what people say of the page to numbers in 0..1.

Beside `compare.dataset`. Titles agree when their edit distance is under 0.2 of the longer one (title extraction
by decision tree, 2010).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

import checkout  # noqa: F401  webclean of this clone
from rapidfuzz.distance import Levenshtein

from webclean.workbench.labelled_pages import Score, score_words

_CJK: Final = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_CJK_OR_WORD: Final = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")
_SAME_TITLE: Final = 0.2


def score_words_and_characters(text: str, truth: str) -> Score:
    """Bag of words in which each Chinese, Japanese or Korean character is a word."""
    return score_words(" ".join(_CJK_OR_WORD.findall(text.lower())), " ".join(_CJK_OR_WORD.findall(truth.lower())))


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
