"""Features of repetition: blocks with the same tag path, and sibling elements with the same tag and class.

Template-generated lists repeat an element: `ul` with many `li.teaser`, `div` with many `div.comment`. Siblings are
grouped by (parent, tag, class); a group of at least three is repeated. In

    <ul><li>tea <li>milk <li>green tea with milk</ul> <p>Notes</p>

the three `li` are one group: `size` 3 for each, `words` their total, `spread` the variation of their lengths. Each
block inside has its `li` as `item`; that of `p` has none (-1). Teasers of a list are nearly equal in length (low
spread), paragraphs of a text are not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webclean.caching import cached_per_page
from webclean.features.names import find_names
from webclean.features.page_columns import PageColumns
from webclean.features.registry import PLAIN_CARD, SCORE_CARD, feature
from webclean.features.trees import count_below, hash_paths, number_groups, sum_groups
from webclean.model import Document, Floats, Mask, Rows
from webclean.parse.preorder import find_nearest
from webclean.parse.tags import BLOCK, HEADING

_MIN_REPEATED = 3


@dataclass(frozen=True, slots=True, eq=False)
class Repeats:
    """The groups of at least three siblings with the same tag and class.

    item: int64 [n_blocks], the nearest element around each block that is in a group, or -1; outer: the outermost one.
    size: float64 [n_elements], elements of the group; 1 for an element in none. words: float64 [n_elements], words of
    all elements of the group; 0 in none. spread: float64 [n_elements], standard deviation / mean of the words of its
    elements; 0 in none. path: int64 [n_blocks], equal for blocks with the same tag path (tags and classes of the block
    element and the three above it).
    """

    item: Rows
    outer: Rows
    size: Floats
    path: Rows
    words: Floats
    spread: Floats


@cached_per_page
def find_repeats(columns: PageColumns) -> Repeats:
    """Group the siblings and the tag paths of a page."""
    document = columns.document
    names = find_names(columns).classes
    below = columns.n_words_below
    full = np.flatnonzero((below > 0) & BLOCK[document.tag])
    words = below[full]
    group = number_groups(document.parent[full] * (1 << 32) + names[full])
    n = np.bincount(group)
    total = np.bincount(group, words)
    mean = total / n
    spread = np.sqrt(np.maximum(0, np.bincount(group, words**2) / n - mean**2)) / np.maximum(1, mean)
    repeated = n[group] >= _MIN_REPEATED
    rows, of = full[repeated], group[repeated]
    is_repeated: Mask = np.zeros(len(document), dtype=bool)
    is_repeated[rows] = True
    nearest = find_nearest(document.parent, is_repeated)
    item = nearest[columns.row]
    return Repeats(
        item=item,
        outer=_find_outermost(document, nearest, item),
        size=_place(document, rows, n[of], 1.0),
        path=number_groups(hash_paths(document, names, 4, columns.row)),
        words=_place(document, rows, total[of], 0.0),
        spread=_place(document, rows, spread[of], 0.0),
    )


def _place(document: Document, rows: NDArray[np.intp], values: NDArray[np.generic], other: float) -> Floats:
    """float64 [n_elements]: `values` at `rows`, `other` everywhere else."""
    column = np.full(len(document), other)
    column[rows] = values
    return column


def _find_outermost(document: Document, nearest: Rows, item: Rows) -> Rows:
    """int64 [n_blocks]: the outermost repeated element around each block, or -1; at most 16 are climbed.

    Args:
        document: the page.
        nearest: int64 [n_elements], the innermost repeated element around each element, itself included.
        item: int64 [n_blocks], the innermost one around each block.
    """
    outer, n_steps = item, 16
    while n_steps and (is_inside := (outer >= 0) & (nearest[document.parent[outer]] >= 0)).any():
        outer = np.where(is_inside, nearest[document.parent[outer]], outer)
        n_steps -= 1
    return outer


def _of_item(columns: PageColumns, values: NDArray[np.generic], alone: float, *, outer: bool = False) -> Floats:
    item = find_repeats(columns).outer if outer else find_repeats(columns).item
    return np.where(item >= 0, values[item], alone)


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
    return _of_item(columns, repeats.words / np.maximum(1, repeats.size), 0.0)


@feature("share", "words of the repeated elements around the block / words of the page", learn=PLAIN_CARD)
def sibling_share(columns: PageColumns) -> Floats:
    return _of_item(columns, find_repeats(columns).words / columns.n_page_words, 0.0)


@feature(
    "ratio",
    "standard deviation / mean of the words of the repeated elements around the block; -1 where nothing repeats",
)
def sibling_spread(columns: PageColumns) -> Floats:
    return _of_item(columns, find_repeats(columns).spread, -1.0)


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
    return _of_item(columns, repeats.words / np.maximum(1, repeats.size), 0.0, outer=True)


@feature("share", "words of the outermost repeated elements / words of the page", learn=PLAIN_CARD)
def sibling_share_outer(columns: PageColumns) -> Floats:
    return _of_item(columns, find_repeats(columns).words / columns.n_page_words, 0.0, outer=True)


@feature("share", "link words / words of the outermost repeated element; -1 where nothing repeats")
def sibling_link_density_outer(columns: PageColumns) -> Floats:
    return _of_item(columns, columns.n_link_words_below / np.maximum(1, columns.n_words_below), -1.0, outer=True)
