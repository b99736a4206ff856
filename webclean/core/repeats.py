"""The group of siblings alike in name (`core/names.py`) whose members are the records of a page.

Enters: a `Page` with words below elements and its groups of siblings. Leaves: `Records`. Keep: one pass a group of any
size, for a page may be one list of thousands. Tested by `tests/segments/test_records.py` and the page features of
`tests/core/test_golden.py`.
"""

from __future__ import annotations

import cython

from webclean.core.features import at_least_1
from webclean.core.page import Page


@cython.final
@cython.cclass
class Records:
    """The members of one group of siblings, each with several text blocks and running text: teasers, posts, products.

    rows: n elements. share: of the page's running text. count: their effective number, 1 / the sum of their squared
    shares (Simpson, 1949): one long article beside two short boxes of its class counts as hardly more than one record.
    """

    rows: cython.p_longlong
    n: cython.Py_ssize_t
    share: cython.double
    count: cython.double


@cython.cfunc
def find_records(page: Page, group: cython.const[cython.longlong][::1]) -> Records:
    """The group that the running text of the page is spread over most: share x (1 - 1 / count). None of its elements,
    and 0 and 0, where there is no such group.

    group: [n_elements], the group of each element, -1 for none.
    """
    found: Records = Records()
    n_groups: cython.Py_ssize_t = 0
    best: cython.Py_ssize_t = -1
    most: cython.double = 0.0
    all_prose: cython.double = at_least_1(page.n_prose_words_below[0] if page.n_elements else 0.0)
    for i in range(page.n_elements):
        # counted here: what is given may be the groups of `names` or a page's own, which number them otherwise
        n_groups = group[i] + 1 if group[i] >= n_groups else n_groups
    total: cython.p_double = cython.cast(cython.p_double, page.take_zeros(2 * n_groups * cython.sizeof(cython.double)))
    squares: cython.p_double = total + n_groups
    for i in range(page.n_elements):
        if _is_record(page, group, i):
            total[group[i]] += page.n_prose_words_below[i]
            squares[group[i]] += page.n_prose_words_below[i] * page.n_prose_words_below[i]
    for i in range(n_groups):
        if total[i] > 0:
            # 1 - 1 / count is 0 for one record: a single long article is no list, whatever its share
            spread = total[i] / all_prose * (1 - 1 / (total[i] * total[i] / squares[i]))
            if best < 0 or spread > most:
                best, most = i, spread
    if best < 0:
        return found
    found.share = total[best] / all_prose
    found.count = total[best] * total[best] / squares[best]
    found.rows = cython.cast(cython.p_longlong, page.take(page.n_elements * cython.sizeof(cython.longlong)))
    for i in range(page.n_elements):
        if group[i] == best and _is_record(page, group, i):
            found.rows[found.n] = i
            found.n += 1
    return found


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_record(page: Page, group: cython.const[cython.longlong][::1], row: cython.Py_ssize_t) -> cython.bint:
    """Whether an element is of a group and holds several text blocks, of which some are running text."""
    # one text block is a menu's item or a tag; without running text it is a link with a picture
    return group[row] >= 0 and page.n_blocks_below[row] >= 2 and page.n_prose_words_below[row] > 0
