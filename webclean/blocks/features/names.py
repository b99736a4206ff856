"""The names that a page's elements bear: tag, class, id, role and kin."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress
from typing import Final

import numpy as np

from webclean.blocks.features.registry import PageColumns, once_a_page
from webclean.blocks.features.words import Words, cut_names
from webclean.model import Rows
from webclean.parse import find_attribute, read_attribute, read_attribute_column

NAME_ATTRIBUTES: Final = ("class", "id", "role", "itemprop", "aria-label", "data-testid", "data-component")


@dataclass(frozen=True, slots=True, eq=False)
class NameTable:
    """The names of a page's elements: each distinct one once, '' (of elements without text) first.

    names: tag and naming attributes as one string; index: int64 [n_elements], its number. classes: int64 [n_elements],
    the number of the name of the tag and the class alone.
    """

    names: list[str]
    index: Rows
    classes: Rows


@once_a_page
def find_names(columns: PageColumns) -> NameTable:
    """Name every element with text inside."""
    document, has_text = columns.document, columns.n_words_below > 0
    rows, is_full = np.flatnonzero(has_text), has_text.tolist()
    first, *others = NAME_ATTRIBUTES
    column = zip(document.names, read_attribute_column(document, first), strict=True)
    listed = [f"{tag} {value}" if value else tag for tag, value in column]
    plain = list(compress(listed, is_full))
    number = {name: i for i, name in enumerate(dict.fromkeys(plain), start=1)}
    classes = np.zeros(len(document), dtype=np.intp)
    classes[rows] = list(map(number.__getitem__, plain))
    named: dict[int, None] = {}
    for key in others:
        for row in find_attribute(document, key):
            if is_full[row] and (value := read_attribute(document, row, key)):
                listed[row] = f"{listed[row]} {value}"
                named[row] = None
    index = classes.copy()
    for row in named:
        index[row] = number.setdefault(listed[row], len(number) + 1)
    return NameTable(["", *number], index, classes)


@once_a_page
def find_name_words(columns: PageColumns) -> Words:
    """The words of the page's names; `text` is the number of the name."""
    return cut_names(find_names(columns).names)
