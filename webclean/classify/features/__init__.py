"""Features of a page as a whole, which tell its type.

`url` reads the page's address, `text` what is written, `structure` how it is built, `words` which words it uses in its
address, head, titles, labels and class names. Importing this package registers all of them.
"""

from __future__ import annotations

from webclean.classify.features import structure, text, url
from webclean.classify.features.registry import PAGE_FEATURES, PageView, measure_page
from webclean.classify.features.words import (
    CHANNELS,
    MatchedWords,
    compile_vocabulary,
    find_words,
    list_card_words,
    match_words,
)

__all__ = [
    "CHANNELS",
    "PAGE_FEATURES",
    "MatchedWords",
    "PageView",
    "compile_vocabulary",
    "find_words",
    "list_card_words",
    "match_words",
    "measure_page",
    "structure",
    "text",
    "url",
]
