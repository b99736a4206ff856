"""Named columns of the text blocks: what rules are written in. One file for each subject.

Each feature is one vectorised function of `PageColumns` with a name, a unit and a one-line meaning.
"""

from __future__ import annotations

from webclean.features import (
    container,
    described,
    landmarks,
    links,
    main_path,
    neighbours,
    page,
    repetition,
    text,
    tokens,
)
from webclean.features.page_columns import PageColumns
from webclean.features.registry import FEATURES, feature, measure
from webclean.features.trees import mark_subtrees

__all__ = [
    "FEATURES",
    "PageColumns",
    "container",
    "described",
    "feature",
    "landmarks",
    "links",
    "main_path",
    "mark_subtrees",
    "measure",
    "neighbours",
    "page",
    "repetition",
    "text",
    "tokens",
]
