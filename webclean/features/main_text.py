"""Features of where a block stands beside the main text: the element that holds most running text directly.

The paragraphs of an article are mostly children of one element; lists and quotes of the article stand near it, teasers
and comments far from it. That holds on old and new pages and in any language, whatever the elements are called.

    div              levels_below_main_text of the teaser: 2; levels_above_main_text: 1
      div            <- the main text: most running text among its children
        p, p, p      siblings_prose_share 1
        ul > li      levels_below_main_text 2; levels_above_main_text 0
      aside > p      the teaser
"""

from __future__ import annotations

import numpy as np

from webclean.caching import cached_per_page
from webclean.features.landmarks import share_with
from webclean.features.page_columns import PageColumns
from webclean.features.registry import ARTICLE_CARD, feature
from webclean.features.repetition import find_repeats
from webclean.features.trees import find_common, sum_groups
from webclean.model import Floats, Rows


@cached_per_page
def _find_parents(columns: PageColumns) -> Rows:
    """int64 [n_blocks]: the element around that of each block."""
    return np.maximum(0, columns.document.parent[columns.row])


@cached_per_page
def _sum_prose(columns: PageColumns) -> Floats:
    """float64 [n_elements]: words of running text in the blocks whose elements are children of each element."""
    words = np.bincount(_find_parents(columns), columns.sentence_words, minlength=len(columns.document))
    return words.astype(np.float64)


@cached_per_page
def find_main_text(columns: PageColumns) -> int:
    """The element with most running text among its children; the first element of a page without any."""
    return int(_sum_prose(columns).argmax())


@cached_per_page
def _find_common(columns: PageColumns) -> Rows:
    """int64 [n_blocks]: the smallest element around both the block and the main text."""
    return find_common(columns.document, find_main_text(columns), columns.row)


@cached_per_page
def _find_paragraphs(columns: PageColumns) -> Rows:
    """int64 [n]: the blocks of running text whose elements are children of the main text's."""
    return np.flatnonzero(columns.is_prose & (_find_parents(columns) == find_main_text(columns)))


@feature("share", "running-text words in the element around the block's / those of the page", learn=ARTICLE_CARD)
def parent_prose_share(columns: PageColumns) -> Floats:
    below = columns.n_sentence_words_below
    return np.asarray(below[_find_parents(columns)] / np.maximum(1.0, below[:1]))


@feature(
    "share",
    "running-text words of the blocks whose elements have the same parent / those of the page",
    learn=ARTICLE_CARD,
)
def siblings_prose_share(columns: PageColumns) -> Floats:
    own = _sum_prose(columns)[_find_parents(columns)]
    return np.asarray(own / np.maximum(1.0, columns.n_sentence_words_below[:1]))


@feature(
    "share",
    "words in the smallest element around both the block and the main text / words of the page",
    learn=ARTICLE_CARD,
)
def main_text_container_share(columns: PageColumns) -> Floats:
    return share_with(columns, find_main_text(columns))


@feature(
    "elements",
    "levels from the main text's element up to the smallest element around both it and the block",
    learn=ARTICLE_CARD,
)
def levels_above_main_text(columns: PageColumns) -> Rows:
    depth = columns.document.depth
    return np.asarray(depth[find_main_text(columns)] - depth[_find_common(columns)])


@feature(
    "elements",
    "levels from the block's element up to the smallest element around both it and the main text",
    learn=ARTICLE_CARD,
)
def levels_below_main_text(columns: PageColumns) -> Rows:
    depth = columns.document.depth
    return np.asarray(depth[columns.row] - depth[_find_common(columns)])


@feature("blocks", "blocks up to the first paragraph of the main text; 0 from there on", learn=ARTICLE_CARD)
def before_main_text(columns: PageColumns) -> Rows:
    first = _find_paragraphs(columns)[:1]
    return np.maximum(0, first - columns.index) if len(first) else np.zeros_like(columns.index)


@feature("blocks", "blocks since the last paragraph of the main text; 0 up to there", learn=ARTICLE_CARD)
def after_main_text(columns: PageColumns) -> Rows:
    last = _find_paragraphs(columns)[-1:]
    return np.maximum(0, columns.index - last) if len(last) else np.zeros_like(columns.index)


@feature(
    "share", "words inside the main text's element among the words of the blocks with the same path", learn=ARTICLE_CARD
)
def path_in_main_text(columns: PageColumns) -> Floats:
    path, element = find_repeats(columns).path, find_main_text(columns)
    inside = (columns.row >= element) & (columns.row < columns.document.end[element])
    return sum_groups(path, inside * columns.words) / sum_groups(path, columns.words)


@feature("share", "words in running text among the words of the blocks with the same path", learn=ARTICLE_CARD)
def path_prose_share(columns: PageColumns) -> Floats:
    path = find_repeats(columns).path
    return sum_groups(path, columns.sentence_words) / sum_groups(path, columns.words)
