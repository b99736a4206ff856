"""The features of a whole page, from which its type is found: what they are made of, and how they are asked for.

Each feature is a line of `features.toml`. They are shares and rates, so that a
short page and a long one of the same kind have the same values. Counts are only for hand-written refinements; no card
learns them (an empty list of cards). A feature that a page has no value of is NAN, which gives no points.

Sums are added block after block: the limits of the cards were learnt of sums in that order.

Tested by `tests/core/test_pages.py`; the passes are in `page_counts`.
"""

from __future__ import annotations

from typing import Any

import cython
from cython.cimports.libc.math import NAN  # noqa: F401  the tables say NAN

from webclean.core.attributes import Attributes
from webclean.core.features import at_least_1
from webclean.core.generated import fill_page
from webclean.core.names import Records
from webclean.core.page import Page


@cython.final
@cython.cclass
class PageSettings:
    """What the rules, HTML and writing systems say, made once a rule set.

    long_words, link_share: a block is running text from so many words on, with less than that share in links.
    label_chars, label_count: a text of at most so many characters is a label, and so many are read, from the top.
    short_chars, sample_chars: prices and dates are looked for in a sample of about so many characters of the texts of
    at most so many. chars_per_word, last_spaced: most scripts after this character are written without spaces, and in
    them so many characters are a word.
    """

    long_words: cython.double
    link_share: cython.double
    label_chars: cython.Py_ssize_t
    label_count: cython.Py_ssize_t
    short_chars: cython.Py_ssize_t
    sample_chars: cython.double
    chars_per_word: cython.double
    last_spaced: cython.Py_UCS4
    is_heading: cython.const[cython.uchar][::1]
    is_item: cython.const[cython.uchar][::1]
    title: cython.Py_ssize_t
    meta: cython.Py_ssize_t
    paragraph: cython.Py_ssize_t
    img: cython.Py_ssize_t
    button: cython.Py_ssize_t
    input: cython.Py_ssize_t
    h2: cython.Py_ssize_t
    code: cython.Py_ssize_t
    pre: cython.Py_ssize_t

    def __init__(self, codes: dict, is_heading: Any, is_item: Any, numbers: dict, last_spaced: str) -> None:
        """codes: tag -> code. is_heading, is_item: uint8 by code. numbers: name -> the numbers above."""
        self.is_heading, self.is_item = is_heading, is_item
        self.long_words, self.link_share = numbers["long_words"], numbers["link_share"]
        self.label_chars, self.label_count = numbers["label_chars"], numbers["label_count"]
        self.short_chars, self.sample_chars = numbers["short_chars"], numbers["sample_chars"]
        self.chars_per_word, self.last_spaced = numbers["chars_per_word"], last_spaced
        self.title, self.meta, self.paragraph = codes["title"], codes["meta"], codes["p"]
        self.img, self.button, self.input = codes["img"], codes["button"], codes["input"]
        self.h2, self.code, self.pre = codes["h2"], codes["code"], codes["pre"]


@cython.final
@cython.cclass
class WholePage:
    """The features of a page and what they are made of.

    Given: the columns of `measure_blocks`, the attributes, the address ('' where it is not known), the outermost
    repeated element around each block and the group of each element (`core.names`), the block of the headline or -1,
    and the expression (of RE2) that finds the first amount of money or date of a line; whether that has a digit.

    n_blocks, n_words: text blocks and words of the page, at least 1. What passes fill is said there.
    """

    page: Page
    settings: PageSettings
    attributes: Attributes
    url: str
    outer: cython.const[cython.longlong][::1]
    headline: cython.Py_ssize_t
    first_of_line: Any
    needs_digit: cython.bint
    n_blocks: cython.double
    n_words: cython.double
    done: cython.ulonglong

    group: cython.const[cython.longlong][::1]
    records: Records
    record_words: cython.double
    record_link_words: cython.double
    n_titled_records: cython.Py_ssize_t
    title: str
    n_unspaced: cython.double
    title_block_words: cython.double
    n_linked_images: cython.double
    n_passwords: cython.double
    n_headings: cython.double
    n_linked_headings: cython.double
    n_long: cython.double
    long_words: cython.double
    main_words: cython.double
    paragraph_words: cython.double
    repeated_words: cython.double
    block_words: cython.double
    n_counted_words: cython.longlong
    headline_text_words: cython.double
    n_questions: cython.double
    n_short: cython.double
    n_prices: cython.double
    n_dates: cython.double
    has_url: cython.bint
    host: str
    folders: list
    slug: str
    query: str
    n_steps: cython.double
    n_url_digits: cython.double
    n_slug_words: cython.double
    slug_is_plural: cython.bint

    _values: cython.double[64]
    _known: cython.ulonglong

    def __init__(
        self,
        page: Page,
        settings: PageSettings,
        attributes: Attributes,
        url: str,
        repeated: tuple[Any, Any],
        headline: cython.Py_ssize_t,
        finder: tuple[Any, bool],
    ) -> None:
        """repeated: int64 [n_blocks] and [n_elements], `outer` and `group`; finder: `first_of_line`, `needs_digit`."""
        self.page, self.settings, self.attributes, self.url = page, settings, attributes, url
        self.outer, self.group = repeated
        self.headline = headline
        self.first_of_line, self.needs_digit = finder
        self.n_blocks = at_least_1(page.n_blocks)
        self.n_words = at_least_1(page.n_words_below[0] if page.n_elements else 0.0)

    @cython.cfunc
    def get(self, number: cython.Py_ssize_t) -> cython.double:
        """A feature by its number in the order of the tables, computed when it is asked for first."""
        if not self._known >> number & 1:
            fill_page(self, number, cython.address(self._values[number]))
            self._known |= cython.cast(cython.ulonglong, 1) << number
        return self._values[number]

    def read(self, number: int) -> float:
        """The same for Python."""
        return self.get(number)

    def count_words(self) -> int:
        """Words of the page as its blocks count them: in scripts without spaces each character."""
        n: cython.longlong = 0
        for i in range(self.page.n_blocks):
            n += self.page.n_words[i]
        return n
