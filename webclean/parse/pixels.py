"""Which images nobody sees: tracking pixels, and images that their own markup or that around them hides."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from webclean.caching import cached_per_page
from webclean.model import Document
from webclean.parse.columns import find_attribute, read_attribute

MAX_PIXEL: Final = 3
"""An image with a declared width or height of at most so many pixels is a tracking pixel."""

# no percentages: `width=1%` may be wide
_SIZE: Final = re.compile(r"\s*(\d{1,6})(?:\.\d*)?\s*(?:px\s*)?$", re.ASCII)
_HIDDEN: Final = re.compile(
    r"(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|(?:max-)?(?:width|height)\s*:\s*[0-3](?:\.\d*)?(?:px)?\s*"
    r"(?:;|!|$))",
    re.IGNORECASE,
)
Read = Callable[[str], str | None]
"""Name of an attribute -> its value, None if it is absent."""


def is_unseen(read: Read) -> bool:
    """Whether the attributes of an image hide it: it is a few pixels wide or high, or not displayed."""
    return is_hidden(read) or any(
        (found := _SIZE.match(read(name) or "")) and int(found[1]) <= MAX_PIXEL for name in ("width", "height")
    )


def is_hidden(read: Read) -> bool:
    """Whether the attributes of an element hide it and what is in it."""
    return read("hidden") is not None or bool(_HIDDEN.search(read("style") or ""))


def is_unseen_image(document: Document, row: int, top: int) -> bool:
    """Whether an image, or an element around it below the element of row `top`, is hidden by its attributes."""
    return find_hiding(document, row) > top


def find_hiding(document: Document, row: int) -> int:
    """The nearest of an image and the elements around it whose attributes hide it, -1 for an image that is seen."""
    # asked of thousands of elements around images, of which few have any of these attributes
    styled, around = _find_styled(document)
    if row in styled and is_unseen(partial(read_attribute, document, row)):
        return row
    read_parent = document.parent.item
    row, climbed = read_parent(row), []
    # images have many ancestors, and share most of them
    while row not in around:
        climbed.append(row)
        if row in styled and is_hidden(partial(read_attribute, document, row)):
            around[row] = row
        else:
            row = read_parent(row)
    found = around[row]
    around.update(dict.fromkeys(climbed, found))
    return found


@cached_per_page
def _find_styled(document: Document) -> tuple[frozenset[int], dict[int, int]]:
    """Rows of the elements with an attribute that may hide them, which most have not; of elements around images, the
    nearest of each and those around it that hides it, -1 for none."""
    names = ("hidden", "style", "width", "height")
    return frozenset(row for name in names for row in find_attribute(document, name)), {-1: -1}
