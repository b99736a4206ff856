"""The words of labels and names of a page, and the card of page types: features and words -> points and probabilities.

A word counts once a channel (`classify.classification` says which there are). Those of labels and names are hashes that
were made of the whole page (`core.words`).

Enters: a `WholePage`, hashes of words, a plan. Leaves: points, probabilities, numbers of refinements. Keep: classes and
refinements are numbers, whose names and reasons are in `classify`. Tested by `tests/core/test_pages.py`,
`tests/classify`.
"""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import exp, isnan, rint

from webclean.core.lexicon import WordSet
from webclean.core.pages import WholePage

POINTS_UNIT = cython.declare(cython.double, 1e9)
"""Sums of points are rounded to 1 / this, so that they do not depend on the order of summation."""


@cython.dataclasses.dataclass(repr=False, eq=False)
class PageWords:
    """The words of names and labels that rules of page types know, by number.

    n: of the words of all channels. in_names, in_labels: the words; name_numbers, label_numbers: the number of each of
    their places.
    """

    n: cython.Py_ssize_t
    in_names: WordSet
    in_labels: WordSet
    name_numbers: cython.const[cython.longlong][::1]
    label_numbers: cython.const[cython.longlong][::1]

    def match(
        self,
        whole: WholePage,
        name_keys: cython.const[cython.ulonglong][:],
        texts: cython.const[cython.longlong][:],
        keys: cython.const[cython.ulonglong][:],
    ) -> bytearray:
        """uint8 [n]: 1 for the words of these two channels that a page has.

        name_keys: hashes of the words of its names. texts, keys: of the words of its blocks,
        the number of the block, rising, and the hash.
        """
        made = bytearray(self.n)
        has: cython.p_uchar = made
        label_chars: cython.longlong = whole.settings.label_chars
        n_labels: cython.Py_ssize_t = 0
        block: cython.Py_ssize_t = 0
        for i in range(name_keys.shape[0]):
            place = self.in_names.look_up(name_keys[i])
            if place >= 0:
                has[self.name_numbers[place]] = 1
        # the block after the last label that is read
        while block < whole.page.n_blocks and n_labels < whole.settings.label_count:
            n_labels += whole.page.n_text_chars[block] <= label_chars
            block += 1
        last = block
        for i in range(keys.shape[0]):
            # labels are read from the top: further down a long page has every word once
            if texts[i] >= last:
                break
            if whole.page.n_text_chars[texts[i]] <= label_chars:
                place = self.in_labels.look_up(keys[i])
                if place >= 0:
                    has[self.label_numbers[place]] = 1
        return made


@cython.dataclasses.dataclass(repr=False, eq=False)
class PageTypePlan:
    """The card of page types and the conditions of their refinements, as numbers.

    features: of each line, the number of its feature. limits, first_limit: those of line f, rising, are
    `limits[first_limit[f]:first_limit[f + 1]]`. points: [n_classes, n_bins], the bins of a line after those of the one
    before it. slopes: [n_lines]. bias: [n_classes]. word_points: [n_card_words, n_classes], the words that have the
    lowest numbers. type_of: [n_classes], number of the type of each class. conditions: of each refinement, a list of
    (feature, at least, below) and a list of words, of which one must be there if there are any.
    """

    features: cython.const[cython.longlong][::1]
    limits: cython.const[cython.double][::1]
    first_limit: cython.const[cython.longlong][::1]
    points: cython.const[cython.double][:, ::1]
    slopes: cython.const[cython.double][::1]
    bias: cython.const[cython.double][::1]
    word_points: cython.const[cython.double][:, ::1]
    type_of: cython.const[cython.longlong][::1]
    n_types: cython.Py_ssize_t
    temperature: cython.double
    conditions: list

    def judge(self, whole: WholePage, matched: bytearray) -> tuple:
        """Points and probabilities of the classes, the chosen class, and the probability of its type.

        The most probable class of the most probable type is chosen, so that both always agree; of equals the first.
        matched: uint8 [n_words], the words that the page has.
        """
        n: cython.Py_ssize_t = self.bias.shape[0]
        totals: list = self._add_up(whole, matched)
        best: cython.double = max(totals)
        # less the highest: `exp` of a sum of hundreds of words could overflow
        raised: list = [exp((total - best) / self.temperature) for total in totals]
        all_raised: cython.double = 0.0
        value: cython.double
        for value in raised:
            all_raised += value
        shares: list = [value / all_raised for value in raised]
        of_types: list = [0.0] * self.n_types
        chosen: cython.Py_ssize_t = -1
        for label in range(n):
            of_types[self.type_of[label]] += shares[label]
        kind = of_types.index(max(of_types))
        for label in range(n):
            # within the type: the most probable class of all may be of another one
            if self.type_of[label] == kind and (chosen < 0 or shares[label] > shares[chosen]):
                chosen = label
        return totals, shares, chosen, of_types[kind]

    def _add_up(self, whole: WholePage, matched: bytearray) -> list:
        """The points of each class: the bias, then each line, then each word."""
        n: cython.Py_ssize_t = self.bias.shape[0]
        has: cython.p_uchar = matched
        totals: cython.p_double = whole.page.take_floats(n)
        for label in range(n):
            totals[label] = self.bias[label]
        for f in range(self.features.shape[0]):
            value = whole.get(self.features[f])
            if isnan(value):
                continue
            at: cython.Py_ssize_t = self.first_limit[f]
            # one after the other, for one page has one value of each line
            while at < self.first_limit[f + 1] and self.limits[at] <= value:
                at += 1
            for label in range(n):
                totals[label] += self.points[label, at + f]
                if self.slopes[f] != 0.0:
                    totals[label] += self.slopes[f] * value
        for at in range(self.word_points.shape[0]):
            if has[at]:
                for label in range(n):
                    totals[label] += self.word_points[at, label]
        return [rint(totals[label] * POINTS_UNIT) / POINTS_UNIT for label in range(n)]

    def list_fitting(self, whole: WholePage, matched: bytearray) -> list:
        """The numbers of the refinements whose conditions about features and words hold, in their order."""
        return [number for number, one in enumerate(self.conditions) if self._fits(whole, matched, one)]

    def _fits(self, whole: WholePage, matched: bytearray, condition: tuple) -> cython.bint:
        feature: cython.Py_ssize_t
        least: cython.double
        below: cython.double
        limits: list = condition[0]
        words: list = condition[1]
        for feature, least, below in limits:
            value = whole.get(feature)
            if not (value >= least or least == -np.inf) or not (value < below or below == np.inf):  # NAN is neither
                return False
        for word in words:
            if matched[word]:
                return True
        return not words
