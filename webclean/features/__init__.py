"""Features of text blocks: the named numbers that cards and rules refer to. One file for each subject.

A feature is a function that takes a `PageColumns` and returns one value for each text block. It is registered with a
name, a unit and a one-line meaning.
"""

from __future__ import annotations

# The order of docs/features.md and of the columns that cards are learnt from.
# isort: off
from webclean.features import text, landmarks, container, links, repetition
from webclean.features import main_path, main_text, neighbours, page, tokens
from webclean.features import tables

# isort: on
from webclean.features.page_columns import PageColumns
from webclean.features.registry import BLOCK_FEATURES, feature, measure, measure_all

__all__ = [
    "BLOCK_FEATURES",
    "PageColumns",
    "container",
    "feature",
    "landmarks",
    "links",
    "main_path",
    "main_text",
    "measure",
    "measure_all",
    "neighbours",
    "page",
    "repetition",
    "tables",
    "text",
    "tokens",
]
