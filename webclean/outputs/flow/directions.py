"""The direction in which the kept text runs: right to left for Arabic, Hebrew and related scripts."""

from __future__ import annotations

import re
from typing import Final

from webclean.model import Document, Mask, TextBlocks
from webclean.parse import find_attribute
from webclean.parse.columns import list_values

DIRECTIONS: Final = frozenset(("ltr", "rtl"))
_RIGHT_TO_LEFT: Final = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_SAMPLE: Final = 4000
"""So many characters of the kept text are looked at."""


def find_direction(document: Document, blocks: TextBlocks, kept: Mask, declared: dict[int, str]) -> str:
    """`rtl` or `ltr`: what `html` or `body` declares, otherwise the direction of most letters. declared: by
    `list_directions`."""
    for row, value in declared.items():
        if document.names[row] in ("html", "body"):
            return value
    sample, size = [], 0
    for block in kept.nonzero()[0].tolist():
        sample.append(blocks.text[block])
        size += len(sample[-1])
        if size > _SAMPLE:
            break
    text = "".join(sample)[:_SAMPLE]
    if text.isascii():
        return "ltr"
    n_right = len(_RIGHT_TO_LEFT.findall(text))
    return "rtl" if n_right and 2 * n_right > len(_LETTER.findall(text)) else "ltr"


def list_directions(document: Document) -> dict[int, str]:
    """Row -> the direction that it declares."""
    values = zip(find_attribute(document, "dir"), list_values(document, "dir"), strict=True)
    return {row: value for row, text in values if (value := text.strip().lower()) in DIRECTIONS}
