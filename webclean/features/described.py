"""Features of what the page says about itself where nobody sees it: meta descriptions and JSON-LD."""

from __future__ import annotations

from typing import Final

import numpy as np

from webclean.features.page_columns import PageColumns
from webclean.features.registry import feature
from webclean.features.text import find_word_set, find_words
from webclean.model import Floats
from webclean.parse import read_attribute, read_raw
from webclean.parse.tags import CODE

_DESCRIPTIONS: Final = frozenset(("description", "og:description", "twitter:description"))
_PROBE: Final = 40
_LEAST: Final = 4


def _read_description(columns: PageColumns) -> str:
    """The meta descriptions of the page, joined."""
    document = columns.document
    found = []
    for row in np.flatnonzero(document.tag == CODE["meta"]).tolist():
        attrs = document.attrs[row]
        if attrs.get("name") in _DESCRIPTIONS or attrs.get("property") in _DESCRIPTIONS:
            found.append(read_attribute(document, row, "content") or "")
    return " ".join(found)


@feature("share", "words of four or more letters that the meta description has too; 0 for blocks over 400 characters")
def description_share(columns: PageColumns) -> Floats:
    n, wanted = len(columns.blocks), find_word_set(_read_description(columns), _LEAST)
    if wanted is None:
        return np.full(n, -1.0)
    words = find_words(columns)
    n_words = np.bincount(words.text[words.length >= _LEAST], minlength=n)
    return np.bincount(words.text[wanted.find(words)[0]], minlength=n) / np.maximum(1, n_words)


@feature("0 to 2", "2: the block's first 40 characters stand in the page's JSON-LD; 1: they do not; 0: it has none")
def in_structured_data(columns: PageColumns) -> Floats:
    data = " ".join(read_raw(columns.document, "script"))
    if not data:
        return np.zeros(len(columns.blocks))
    return np.array([2.0 if len(text) > _PROBE and text[:_PROBE] in data else 1.0 for text in columns.blocks.text])
