"""The words of a page by where they stand, and the card of page types: features and words -> points and probabilities.

A word counts once a channel (`classify.classification` says which there are). Those of the address, the head and the
title are a few dozen, of which strings are made; those of labels and names are hashes that were made of the whole page
(`core.words`).

Enters: a `WholePage`, hashes of words, a plan. Leaves: points, probabilities, numbers of refinements. Keep: classes and
refinements are numbers, whose names and reasons are in `classify`. Tested by `tests/core/test_pages.py`,
`tests/classify`.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.libc.math import exp, isnan, rint

from webclean.core.lexicon import WordSet
from webclean.core.pages import WholePage, find_title, read_address

POINTS_UNIT = cython.declare(cython.double, 1e9)
"""Sums of points are rounded to 1 / this, so that they do not depend on the order of summation."""


def _cut_letters(text: str) -> list:
    """The runs of letters of a text."""
    found: list = []
    start: cython.Py_ssize_t = -1
    for i in range(len(text)):
        c = text[i]
        if "a" <= c <= "z" or (c.isalnum() and not c.isdecimal()):
            start = i if start < 0 else start
        elif start >= 0:
            found.append(text[start:i])
            start = -1
    if start >= 0:
        found.append(text[start:])
    return found


@cython.ccall
def list_url_words(whole: WholePage) -> list:
    """Words of the address, each with its place: `host:docs`, `in:blog`, `at:pricing`, and `query:page` for a name in
    the query."""
    if whole.folders is None:
        read_address(whole)
    if not whole.has_url:
        return []
    # without the last label: of `docs.example.org` the country or `org` says nothing of the page
    words = ["host:" + word for word in _cut_letters(whole.host.lower().rpartition(".")[0])]
    words += ["in:" + word for word in _cut_letters("/".join(whole.folders).lower())]
    words += ["at:" + word for word in _cut_letters(whole.slug)]
    if whole.query:
        words += ["query:" + part.partition("=")[0].lower() for part in whole.query.split("&") if part]
    return words


@cython.ccall
def list_head_words(whole: WholePage, telling: frozenset, scripts: list) -> list:
    """Names of meta elements, and types of structured data as `schema:Article`.

    telling: names of which the first word of the content is a word too, as `og:type=article`. scripts: texts of
    JSON-LD.
    """
    keys: list = [whole.attributes.number_of.get(name, -1) for name in ("property", "name", "itemprop", "content")]
    content: cython.int = keys[3]
    words: list = []
    key: cython.int
    found: object
    for row in range(whole.page.n_elements):
        if whole.page.tag[row] != whole.settings.meta:
            continue
        found = None
        # the first attribute that is there: an element that has two says one thing by both
        for key in keys[:3]:
            found = whole.attributes._find(row, key) if key >= 0 else None
            if found:
                break
        if found:
            word: str = cython.cast(str, found).lower()
            words.append(word)
            if word in telling:
                said: list = _cut_letters((whole.attributes._find(row, content) or "").lower())
                words.append(word + "=" + (said[0] if said else ""))
    for script in scripts:
        _add_types(words, script)
    return words


def _add_types(words: list, script: str) -> cython.int:
    """Add the types that a text of JSON-LD names, of a list of them the first: `"@type": ["Article", ...`."""
    # the script is read as text: invalid JSON names its types all the same, and scripts of shops are long
    at: cython.Py_ssize_t = script.find('"@type"')
    n: cython.Py_ssize_t = len(script)
    while at >= 0:
        i = _pass_spaces(script, at + 7)
        if i < n and script[i] == ":":
            i = _pass_spaces(script, i + 1)
            if i < n and script[i] == "[":
                i = _pass_spaces(script, i + 1)
            if i < n and script[i] == '"':
                start = i + 1
                i = start
                while i < n and ("a" <= script[i] <= "z" or "A" <= script[i] <= "Z"):
                    i += 1
                if start < i < n and script[i] == '"':
                    words.append("schema:" + script[start:i])
        at = script.find('"@type"', at + 7)


@cython.exceptval(check=False)
def _pass_spaces(text: str, at: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """The place of the first character from a place on that is no white space."""
    while at < len(text) and text[at].isspace():
        at += 1
    return at


@cython.ccall
def list_title_words(whole: WholePage) -> list:
    """Words of the title element."""
    if whole.title is None:
        find_title(whole)
    return _cut_letters(whole.title.lower())


def mark_labels(whole: WholePage) -> Any:
    """bool [n_blocks]: at most `label_chars` characters, and among the first `label_count` such blocks."""
    made = np.zeros(whole.page.n_blocks, dtype=np.uint8)
    found: cython.uchar[::1] = made
    n: cython.Py_ssize_t = 0
    for i in range(whole.page.n_blocks):
        if n < whole.settings.label_count and whole.page.n_text_chars[i] <= whole.settings.label_chars:
            found[i] = 1
            n += 1
    return made.view(np.bool_)


@cython.dataclasses.dataclass(repr=False, eq=False)
class PageWords:
    """The words that rules of page types know, by number.

    n: of them all. numbers: channel -> word -> number, of `url`, `head` and `title`. in_names, in_labels: the words of
    names and of labels; name_numbers, label_numbers: the number of each of their places.
    """

    n: cython.Py_ssize_t
    of_url: dict
    of_head: dict
    of_title: dict
    telling: frozenset
    in_names: WordSet
    in_labels: WordSet
    name_numbers: cython.const[cython.longlong][::1]
    label_numbers: cython.const[cython.longlong][::1]

    def match(
        self,
        whole: WholePage,
        scripts: list,
        name_keys: cython.const[cython.ulonglong][:],
        texts: cython.const[cython.longlong][:],
        keys: cython.const[cython.ulonglong][:],
    ) -> bytearray:
        """uint8 [n]: 1 for the words that a page has.

        scripts: texts of JSON-LD. name_keys: hashes of the words of its names. texts, keys: of the words of its blocks,
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
        if self.of_url:
            _mark(has, self.of_url, list_url_words(whole))
        if self.of_head:
            _mark(has, self.of_head, list_head_words(whole, self.telling, scripts))
        if self.of_title:
            _mark(has, self.of_title, list_title_words(whole))
        return made


def _mark(has: cython.p_uchar, numbers: dict, words: list) -> cython.int:
    """Mark the words that have a number."""
    number: cython.Py_ssize_t
    for word in words:
        if word in numbers:
            number = numbers[word]
            has[number] = 1


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
        at: cython.Py_ssize_t
        for label in range(n):
            totals[label] = self.bias[label]
        for f in range(self.features.shape[0]):
            value = whole.get(self.features[f])
            if isnan(value):
                continue
            at = self.first_limit[f]
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
