"""Evidence of a page's type: one named number for each thing that can be told of the page as a whole.

`url` reads the page's address, `text` what is written, `structure` how it is built, `words` which words it uses in its
address, head, titles, labels and class names. Importing this package registers all of them.
"""

from __future__ import annotations

from webclean.classify.features import structure, text, url
from webclean.classify.features.registry import EVIDENCE, PageView, check_evidence, measure_page
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
    "EVIDENCE",
    "MatchedWords",
    "PageView",
    "check_evidence",
    "compile_vocabulary",
    "find_words",
    "list_card_words",
    "match_words",
    "measure_page",
    "structure",
    "text",
    "url",
]
