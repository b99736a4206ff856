"""Repetition: blocks with the same tag path, and sibling elements alike in tag and class.

Template-generated lists repeat an element: `ul` with many `li.teaser`, `div` with many `div.comment`. Siblings are
grouped by (parent, tag, classes but for their numbers); a group of at least three is repeated. In

    <ul><li>tea <li>milk <li>green tea with milk</ul> <p>Notes</p>

the three `li` are one group: `size` 3 for each, `words` their total, `spread` the variation of their lengths. Each
block inside has its `li` as `item`; that of `p` has none (-1). Teasers of a list are nearly equal in length (low
spread), paragraphs of a text are not.
"""

from __future__ import annotations

import msgspec

from webclean.caching import cached_per_page
from webclean.features.names import read_names
from webclean.features.page_columns import PageColumns
from webclean.model import Floats, Rows


class Repeats(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The groups of at least three siblings whose tag and classes are the same but for numbers.

    item: int64 [n_blocks], the nearest element around each block that is in a group, or -1; outer: the outermost one.
    group: int64 [n_elements], number of the group, -1 for an element in none. size, words, spread: float64
    [n_groups + 1], elements of each group, their words, and standard deviation / mean of these; the last entry is for
    no group. path: int64 [n_blocks], equal for blocks with the same tag path (tags, and classes but for numbers, of the
    block element and the three above it).
    """

    item: Rows
    outer: Rows
    group: Rows
    size: Floats
    words: Floats
    spread: Floats
    path: Rows


@cached_per_page
def find_repeats(columns: PageColumns) -> Repeats:
    """The groups of siblings and the tag paths of a page."""
    read_names(columns)
    view = columns.document.page.view
    return Repeats(*map(view, ("item", "outer", "group", "group_size", "group_words", "group_spread", "path")))
