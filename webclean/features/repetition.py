"""Features of repetition: blocks with the same tag path, and sibling elements alike in tag and class.

Template-generated lists repeat an element: `ul` with many `li.teaser`, `div` with many `div.comment`. Siblings are
grouped by (parent, tag, classes but for their numbers); a group of at least three is repeated. In

    <ul><li>tea <li>milk <li>green tea with milk</ul> <p>Notes</p>

the three `li` are one group: `size` 3 for each, `words` their total, `spread` the variation of their lengths. Each
block inside has its `li` as `item`; that of `p` has none (-1). Teasers of a list are nearly equal in length (low
spread), paragraphs of a text are not.
"""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.caching import cached_per_page
from webclean.features.names import find_numbered_alike
from webclean.features.page_columns import PageColumns
from webclean.features.registry import PLAIN_CARD, SCORE_CARD, feature
from webclean.features.trees import count_below, hash_paths, number_groups, sum_groups
from webclean.model import Floats, Rows
from webclean.parse.tags import BLOCK, HEADING

_MIN_REPEATED: Final = 3
_MOST_STEPS: Final = 16
"""From a repeated element to the next one around it, on the way to the outermost."""


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
    """Group the siblings and the tag paths of a page."""
    document, names, words = columns.document, find_numbered_alike(columns), columns.n_words_below
    group, sums = core.group_siblings(document.parent, names, document.tag, BLOCK.view(np.uint8), words, _MIN_REPEATED)
    item, outer = core.find_repeated(document.parent, group, columns.row, _MOST_STEPS)
    size, total, spread = sums
    path = number_groups(hash_paths(document, names, 4, columns.row))
    return Repeats(item, outer, group, size, total, spread, path)


def _of_item(columns: PageColumns, values: NDArray[np.generic], alone: float, *, outer: bool = False) -> Floats:
    """float64 [n_blocks]: the value of the repeated element around each block. values: [n_elements]."""
    item = find_repeats(columns).outer if outer else find_repeats(columns).item
    return np.where(item >= 0, values[item], alone)


def _of_group(columns: PageColumns, values: Floats, alone: float, *, outer: bool = False) -> Floats:
    """The same of the value of its group. values: float64 [n_groups + 1]."""
    return _of_item(columns, values[find_repeats(columns).group], alone, outer=outer)


@feature(
    "share",
    "words of the blocks with the same path (tags and classes, four levels) / words of the page",
    learn=PLAIN_CARD,
)
def same_path_share(columns: PageColumns) -> Floats:
    return sum_groups(find_repeats(columns).path, columns.words) / columns.n_page_words


@feature("blocks", "blocks with the same path (tags and classes, four levels)", learn=SCORE_CARD)
def n_same_path(columns: PageColumns) -> Floats:
    return sum_groups(find_repeats(columns).path)


@feature("words", "mean words of the blocks with the same path", learn=PLAIN_CARD)
def same_path_words(columns: PageColumns) -> Floats:
    path = find_repeats(columns).path
    return sum_groups(path, columns.words) / sum_groups(path)


@feature("share", "link words among the words of the blocks with the same path", learn=PLAIN_CARD)
def same_path_link_density(columns: PageColumns) -> Floats:
    path = find_repeats(columns).path
    return sum_groups(path, columns.link_words) / sum_groups(path, columns.words)


@feature("words", "mean words of the repeated elements around the block; 0 where nothing repeats", learn=PLAIN_CARD)
def sibling_words(columns: PageColumns) -> Floats:
    repeats = find_repeats(columns)
    return _of_group(columns, repeats.words / np.maximum(1, repeats.size), 0.0)


@feature("share", "words of the repeated elements around the block / words of the page", learn=PLAIN_CARD)
def sibling_share(columns: PageColumns) -> Floats:
    return _of_group(columns, find_repeats(columns).words / columns.n_page_words, 0.0)


@feature(
    "ratio",
    "standard deviation / mean of the words of the repeated elements around the block; -1 where nothing repeats",
)
def sibling_spread(columns: PageColumns) -> Floats:
    return _of_group(columns, find_repeats(columns).spread, -1.0)


@feature("share", "link words / words of the repeated element around the block; -1 where nothing repeats")
def sibling_link_density(columns: PageColumns) -> Floats:
    return _of_item(columns, columns.n_link_words_below / np.maximum(1, columns.n_words_below), -1.0)


@feature("blocks", "text blocks in the repeated element around the block; 0 where nothing repeats", learn=PLAIN_CARD)
def sibling_blocks(columns: PageColumns) -> Floats:
    return _of_item(columns, columns.n_blocks_below, 0.0)


@feature("headings", "headings in the repeated element around the block; -1 where nothing repeats", learn=PLAIN_CARD)
def sibling_headings(columns: PageColumns) -> Floats:
    return _of_item(columns, count_below(columns.document, HEADING), -1.0)


@feature("words", "mean words of the outermost repeated elements; 0 where nothing repeats", learn=PLAIN_CARD)
def sibling_words_outer(columns: PageColumns) -> Floats:
    repeats = find_repeats(columns)
    return _of_group(columns, repeats.words / np.maximum(1, repeats.size), 0.0, outer=True)


@feature("share", "words of the outermost repeated elements / words of the page", learn=PLAIN_CARD)
def sibling_share_outer(columns: PageColumns) -> Floats:
    return _of_group(columns, find_repeats(columns).words / columns.n_page_words, 0.0, outer=True)


@feature("share", "link words / words of the outermost repeated element; -1 where nothing repeats")
def sibling_link_density_outer(columns: PageColumns) -> Floats:
    return _of_item(columns, columns.n_link_words_below / np.maximum(1, columns.n_words_below), -1.0, outer=True)
