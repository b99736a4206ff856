"""Features of the whole page, from which its type is found.

`url`: of its address. `text`: of its text. `structure`: of its markup. `records`: of
how its text is divided. `words`: which words its address, head, title,
labels and class names have. Importing this package registers all features.
"""

from __future__ import annotations

from webclean.classify.features import records, structure, text, url
from webclean.classify.features.registry import PAGE_FEATURES, PageView, measure_page
from webclean.classify.features.words import (
    CHANNELS,
    MatchedWords,
    compile_vocabulary,
    list_card_words,
    list_channel_words,
    match_words,
)

__all__ = [
    "CHANNELS",
    "PAGE_FEATURES",
    "MatchedWords",
    "PageView",
    "compile_vocabulary",
    "list_card_words",
    "list_channel_words",
    "match_words",
    "measure_page",
    "records",
    "structure",
    "text",
    "url",
]
