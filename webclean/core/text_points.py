"""The words of short texts and headings -> their points, see `features.words`.

Read also: more news        words with points:     also -1, news -.5
                            phrases of concepts:   `read also` of `related`, which gives its points once

Enters: words of the blocks, their texts, a plan. Leaves: points of each block, a row for each kind. Keep: a word or
concept counts once a text, however often it is said. Tested by `tests/core/test_names.py`,
`tests/features/test_words.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.unicode import PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ
from cython.cimports.libc.math import rint

from webclean.core.lexicon import Places, WordSet
from webclean.core.page import Page
from webclean.core.words import Words, cut_labels, is_ascii

_FIRST_MARK = cython.declare(cython.uint, 0x307)
_LAST_MARK = cython.declare(cython.uint, 0x670)
"""Of those that may stand on a letter or not (`features.words`)."""


@cython.dataclasses.dataclass(repr=False, eq=False)
class TextPlan:
    """The words and phrases of a rule set and their points.

    known: the words with points. points: float64 [n_kinds, n_words]. first: words that begin a phrase; whole: the
    phrases; lengths: of phrases in words, as bits; longest: the most; next_word: factor of the key before that of the
    next word is added. gives: [n_kinds, n_concepts, n_phrases], whether a phrase gives the points of a concept.
    concept_points: [n_kinds, n_concepts]. unit: sums are rounded to 1 / unit. is_heading: uint8 [n_codes].
    short_chars, label_chars: characters of a text whose words count, and of one whose phrases do. cut, mend: how labels
    are cut into words.
    """

    known: WordSet
    points: cython.const[cython.double][:, ::1]
    first: WordSet
    whole: WordSet
    lengths: cython.ulonglong
    longest: cython.Py_ssize_t
    next_word: cython.ulonglong
    gives: cython.const[cython.uchar][:, :, ::1]
    concept_points: cython.const[cython.double][:, ::1]
    unit: cython.double
    is_heading: cython.const[cython.uchar][::1]
    short_chars: cython.longlong
    label_chars: cython.longlong
    cut: tuple
    mend: Callable


def score_texts(page: Page, words: Words, plan: TextPlan) -> Any:
    """float64 [n_kinds, n_blocks]: points of the words of each short text and heading and of the concepts that the
    phrases of each label name. words: of the blocks.

    A label beyond ASCII is cut anew, each character of a script without spaces apart.
    """
    made = np.zeros((plan.points.shape[0], page.n_blocks), dtype=np.float64)
    points: cython.double[:, ::1] = made
    is_cut: cython.p_uchar = page.take_flags(page.n_blocks + 1, True)
    places: Places = Places()
    labels: list = []
    numbers: list = []
    start: cython.Py_ssize_t = 0
    at: cython.Py_ssize_t
    text: str
    for at in range(page.n_blocks):
        text = page.block_texts[at]
        # ASCII has neither marks nor scripts without spaces: the words of the block are those of the label
        if page.n_text_chars[at] <= plan.label_chars and not is_ascii(text):
            text = text.lower()
            if not is_ascii(text):
                is_cut[at] = True
                labels.append(plan.mend(text) if _may_have_marks(text) else text)
                numbers.append(at)
    while start < words.n:
        at = words.text[start]
        end = start + 1
        while end < words.n and words.text[end] == at:
            end += 1
        if page.n_text_chars[at] <= plan.short_chars or plan.is_heading[page.tag[page.row[at]]]:
            _add_words(plan, words, start, end, places, points, at)
        if page.n_text_chars[at] <= plan.label_chars and not is_cut[at]:
            _add_phrases(plan, words, start, end, places, points, at)
        start = end
    if labels:
        words = cut_labels(labels, *plan.cut)
        start = 0
        while start < words.n:
            end = start + 1
            while end < words.n and words.text[end] == words.text[start]:
                end += 1
            _add_phrases(plan, words, start, end, places, points, numbers[words.text[start]])
            start = end
    return made


@cython.exceptval(check=False)
def _may_have_marks(text: str) -> cython.bint:
    """Whether a label has one of the marks that `plan.mend` takes out, or one between the first and the last."""
    kind: cython.int = PyUnicode_KIND(text)
    data: cython.p_void = PyUnicode_DATA(text)
    for i in range(PyUnicode_GET_LENGTH(text)):
        if _FIRST_MARK <= PyUnicode_READ(kind, data, i) <= _LAST_MARK:
            return True
    return False


def _add_words(
    plan: TextPlan,
    words: Words,
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    places: Places,
    points: cython.double[:, ::1],
    at: cython.Py_ssize_t,
) -> cython.bint:
    """Add the points of the different words `start:end`, in the order of their places, to those of a text."""
    places.n = 0
    for i in range(start, end):
        place = plan.known.look_up(words.key[i])
        if place >= 0:
            places.insert(place)
    for kind in range(points.shape[0]):
        for i in range(places.n):
            points[kind, at] += plan.points[kind, places.place[i]]
        points[kind, at] = rint(points[kind, at] * plan.unit) / plan.unit


def _add_phrases(
    plan: TextPlan,
    words: Words,
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    places: Places,
    points: cython.double[:, ::1],
    at: cython.Py_ssize_t,
) -> cython.bint:
    """Add the points of the concepts that the phrases in the words `start:end` name, each concept once."""
    total: cython.double
    named: cython.bint
    places.n = 0
    for i in range(start, end):
        if plan.first.look_up(words.key[i]) < 0:
            continue
        key = 0
        for size in range(1, min(plan.longest, end - i) + 1):
            # the key of each beginning is a step to that of the next: longer phrases cost no more than their last word
            key = key * plan.next_word + words.key[i + size - 1]
            place = plan.whole.look_up(key) if plan.lengths >> size & 1 else -1
            if place >= 0:
                places.insert(place)
    if not places.n:
        return 0
    for kind in range(points.shape[0]):
        total = 0.0
        for concept in range(plan.concept_points.shape[1]):
            named = False
            for i in range(places.n):
                # a concept may be named by several phrases of one text, and says one thing
                named |= plan.gives[kind, concept, places.place[i]]
            if named:
                total += plan.concept_points[kind, concept]
        points[kind, at] = rint((points[kind, at] + total) * plan.unit) / plan.unit
    return 0
