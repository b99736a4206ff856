"""The names of a page's elements (tag, class, id, role and the like), numbered so that equal ones are compared once;
and what repeats by them: blocks with the same tag path, and sibling elements alike in tag and class.

Template-generated lists repeat an element: `ul` with many `li.teaser`, `div` with many `div.comment`. Siblings are
grouped by (parent, tag, classes but for their numbers); a group of at least three is repeated. In

    <ul><li>tea <li>milk <li>green tea with milk</ul> <p>Notes</p>

the three `li` are one group: `size` 3 for each, `words` their total, `spread` the variation of their lengths. Each
block inside has its `li` as `item`; that of `p` has none (-1). Teasers of a list are nearly equal in length (low
spread), paragraphs of a text are not.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final, cast

import msgspec
import numpy as np

from webclean import core
from webclean.caching import cached_per_page
from webclean.features.page_columns import PageColumns
from webclean.features.words import Words, describe_name_words
from webclean.model import Floats, Rows
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
    # one call for names, their words and repeats: all of them walk over the same attributes
    return core.read_names(columns.document.page, columns.document.attrs.found, _make_plan())


@cached_per_page
def find_names(columns: PageColumns) -> NameTable:
    """The names of all elements with text inside."""
    read_names(columns)
    # the columns are the core's own: nothing is copied
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


class Repeats(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The groups of at least three siblings whose tag and classes are the same but for numbers.

    item: int64 [n_blocks], the nearest element around each block that is in a group, or -1; outer: the outermost one.
    group: int64 [n_elements], number of the group, -1 for an element in none. size, words, spread: float64
    [n_groups + 1], elements of each group, their words, and standard deviation / mean of these; the last entry is for
    no group. path: int64 [n_blocks], equal for blocks with the same tag path (tags, and classes but for numbers, of the
    block element and the three above it).
    """

    item: Rows
    outer: Rows
    group: Rows
    size: Floats
    words: Floats
    spread: Floats
    path: Rows


@cached_per_page
def find_repeats(columns: PageColumns) -> Repeats:
    """The groups of siblings and the tag paths of a page."""
    read_names(columns)
    view = columns.document.page.view
    return Repeats(*map(view, ("item", "outer", "group", "group_size", "group_words", "group_spread", "path")))
