"""Features of how a page's running text is divided: one run of paragraphs, or records of a list or a thread.

A record is one of at least three siblings alike in tag and class that hold several text blocks each: a teaser, a post,
a product. `Records` are those of the group that the text is spread over most, where spread is the share of the page's
running text in the group x (1 - 1 / n), n the effective number of its records (1 / the sum of their squared shares:
Simpson, 1949): one long article beside two short boxes of the same class counts as hardly more than one record.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webclean.caching import cached_per_page
from webclean.classify.features.registry import PageView, feature
from webclean.features import PageColumns
from webclean.features.repetition import find_repeats
from webclean.features.words import list_likely
from webclean.kernels import REPEATS
from webclean.model import Floats, Rows


@dataclass(frozen=True, slots=True, eq=False)
class Records:
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


@feature("share", "running text in records / running text, x (1 - 1 / effective number of records)")
def record_share(page: PageView) -> float:
    return find_records(page.columns).spread


@feature("records", "effective number of records that the running text is spread over")
def record_count(page: PageView) -> float:
    return find_records(page.columns).count


@feature("share", "link words / words of the records; none without records")
def record_link_share(page: PageView) -> float:
    rows, columns = find_records(page.columns).rows, page.columns
    if not len(rows):
        return np.nan
    return float(columns.n_link_words_below[rows].sum() / columns.n_words_below[rows].sum())


@feature("share", "records with a linked heading or link of three words or more / records; none without records")
def record_titles(page: PageView) -> float:
    rows, columns = find_records(page.columns).rows, page.columns
    if not len(rows):
        return np.nan
    titles = (page.is_link & (columns.is_heading | (columns.words >= 3))).nonzero()[0]
    title_rows = columns.row[titles]
    first, last = title_rows.searchsorted(rows), title_rows.searchsorted(columns.document.end[rows])
    return float(np.mean(last > first))


@feature("words", "words of the longest text block that the title element contains; 0 for none")
def title_in_text(page: PageView) -> float:
    title = " ".join(page.title.split()).lower()
    if not title:
        return 0.0
    columns = page.columns
    fits = (columns.n_text_chars <= len(title) + 10) & (columns.n_text_chars >= 4) & ~page.is_link
    texts = columns.blocks.text
    inside = [block for block in list_likely(texts, fits, title) if texts[block].lower() in title]
    return float(columns.words[inside].max(initial=0.0))
