"""How the running text of a page is divided: one run of paragraphs, or records of a list or a thread.

A record is one of at least three siblings alike in tag and class that hold several text blocks each: a teaser, a post,
a product. `Records` are those of the group that the text is spread over most, where spread is the share of the page's
running text in the group x (1 - 1 / n), n the effective number of its records (1 / the sum of their squared shares:
Simpson, 1949): one long article beside two short boxes of the same class counts as hardly more than one record.
"""

from __future__ import annotations

import msgspec
import numpy as np

from webclean.caching import cached_per_page
from webclean.features import PageColumns
from webclean.features.repetition import find_repeats
from webclean.kernels import REPEATS
from webclean.model import Floats, Rows


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
    find = REPEATS.find_records if REPEATS else find_records_plainly
    return Records(*find(find_repeats(columns).group, columns.n_blocks_below, columns.n_sentence_words_below))


def find_records_plainly(group: Rows, n_blocks: Floats, prose: Floats) -> tuple[Rows, float, float]:
    """The same as `kernels.repeats.find_records`, which documents it."""
    rows = ((group >= 0) & (n_blocks >= 2) & (prose > 0)).nonzero()[0]
    if not len(rows):
        return rows, 0.0, 0.0
    group, prose_of = group[rows], prose[rows]
    total = np.bincount(group, prose_of)
    used = total.nonzero()[0]
    total = total[used]
    count = total**2 / np.bincount(group, prose_of**2)[used]
    share = total / max(1.0, float(prose[0]))
    best = int((share * (1 - 1 / count)).argmax())
    return rows[group == used[best]], float(share[best]), float(count[best])
