"""Text that fits the width of a terminal, and progress on standard error."""

from __future__ import annotations

import os
import shutil
import sys
import time
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Final

_PLAIN_WIDTH: Final = 100
"""Columns where the output is no terminal."""
_WIDE: Final = frozenset("WF")


def find_width() -> int:
    """Columns of the terminal (or of `COLUMNS`); a plain width where the output goes elsewhere."""
    # narrower terminals exist, but no table fits them
    return max(40, shutil.get_terminal_size((_PLAIN_WIDTH, 24)).columns)


def fit(text: str, width: int) -> str:
    """A line of at most `width` columns; wide characters (UAX 11) take two. Line breaks become spaces."""
    # more characters than columns never fit, so the rest need not be measured
    line = text.rstrip().replace("\n", " ")[: width + 1]
    ends = list(accumulate(2 if unicodedata.east_asian_width(character) in _WIDE else 1 for character in line))
    if not ends or ends[-1] <= width:
        return line
    return f"{line[: bisect_right(ends, width - 1)]}…"


def shorten_path(path: str | Path) -> str:
    """The path relative to the working folder if it is inside it."""
    return str(path).removeprefix(f"{Path.cwd()}{os.sep}")


_EVERY: Final = {True: 0.2, False: 30.0}
"""Seconds between two messages, on a terminal and elsewhere."""
_SECONDS_KNOWN: Final = 5.0
_PAGES_KNOWN: Final = 20
"""Seconds and pages after which the time left is told: the first pages wait for workers to start, and one page that is
slower than all others would make days of it."""


class Progress:
    """Counts pages and their errors by kind, and estimates what is left: a line that changes on a terminal; a file or a
    pipe, where nobody sees it change, gets a line now and then.

    total: what there is to do, in the unit of `done`: pages, or bytes.
    """

    def __init__(self, total: int, *, quiet: bool = False) -> None:
        self.n_pages = 0
        self.errors: Counter[str] = Counter()
        self._total, self._is_shown, self._is_line = total, total > 1 and not quiet, sys.stderr.isatty()
        self._started = self._told = time.monotonic()
        self._first: tuple[int, int, float] | None = None  # done, pages and time when the first pages came
        self._width = 0  # of the line before

    def count(self, n_pages: int = 1, errors: Iterable[str] | Counter[str] = (), done: int | None = None) -> None:
        """Count pages and the kinds of those that failed. done: how much of the total is done, if that is not pages."""
        now = time.monotonic()
        self.n_pages += n_pages
        done = self.n_pages if done is None else done
        self.errors.update(errors)
        if self._first is None:
            # neither what was done before this run nor the start of its workers says anything of its speed
            self._first = done, self.n_pages, now
        if self._is_shown and now - self._told >= _EVERY[self._is_line]:
            self._told = now
            self._tell(self.estimate_left(done))

    def finish(self) -> None:
        """The last message, but where it was done before there was anything to tell."""
        if self._is_shown and (self._is_line or self._told > self._started):
            self._tell(None)
            if self._is_line:
                print(file=sys.stderr)

    def estimate_left(self, done: int) -> int | None:
        """Seconds; None if nothing is known."""
        now = time.monotonic()
        first_done, first_pages, since = self._first or (0, 0, now)
        is_known = self.n_pages - first_pages >= _PAGES_KNOWN and now - self._started >= _SECONDS_KNOWN
        if is_known and first_done < done <= self._total:
            return round((now - since) * (self._total - done) / (done - first_done))
        return None

    def _tell(self, left: int | None) -> None:
        seconds = max(1e-6, time.monotonic() - self._started)
        parts = [f"{self.n_pages} pages", f"{self.n_pages / seconds:.1f} a second"]
        if left is not None:
            parts.append(f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02} left")
        if self.errors:
            parts.append(f"{self.errors.total()} failed ({list_counts(self.errors)})")
        text = ", ".join(parts)
        if not self._is_line:
            print(f"webclean: {text}", file=sys.stderr, flush=True)
            return
        # padded with spaces: a shorter line would leave the end of the one before
        print(f"\r{text:<{self._width}}", end="", file=sys.stderr, flush=True)
        self._width = len(text)


def list_counts(counts: Counter[str]) -> str:
    """`3 limit, 1 memory`: the most frequent kinds first."""
    return ", ".join(f"{number} {kind}" for kind, number in counts.most_common())


def tell_names(told: str, names: Sequence[str], shown: int = 5) -> None:
    """Say something of some inputs on standard error, and name the first ones."""
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    print(f"webclean: {told}: {', '.join(names[:shown])}{more}", file=sys.stderr)
