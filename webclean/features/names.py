"""The names of a page's elements: tag, class, id, role and the like, numbered so that equal ones are compared once."""

from __future__ import annotations

import re
from typing import Final, cast

import msgspec

from webclean import core
from webclean.caching import cached_per_page
from webclean.features.page_columns import PageColumns
from webclean.features.words import Words, cut_names
from webclean.model import Rows
from webclean.parse.columns import number_names

NAME_ATTRIBUTES: Final = ("class", "id", "role", "itemprop", "aria-label", "data-testid", "data-component")
_NUMBER: Final = re.compile(r"[-_0-9](?<=[A-Za-z]{3}.)[0-9]*(?<=[0-9])(?![^\s\0])")  # begins with what is rare


class NameTable(msgspec.Struct, frozen=True, eq=False, gc=False):
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
    number, index, classes, n_classes = number_names(columns.document, columns.n_words_below > 0, NAME_ATTRIBUTES)
    return NameTable(["", *number], index, classes, n_classes + 1)


@cached_per_page
def find_numbered_alike(columns: PageColumns) -> Rows:
    """int64 [n_elements]: equal for elements whose classes differ in their numbers alone, such as `div box1` and
    `div box2`, or `li post-118` and `li post-97`: the members of a list that their template numbers. A number is one
    at the end of a class, after a word of three letters at least, for `q3` and `col-md-8` name things of their own."""
    names = find_names(columns)
    number = core.number_alike(names.list_classes())
    return names.classes if number is None else cast("Rows", number[names.classes])


@cached_per_page
def find_name_words(columns: PageColumns) -> Words:
    """The lower-case words of the page's names; `text` is the number of the name."""
    return cut_names(find_names(columns).names)
