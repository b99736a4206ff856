"""The names that a page's elements bear: tag, class, id, role and kin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.blocks.features.registry import PageColumns, once_a_page
from webclean.model import Rows
from webclean.parse import find_attribute, read_attributes

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
    rows, is_full = np.flatnonzero(has_text).tolist(), has_text.tolist()
    first, *others = NAME_ATTRIBUTES
    tags = map(document.names.__getitem__, rows)
    values = read_attributes(document, rows, first)
    plain = [f"{tag} {value}" if value else tag for tag, value in zip(tags, values, strict=True)]
    number = {name: i for i, name in enumerate(dict.fromkeys(plain), start=1)}
    classes = np.zeros(len(document), dtype=np.intp)
    classes[rows] = list(map(number.__getitem__, plain))
    further: dict[int, str] = {}
    for key in others:
        own = [row for row in find_attribute(document, key) if is_full[row]]
        for row, value in zip(own, read_attributes(document, own, key), strict=True):
            if value:
                further[row] = f"{further[row]} {value}" if row in further else value
    names = [*number]
    index = classes.copy()
    for row, value in further.items():
        name = f"{names[index[row] - 1]} {value}"
        index[row] = number.setdefault(name, len(number) + 1)
    return NameTable(["", *number], index, classes)
