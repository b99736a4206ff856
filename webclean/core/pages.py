"""The features of a whole page, from which its type is found: what they are made of, and how they are asked for. And
the card of page types: features and words -> points and probabilities.

Each feature is a line of `features.toml`. They are shares and rates, so that a short page and a long one of the same
kind have the same values. Counts are only for hand-written refinements; no card learns them (an empty list of cards). A
feature that a page has no value of is NAN, which gives no points.

A word counts once a channel (`classify.classification` says which there are). Those of labels and names are hashes that
were made of the whole page (`core.words`).

Keep: sums are added block after block, for the limits of the cards were learnt of sums in that order; classes and
refinements are numbers, whose names and reasons are in `classify`. Tested by `tests/core/test_pages.py`,
`tests/classify`.
"""

from __future__ import annotations

from bisect import bisect_left

import cython
import numpy as np
from cython.cimports.libc.math import NAN, exp, isnan  # noqa: F401  the tables say NAN

from webclean.core.attributes import Attributes
from webclean.core.cards import RowPlan
from webclean.core.features import at_least_1
from webclean.core.generated import fill_page
from webclean.core.lexicon import WordSet
from webclean.core.names import Records, find_records
from webclean.core.page import Page


@cython.dataclasses.dataclass(repr=False, eq=False)
class PageSettings:
    """What the rules, HTML and writing systems say, made once a rule set.

    long_words, link_share: a block is running text from so many words on, with less than that share in links.
    label_chars, label_count: a text of at most so many characters is a label, and so many are read, from the top.
    """

    long_words: cython.double
    link_share: cython.double
    label_chars: cython.Py_ssize_t
    label_count: cython.Py_ssize_t
    is_heading: cython.const[cython.uchar][::1]
    is_item: cython.const[cython.uchar][::1]
    p: cython.Py_ssize_t
    img: cython.Py_ssize_t
    button: cython.Py_ssize_t
    input: cython.Py_ssize_t
    h2: cython.Py_ssize_t
    code: cython.Py_ssize_t
    pre: cython.Py_ssize_t


class WholePage:
    """The features of a page and what they are made of.

    Given: a page with the columns of `measure_blocks` and `read_names`, the attributes, numbers of the address (NAN
    where it is not known), the title, the block of the headline or -1, and the shares of short texts that begin with an
    amount of money or a date.

    n_blocks, n_words: text blocks and words of the page, at least 1. What passes fill is said there.
    """

    page: Page
    settings: PageSettings
    attributes: Attributes
    headline: cython.Py_ssize_t
    price_share: cython.double
    date_share: cython.double
    done: cython.ulonglong

    records: Records
    n_titled_records: cython.Py_ssize_t
    title: str
    title_words: cython.double
    n_steps: cython.double
    n_url_digits: cython.double
    n_slug_words: cython.double
    slug_is_plural: cython.double

    _values: cython.double[64]
    _known: cython.ulonglong

    def __init__(
        self,
        page: Page,
        settings: PageSettings,
        attributes: Attributes,
        address: tuple[float, float, float, float],
        title: tuple[str, float],
        headline: cython.Py_ssize_t,
        shares: tuple[float, float],
    ) -> None:
        """address: steps of its path, digits in it, words of the last step, and whether the last of these is plural.
        title: the text of the title element, and its words. shares: of short texts in which an amount of money comes
        first, and a date."""
        self.page, self.settings, self.attributes = page, settings, attributes
        self.title, self.title_words = title
        self.n_steps, self.n_url_digits, self.n_slug_words, self.slug_is_plural = address
        self.headline = headline
        self.price_share, self.date_share = shares
        self.n_blocks = at_least_1(page.n_blocks)
        self.n_words = at_least_1(page.n_words_below[0] if page.n_elements else 0.0)

    def get(self, number: cython.Py_ssize_t) -> cython.double:
        """A feature by its number in the order of the tables, computed when it is asked for first."""
        if not self._known >> number & 1:
            fill_page(self, number, cython.address(self._values[number]))
            self._known |= cython.cast(cython.ulonglong, 1) << number
        return self._values[number]

    def read(self, number: int) -> float:
        """The same for Python."""
        return self.get(number)


NEAR_HEADLINE = cython.declare(cython.Py_ssize_t, 8)
"""Blocks from the headline: by-lines and labels stand between, but no table of prices."""
LEAST_TITLE_CHARS = cython.declare(cython.Py_ssize_t, 4)
"""Characters of a block that is looked for in the title: shorter ones are in many titles by chance."""
TITLE_SPACE = cython.declare(cython.Py_ssize_t, 10)
"""Characters by which a block that the title contains may be longer than it: some letters are two in lower case."""
LEAST_TITLE_WORDS = cython.declare(cython.double, 3)
"""Words of a link that is no heading but the title of a record: `Read more` has two."""


@cython.exceptval(check=False)
@cython.inline
def _is_linked(page: Page, block: cython.Py_ssize_t) -> cython.bint:
    """Whether more than half of the characters of a block are link text."""
    return 2 * page.n_link_chars[block] > page.n_chars[block]


def count_page_tags(whole: WholePage) -> cython.int:
    """n_tags: how many elements have each tag. n_linked_images: images inside links."""
    page: Page = whole.page
    n: cython.Py_ssize_t = whole.settings.is_heading.shape[0]
    whole.n_tags = page.take_floats(n, True)
    whole.n_linked_images = 0.0
    for i in range(page.n_elements):
        whole.n_tags[page.tag[i]] += 1
        # shelves and teasers link their pictures, articles show theirs
        whole.n_linked_images += page.tag[i] == whole.settings.img and page.link[i] >= 0


def count_passwords(whole: WholePage) -> cython.int:
    """n_passwords: input fields for passwords."""
    page: Page = whole.page
    row: cython.Py_ssize_t
    whole.n_passwords = 0.0
    for row, kind in whole.attributes.list_holding("type", "password"):
        whole.n_passwords += page.tag[row] == whole.settings.input and kind == "password"


def sum_page_blocks(whole: WholePage) -> cython.int:
    """n_headings, n_linked_headings: headings, those that are links. n_long, long_words: blocks of running text, their
    words. main_words: the most words that blocks of running text have whose elements are children of one element.
    paragraph_words, repeated_words: words in paragraphs, in repeated elements. block_words: of all blocks."""
    page: Page = whole.page
    settings: PageSettings = whole.settings
    # running text among the children of each element
    own: cython.p_double = page.take_floats(page.n_elements + 1, True)
    whole.n_headings = whole.n_linked_headings = whole.n_long = whole.long_words = whole.main_words = 0.0
    whole.paragraph_words = whole.repeated_words = whole.block_words = 0.0
    for i in range(page.n_blocks):
        tag, words = page.tag[page.row[i]], page.words[i]
        whole.block_words += words
        whole.n_headings += settings.is_heading[tag]
        whole.n_linked_headings += settings.is_heading[tag] and _is_linked(page, i)
        if tag == settings.p:
            whole.paragraph_words += words
        if page.outer[i] >= 0:
            whole.repeated_words += words
        if words >= settings.long_words and page.link_words[i] < settings.link_share * words:
            whole.n_long += 1
            whole.long_words += words
            above: cython.Py_ssize_t = page.parent[page.row[i]] if page.parent[page.row[i]] > 0 else 0
            own[above] += words
            whole.main_words = own[above] if own[above] > whole.main_words else whole.main_words


def sum_records(whole: WholePage) -> cython.int:
    """records: the group of siblings over which the running text is spread most. record_words, record_link_words: of
    them. n_titled_records: those with a linked heading, or with a link as long as a title."""
    page: Page = whole.page
    whole.records = find_records(page)
    whole.record_words = whole.record_link_words = 0.0
    for i in range(whole.records.n):
        row: cython.Py_ssize_t = whole.records.rows[i]
        whole.record_words += page.n_words_below[row]
        whole.record_link_words += page.n_link_words_below[row]
    whole.n_titled_records = _count_titled(whole, whole.records) if whole.records.n else 0


def _count_titled(whole: WholePage, records: Records) -> cython.Py_ssize_t:
    """How many records have a block that may be their title.

    Such blocks are found by halves, although the rows of blocks do not always rise: text behind a paragraph belongs to
    the element around it. Among rows out of order a title may be missed; the card was learnt with what is found so.
    """
    page: Page = whole.page
    titles: list = []
    first = last = 0
    n: cython.Py_ssize_t = 0
    for i in range(page.n_blocks):
        row: cython.Py_ssize_t = page.row[i]
        if _is_linked(page, i) and (whole.settings.is_heading[page.tag[row]] or page.words[i] >= LEAST_TITLE_WORDS):
            titles.append(row)
    for i in range(records.n):
        row = records.rows[i]
        # records come in document order, so the search begins where the last one ended
        first = bisect_left(titles, row, first)
        last = bisect_left(titles, page.end[row], last)
        n += last > first
    return n


def find_title_block(whole: WholePage) -> cython.void:
    """title_block_words: words of the longest block, no link, that the title contains."""
    page: Page = whole.page
    title: str = " ".join(whole.title.split()).lower()
    whole.title_block_words = 0.0
    if not title:
        return
    for i in range(page.n_blocks):
        if not LEAST_TITLE_CHARS <= page.n_text_chars[i] <= len(title) + TITLE_SPACE or _is_linked(page, i):
            continue
        text: str = page.block_texts[i]
        if page.words[i] > whole.title_block_words and text.lower() in title:
            whole.title_block_words = page.words[i]


def sum_below_headline(whole: WholePage) -> cython.void:
    """headline_text_words: running text that begins near below the headline, up to the next heading.

    h1  byline  label  p p p  h2        the words of the three p: the first of them is near enough to the h1
    """
    page: Page = whole.page
    settings: PageSettings = whole.settings
    first: cython.Py_ssize_t = whole.headline + 1
    has_begun: cython.bint = False
    whole.headline_text_words = 0.0
    if first <= 0:
        return
    for i in range(first, page.n_blocks):
        row: cython.Py_ssize_t = page.row[i]
        if not has_begun and i >= first + NEAR_HEADLINE:
            break
        has_begun |= page.is_prose[i] and not settings.is_item[page.tag[row]]
        if has_begun and settings.is_heading[page.tag[row]]:
            break
        if has_begun and page.is_prose[i] and not settings.is_item[page.tag[row]]:
            whole.headline_text_words += page.words[i]


def count_questions(whole: WholePage) -> cython.int:
    """n_questions: question marks in the blocks, those as wide as a Chinese character too."""
    text: str = "".join(whole.page.block_texts)
    whole.n_questions = text.count("?") + text.count("\uff1f")


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
        n_labels = block = 0
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

    row, start: the card, for a single row, and its bias. features: the number of the feature of each line.
    word_points: [n_card_words, n_classes], the words that have the lowest numbers. type_of: [n_classes], number of the
    type of each class. conditions: of each refinement, a list of (feature, at least, below) and a list of words, of
    which one must be there if there are any.
    """

    row: RowPlan
    start: tuple
    features: cython.const[cython.longlong][::1]
    word_points: cython.const[cython.double][:, ::1]
    type_of: cython.const[cython.longlong][::1]
    n_types: cython.Py_ssize_t
    conditions: list

    def judge(self, whole: WholePage, matched: bytearray) -> tuple:
        """Points and probabilities of the classes, the chosen class, and the probability of its type.

        The most probable class of the most probable type is chosen, so that both always agree; of equals the first.
        matched: uint8 [n_words], the words that the page has.
        """
        n: cython.Py_ssize_t = len(self.start)
        totals: list = self._add_up(whole, matched)
        best: cython.double = max(totals)
        # less the highest: `exp` of a sum of hundreds of words could overflow
        raised: list = [exp(total - best) for total in totals]
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
        """The points of each class: the bias and the words, then the lines."""
        has: cython.p_uchar = matched
        row: RowPlan = self.row
        n: cython.Py_ssize_t = self.features.shape[0]
        values: cython.p_double = whole.page.take_floats(n)
        # measured before anything is added: threads share the sums of a plan, and none may run in between
        for f in range(n):
            values[f] = whole.get(self.features[f])
        for label in range(len(self.start)):
            row.total[label] = self.start[label]
        for at in range(self.word_points.shape[0]):
            if has[at]:
                for label in range(row.total.shape[0]):
                    row.total[label] += self.word_points[at, label]
        for f in range(n):
            if not isnan(values[f]):
                row.add(f, values[f])
        return row.read()

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
