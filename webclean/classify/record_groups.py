"""How the running text of a page is divided: one run of paragraphs, or records of a list or a thread.

A record is one of at least three siblings alike in tag and class that hold several text blocks each: a teaser, a post,
a product. `Records` are those of the group that the text is spread over most, where spread is the share of the page's
running text in the group x (1 - 1 / n), n the effective number of its records (1 / the sum of their squared shares:
Simpson, 1949): one long article beside two short boxes of the same class counts as hardly more than one record.
"""

from __future__ import annotations

import msgspec

from webclean import core
from webclean.caching import cached_per_page
from webclean.features import PageColumns
from webclean.features.repetition import find_repeats
from webclean.model import Rows


class Records(msgspec.Struct, frozen=True, eq=False, gc=False):
    """rows: int64 [n_records], their elements. share: of the page's running text. count: their effective number."""

    rows: Rows
    share: float
    count: float

    @property
    def spread(self) -> float:
        """Share of the page's running text in records x (1 - 1 / their effective number)."""
        return self.share * (1 - 1 / self.count) if self.count else 0.0


@cached_per_page
def find_records(columns: PageColumns) -> Records:
    """The group of siblings over which the running text of the page is spread most."""
    return Records(
        *core.find_records(find_repeats(columns).group, columns.n_blocks_below, columns.n_sentence_words_below)
    )
