"""`PageView`, the values that features of a page share, and the registry of these features."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote

import msgspec
import numpy as np

from webclean.caching import cached_property
from webclean.classify.features.sums import PageSums, sum_page
from webclean.classify.record_groups import find_records
from webclean.features import PageColumns
from webclean.features.repetition import find_repeats
from webclean.model import Document, Floats, Mask, TextBlocks
from webclean.parse.columns import count_tags, find_texts
from webclean.parse.tags import CODE
from webclean.registry import FeatureRegistry
from webclean.rules.page_type_schema import PageTypeRules

_ADDRESS: Final = re.compile(r"(?:[^:/?#]+:)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?")
"""The regular expression of RFC 3986, appendix B, which matches any text."""
_EXTENSION: Final = re.compile(r"\.[a-z]{2,5}$")
_SPREAD: Final = np.arange(1 << 14) * ((1 + 5**0.5) / 2) % 1
"""Fractional parts of the multiples of the golden ratio: evenly spread over 0..1 and without a period, so that a sample
chosen by them never takes only the names of a list in which names and prices alternate."""
_SLUG_SPLIT: Final = re.compile(r"[-_+.]|%20")


class Address(NamedTuple):
    """The parts of an address, each '' if missing. host: with user and port."""

    host: str
    path: str
    query: str


class PageView(msgspec.Struct, frozen=True, eq=False, dict=True):
    """One page and the values that several features need, each computed once."""

    columns: PageColumns
    rules: PageTypeRules

    @property
    def document(self) -> Document:
        return self.columns.document

    @property
    def blocks(self) -> TextBlocks:
        return self.columns.blocks

    @property
    def words(self) -> Floats:
        """float64 [n_blocks]: words of each block, as `PageColumns.words` counts them."""
        return self.columns.words

    @cached_property
    def url(self) -> Address | None:
        """The page's address in its parts, None when it is not known."""
        found = _ADDRESS.match(self.document.url) if self.document.url else None
        return Address(*found.groups(default="")) if found else None

    @cached_property
    def path(self) -> list[str]:
        """The steps of the address's path."""
        return split_path(self.url.path) if self.url else []

    @cached_property
    def slug(self) -> str:
        """The last step of the path without a file extension, '' for a home page."""
        return _EXTENSION.sub("", self.path[-1].lower()) if self.path else ""

    @cached_property
    def slug_words(self) -> list[str]:
        """The words of the last step of the path."""
        return split_slug(self.slug)

    @cached_property
    def n_blocks(self) -> int:
        """Text blocks of the page, at least 1."""
        return max(1, len(self.blocks))

    @cached_property
    def sums(self) -> PageSums:
        """What several features are shares of."""
        columns = self.columns
        return sum_page(columns, self.rules.long_block_words, find_repeats(columns).outer, find_records(columns).rows)

    @cached_property
    def is_label(self) -> Mask:
        """bool [n_blocks]: at most `label_chars` characters, and among the first `label_count` such blocks."""
        is_label = np.zeros(len(self.blocks), dtype=bool)
        is_label[(self.columns.n_text_chars <= self.rules.label_chars).nonzero()[0][: self.rules.label_count]] = True
        return is_label

    @cached_property
    def short_texts(self) -> list[str]:
        """A sample of about `sample_chars` characters of the blocks of at most `short_chars`, spread over the page."""
        n_chars = self.columns.n_text_chars
        short = (n_chars <= self.rules.short_chars).nonzero()[0]
        n_short = int(n_chars[short].sum())
        if n_short > self.rules.sample_chars:
            short = short[: len(_SPREAD)]
            short = short[_SPREAD[: len(short)] < self.rules.sample_chars / n_short]
        texts = self.blocks.text
        return [texts[at] for at in short.tolist()]

    @cached_property
    def n_prices_and_dates(self) -> tuple[int, int]:
        """How many of `short_texts` have an amount of money, and how many a date; with both, the first one counts."""
        text = "\n".join(self.short_texts).encode("utf-8", "surrogatepass")
        found = self.columns.prices_dates.first_of_line.findall(text)
        n_prices = sum(map(bool, found))
        return n_prices, len(found) - n_prices

    @property
    def n_tags(self) -> list[int]:
        """By tag code: how many elements have the tag."""
        return count_tags(self.document)

    def find_rows(self, tag: str) -> list[int]:
        """Rows of the elements with a tag."""
        if not self.n_tags[CODE[tag]]:
            return []
        rows: list[int] = (self.document.tag == CODE[tag]).nonzero()[0].tolist()
        return rows

    @cached_property
    def title(self) -> str:
        """Text of the first title element."""
        document = self.document
        if not self.n_tags[CODE["title"]]:
            return ""
        row = document.names.index("title")
        return " ".join(document.text[i] for i in find_texts(document, row, row + 1))


def split_path(path: str) -> list[str]:
    """`/a/b%20c/` -> `a`, `b c`."""
    return [unquote(step) for step in path.split("/") if step]


def split_slug(slug: str) -> list[str]:
    """`how-to_bake+bread` -> how, to, bake, bread."""
    return [word for word in _SLUG_SPLIT.split(slug) if word]


PAGE_FEATURES: Final = FeatureRegistry[PageView, float](
    "page", "page_type.card", "page_type.refinements", cards=("page_type.card",)
)
feature: Final = PAGE_FEATURES.feature
"""Registers a function as a feature of pages: `@feature(unit, meaning)`."""


def measure_page(page: PageView, names: Sequence[str]) -> Floats:
    """float64 [n]: the named features; NaN for one that this page has no value of."""
    return np.array([PAGE_FEATURES.find(name).compute(page) for name in names], dtype=np.float64)
