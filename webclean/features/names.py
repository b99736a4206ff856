"""The names of a page's elements: tag, class, id, role and the like, numbered so that equal ones are compared once."""

from __future__ import annotations

from functools import cache
from typing import Any, Final, cast

import msgspec
import numpy as np

from webclean import core
from webclean.caching import cached_per_page
from webclean.features.page_columns import PageColumns
from webclean.features.words import Words, describe_name_words
from webclean.model import Rows
from webclean.parse.tags import BLOCK

NAME_ATTRIBUTES: Final = ("class", "id", "role", "itemprop", "aria-label", "data-testid", "data-component")


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


_LEAST_REPEATED: Final = 3
"""Siblings of a group: two alike may be a heading's halves or two columns."""
_PATH_LEVELS: Final = 4
"""Elements of a tag path: with fewer, comments have the path of paragraphs; with more, each section has its own."""
_MOST_STEPS: Final = 16
"""From a repeated element to the next one around it, on the way to the outermost."""


@cache
def _make_plan() -> Any:
    return core.NamePlan(
        NAME_ATTRIBUTES, describe_name_words(), BLOCK.view(np.uint8), _LEAST_REPEATED, _PATH_LEVELS, _MOST_STEPS
    )


@cached_per_page
def read_names(columns: PageColumns) -> Any:
    """Add to the page what the names of its elements tell (`core/names.py`). Their words, `core.Words`."""
    _ = columns.n_words_below  # elements without words have no name
    return core.read_names(columns.document.page, columns.document.attrs.found, _make_plan())


@cached_per_page
def find_names(columns: PageColumns) -> NameTable:
    """The names of all elements with text inside."""
    read_names(columns)
    page = columns.document.page
    return NameTable(page.element_names, page.view("name"), page.view("class_name"), page.n_class_names)


def find_numbered_alike(columns: PageColumns) -> Rows:
    """int64 [n_elements]: equal for elements whose classes differ in their numbers alone, such as `div box1` and
    `div box2`, or `li post-118` and `li post-97`: the members of a list that their template numbers. A number is one
    at the end of a class, after a word of three letters at least, for `q3` and `col-md-8` name things of their own."""
    read_names(columns)
    return cast("Rows", columns.document.page.view("alike"))


@cached_per_page
def find_name_words(columns: PageColumns) -> Words:
    """The lower-case words of the page's names; `text` is the number of the name."""
    return Words(*read_names(columns).take())
