"""Text that fits the width of a terminal."""

from __future__ import annotations

import os
import shutil
import unicodedata
from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from typing import Final

_PLAIN_WIDTH: Final = 100
_WIDE: Final = frozenset("WF")


def find_width() -> int:
    """Columns of the terminal (or of `COLUMNS`); a plain width where the output goes elsewhere."""
    return max(40, shutil.get_terminal_size((_PLAIN_WIDTH, 24)).columns)


def fit(text: str, width: int) -> str:
    """A line of at most `width` columns; wide characters (UAX 11) take two. Line breaks become spaces."""
    line = text.rstrip().replace("\n", " ")[: width + 1]
    ends = list(accumulate(2 if unicodedata.east_asian_width(character) in _WIDE else 1 for character in line))
    if not ends or ends[-1] <= width:
        return line
    return f"{line[: bisect_right(ends, width - 1)]}…"


def format_points(points: float | None, *, signed: bool = False) -> str:
    """Points with two digits; '' for None."""
    if points is None:
        return ""
    return f"{points:+.2f}" if signed else f"{points:.2f}"


def shorten_path(path: str | Path) -> str:
    """The path relative to the working folder if it is inside it."""
    text, here = str(path), f"{Path.cwd()}{os.sep}"
    return text.removeprefix(here)
