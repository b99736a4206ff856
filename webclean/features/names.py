"""The names of a page's elements: tag, class, id, role and the like, numbered so that equal ones are compared once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.caching import cached_per_page
from webclean.features.page_columns import PageColumns
from webclean.model import Rows
from webclean.parse.columns import append_values

NAME_ATTRIBUTES: Final = ("class", "id", "role", "itemprop", "aria-label", "data-testid", "data-component")


@dataclass(frozen=True, slots=True, eq=False)
class NameTable:
    """The distinct names of a page's elements.

    names: first '' for elements without text, then all names of tag and class alone (`div teaser`), then those with
    further attributes (`div teaser main-teaser`). index: int64 [n_elements], the number of the element's full name.
    classes: int64 [n_elements], the number of its name of tag and class alone. n_classes: names of that sort, ''
    included.
    """

    names: list[str]
    index: Rows
    classes: Rows
    n_classes: int

    def list_classes(self) -> list[str]:
        """The names that `classes` refers to."""
        return self.names[: self.n_classes]


@cached_per_page
def find_names(columns: PageColumns) -> NameTable:
    """Name every element with text inside."""
    document, has_text = columns.document, columns.n_words_below > 0
    rows = np.flatnonzero(has_text).tolist()
    listed, named = document.names.copy(), dict[int, None]()
    first, *others = NAME_ATTRIBUTES
    append_values(document, first, has_text, listed)
    plain = [listed[row] for row in rows]
    number = {name: i for i, name in enumerate(dict.fromkeys(plain), start=1)}
    classes = np.zeros(len(document), dtype=np.intp)
    classes[rows] = list(map(number.__getitem__, plain))
    n_classes = len(number) + 1
    for key in others:
        named.update(dict.fromkeys(append_values(document, key, has_text, listed)))
    index = classes.copy()
    for row in named:
        index[row] = number.setdefault(listed[row], len(number) + 1)
    return NameTable(["", *number], index, classes, n_classes)
