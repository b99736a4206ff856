"""Text blocks -> the concepts (`features.concept_table`) that short ones name, and where."""

from __future__ import annotations

from typing import Final

import numpy as np

from webclean import core
from webclean.caching import cached_per_page
from webclean.features.concept_table import ConceptTable
from webclean.features.lexicon import Found
from webclean.features.page_columns import PageColumns
from webclean.features.text import find_words, join_text
from webclean.features.words import cut_labels

LONGEST_LABEL: Final = 120
"""Characters. In a longer text a phrase such as `read also` is part of a sentence and announces nothing."""


@cached_per_page
def find_phrases(columns: PageColumns, table: ConceptTable) -> Found:
    """The phrases of concepts in short blocks; `text` of the result is the number of the block.

    In ASCII texts the words of labels are the ordinary words, which other features have already computed.
    """
    is_short = columns.n_text_chars <= LONGEST_LABEL
    if join_text(columns).isascii():
        return table.phrases.find(find_words(columns), is_short)
    texts = columns.blocks.text
    listed = core.list_beyond_ascii(texts, is_short.view(np.uint8))
    found = [(number, lower) for number in listed if not (lower := texts[number].lower()).isascii()]
    if not found:
        return table.phrases.find(find_words(columns), is_short)
    at = np.array([number for number, _ in found])
    is_short = is_short.copy()
    is_short[at] = False
    plain = table.phrases.find(find_words(columns), is_short)
    other = table.phrases.find(cut_labels([lower for _, lower in found]), np.ones(len(at), dtype=bool))
    return Found(np.concatenate((plain.text, at[other.text])), np.concatenate((plain.place, other.place)))
