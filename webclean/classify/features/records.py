"""Features of how a page's running text is divided: one run of paragraphs, or records of a list or a thread."""

from __future__ import annotations

import numpy as np

from webclean.classify.features.registry import PageView, feature
from webclean.classify.record_groups import find_records
from webclean.features.words import list_likely


@feature("share", "running text in records / running text, x (1 - 1 / effective number of records)")
def record_share(page: PageView) -> float:
    return find_records(page.columns).spread


@feature("records", "effective number of records that the running text is spread over")
def record_count(page: PageView) -> float:
    return find_records(page.columns).count


@feature("share", "link words / words of the records; none without records")
def record_link_share(page: PageView) -> float:
    sums = page.sums
    return sums.record_link_words / sums.record_words if sums.record_words else np.nan


@feature("share", "records with a linked heading or link of three words or more / records; none without records")
def record_titles(page: PageView) -> float:
    rows, columns = find_records(page.columns).rows, page.columns
    if not len(rows):
        return np.nan
    titles = (page.sums.is_link & (columns.is_heading | (columns.words >= 3))).nonzero()[0]
    title_rows = columns.row[titles]
    first, last = title_rows.searchsorted(rows), title_rows.searchsorted(columns.document.end[rows])
    return np.count_nonzero(last > first) / len(rows)


@feature("words", "words of the longest text block that the title element contains; 0 for none")
def title_in_text(page: PageView) -> float:
    title = " ".join(page.title.split()).lower()
    if not title:
        return 0.0
    columns = page.columns
    fits = (columns.n_text_chars <= len(title) + 10) & (columns.n_text_chars >= 4) & ~page.sums.is_link
    texts = columns.blocks.text
    inside = [block for block in list_likely(texts, fits, title) if texts[block].lower() in title]
    return max((float(columns.words[block]) for block in inside), default=0.0)
