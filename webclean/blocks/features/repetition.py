"""Features of repetition: blocks with the same tag path, and runs of sibling elements that look alike (records)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from webclean.blocks.features.registry import PageColumns, feature
from webclean.blocks.features.trees import count_groups, find_nearest, hash_paths
from webclean.blocks.structure import sum_subtrees
from webclean.model import Document, Floats, Mask, Rows
from webclean.parse import read_attribute_column
from webclean.parse.tags import BLOCK, HEADING, tag_mask

_MIN_ALIKE = 3
_IMAGE = tag_mask("img picture video")


def number_names(columns: PageColumns) -> NDArray[np.int64]:
    """int64 [n_elements]: equal for elements with text that have the same tag and the same class attribute."""
    found: dict[tuple[str, str], int] = {}
    names, classes = columns.document.names, read_attribute_column(columns.document, "class")
    rows = np.flatnonzero(columns.n_words_below > 0)
    numbers = np.zeros(len(columns.document), dtype=np.int64)
    numbers[rows] = [found.setdefault((names[row], classes[row]), 1 + len(found)) for row in rows.tolist()]
    return numbers


@dataclass(frozen=True, slots=True, eq=False)
class Repeats:
    """Siblings alike in tag and class, at least three of them.

    item: int32 [n_blocks], the nearest such element around each block, or -1; outer: the outermost.
    size: float64 [n_elements], how many are alike, 1 for an element on its own; path: uint64 [n_elements], hash of
    the tags and classes of the element and the three above it.
    words: float64 [n_elements], words of all elements alike. spread: float64, standard deviation / mean of their words.
    """

    item: Rows
    outer: Rows
    size: Floats
    path: np.ndarray[tuple[int], np.dtype[np.uint64]]
    words: Floats
    spread: Floats


def find_repeats(columns: PageColumns) -> Repeats:
    """Group the siblings of the whole page at once."""
    document = columns.document
    names = number_names(columns)
    below = columns.n_words_below
    full = np.flatnonzero((below > 0) & BLOCK[document.tag])
    keys = document.parent[full].astype(np.int64) * (1 << 32) + names[full]
    _, group = np.unique(keys, return_inverse=True)
    n = np.bincount(group)
    total = np.bincount(group, below[full])
    squares = np.bincount(group, below[full] ** 2)
    mean = total / n
    spread = np.sqrt(np.maximum(0, squares / n - mean**2)) / np.maximum(1, mean)
    repeated = n[group] >= _MIN_ALIKE
    rows, of = full[repeated], group[repeated]
    alike: Mask = np.zeros(len(document), dtype=bool)
    alike[rows] = True
    nearest = find_nearest(document, alike)
    return Repeats(
        item=nearest[columns.row],
        outer=_find_outermost(columns, nearest),
        size=_place(document, rows, n[of], 1.0),
        path=hash_paths(document, names, 4),
        words=_place(document, rows, total[of], 0.0),
        spread=_place(document, rows, spread[of], 0.0),
    )


def _place(document: Document, rows: NDArray[np.intp], values: NDArray[np.generic], other: float) -> Floats:
    """float64 [n_elements]: `values` at `rows`, `other` everywhere else."""
    column = np.full(len(document), other)
    column[rows] = values
    return column


def _find_outermost(columns: PageColumns, nearest: Rows) -> Rows:
    """int32 [n_blocks]: the outermost repeated element around each block, or -1; nearest: the innermost by element."""
    document = columns.document
    up = np.where(nearest >= 0, nearest, 0)
    above = nearest[np.maximum(0, document.parent[up])]
    jump = np.where((nearest >= 0) & (above >= 0), above, nearest)
    for _ in range(4):
        jump = np.where(jump >= 0, jump[np.maximum(0, jump)], jump)
    return jump[columns.row].astype(np.int32)


def get_repeats(columns: PageColumns) -> Repeats:
    """`find_repeats`, once a page."""
    found = columns.shared.get("repeats")
    if found is None:
        found = columns.shared["repeats"] = find_repeats(columns)
    assert isinstance(found, Repeats)
    return found


def _of_item(columns: PageColumns, values: Floats, alone: float, *, outer: bool = False) -> Floats:
    item = get_repeats(columns).outer if outer else get_repeats(columns).item
    return np.where(item >= 0, values[item], alone)


@feature("share", "words of the blocks with the same path (tags and classes, four levels) / words of the page")
def same_path_share(columns: PageColumns) -> Floats:
    keys = get_repeats(columns).path[columns.row]
    return np.asarray(count_groups(keys, columns.words) / max(1.0, columns.n_words_below[0]))


@feature("blocks", "blocks with the same path (tags and classes, four levels)")
def n_same_path(columns: PageColumns) -> Floats:
    return count_groups(get_repeats(columns).path[columns.row])


@feature("words", "mean words of the blocks with the same path")
def same_path_words(columns: PageColumns) -> Floats:
    keys = get_repeats(columns).path[columns.row]
    return count_groups(keys, columns.words) / count_groups(keys)


@feature("share", "link words among the words of the blocks with the same path")
def same_path_link_density(columns: PageColumns) -> Floats:
    keys = get_repeats(columns).path[columns.row]
    link = count_groups(keys, columns.link_words)
    return link / count_groups(keys, columns.words)


@feature("elements", "siblings like the nearest repeated element around the block; 1 where nothing repeats")
def n_alike(columns: PageColumns) -> Floats:
    return _of_item(columns, get_repeats(columns).size, 1.0)


@feature("words", "mean words of those siblings; 0 where nothing repeats")
def alike_words(columns: PageColumns) -> Floats:
    repeats = get_repeats(columns)
    return _of_item(columns, repeats.words / np.maximum(1, repeats.size), 0.0)


@feature("share", "words of those siblings / words of the page")
def alike_share(columns: PageColumns) -> Floats:
    return _of_item(columns, get_repeats(columns).words / max(1.0, columns.n_words_below[0]), 0.0)


@feature("ratio", "standard deviation / mean of the words of those siblings; -1 where nothing repeats")
def alike_spread(columns: PageColumns) -> Floats:
    return _of_item(columns, get_repeats(columns).spread, -1.0)


@feature("share", "link words / words of the repeated element around the block; -1 where nothing repeats")
def alike_link_density(columns: PageColumns) -> Floats:
    return _of_item(columns, columns.n_link_words_below / np.maximum(1, columns.n_words_below), -1.0)


@feature("blocks", "text blocks in the repeated element around the block; 0 where nothing repeats")
def alike_blocks(columns: PageColumns) -> Floats:
    return _of_item(columns, columns.n_blocks_below, 0.0)


@feature("images", "images in the repeated element around the block; -1 where nothing repeats")
def alike_images(columns: PageColumns) -> Floats:
    rows = np.flatnonzero(_IMAGE[columns.document.tag])
    return _of_item(columns, sum_subtrees(columns.document, rows, np.ones(len(rows))), -1.0)


@feature("headings", "headings in the repeated element around the block; -1 where nothing repeats")
def alike_headings(columns: PageColumns) -> Floats:
    rows = np.flatnonzero(HEADING[columns.document.tag])
    return _of_item(columns, sum_subtrees(columns.document, rows, np.ones(len(rows))), -1.0)


@feature("elements", "siblings like the outermost repeated element around the block; 1 where nothing repeats")
def n_alike_outer(columns: PageColumns) -> Floats:
    return _of_item(columns, get_repeats(columns).size, 1.0, outer=True)


@feature("words", "mean words of the outermost repeated elements; 0 where nothing repeats")
def alike_words_outer(columns: PageColumns) -> Floats:
    repeats = get_repeats(columns)
    return _of_item(columns, repeats.words / np.maximum(1, repeats.size), 0.0, outer=True)


@feature("share", "words of the outermost repeated elements / words of the page")
def alike_share_outer(columns: PageColumns) -> Floats:
    return _of_item(columns, get_repeats(columns).words / max(1.0, columns.n_words_below[0]), 0.0, outer=True)


@feature("share", "link words / words of the outermost repeated element; -1 where nothing repeats")
def alike_link_density_outer(columns: PageColumns) -> Floats:
    return _of_item(columns, columns.n_link_words_below / np.maximum(1, columns.n_words_below), -1.0, outer=True)
