"""Features of what the page says about itself where nobody sees it: meta descriptions and JSON-LD."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from webclean.blocks.features.registry import PageColumns, feature
from webclean.model import Floats
from webclean.parse import read_attribute
from webclean.parse.tags import CODE

_WORD: Final = re.compile(r"\w{4,}")
_DESCRIPTIONS: Final = frozenset(("description", "og:description", "twitter:description"))
_PROBE: Final = 40
_LONGEST: Final = 400


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
    wanted = set(_WORD.findall(_read_description(columns).lower()))
    if not wanted:
        return np.full(len(columns.blocks), -1.0)
    shares = []
    for text in columns.blocks.text:
        own = _WORD.findall(text.lower()) if len(text) <= _LONGEST else ()
        shares.append(sum(word in wanted for word in own) / len(own) if own else 0.0)
    return np.array(shares, np.float64)


@feature("0 to 2", "2: the block's first 40 characters stand in the page's JSON-LD; 1: they do not; 0: it has none")
def in_structured_data(columns: PageColumns) -> Floats:
    document = columns.document
    data = " ".join(text for row, text in document.raw.items() if document.names[row] == "script")
    if not data:
        return np.zeros(len(columns.blocks))
    return np.array([2.0 if len(text) > _PROBE and text[:_PROBE] in data else 1.0 for text in columns.blocks.text])
