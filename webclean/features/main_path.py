"""Features of the main path: the tag path (tags and classes, four levels) with the most running text.

The paragraphs of an article mostly share one path, and comments, teasers and legal notes have other paths. Blocks
before the first or after the last block of the main path are seldom main content.
"""

from __future__ import annotations

import numpy as np

from webclean.caching import cached_per_page
from webclean.features.page_columns import PageColumns
from webclean.features.registry import feature
from webclean.features.repetition import find_repeats
from webclean.model import Rows


@cached_per_page
def find_main_path(columns: PageColumns) -> Rows:
    """int64 [n]: numbers of the blocks on the main path, in reading order."""
    path = find_repeats(columns).path
    if not len(path):
        return path
    return np.flatnonzero(path == np.bincount(path, columns.sentence_words).argmax())


@feature("blocks", "blocks up to the first block of the main path; 0 from there on")
def before_main_path(columns: PageColumns) -> Rows:
    return np.asarray(np.maximum(0, find_main_path(columns)[:1] - columns.index))


@feature("blocks", "blocks since the last block of the main path; 0 up to there")
def after_main_path(columns: PageColumns) -> Rows:
    return np.asarray(np.maximum(0, columns.index - find_main_path(columns)[-1:]))
