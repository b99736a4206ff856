"""Text that fits the width of a terminal, and progress on standard error.

Progress is a line that changes on a terminal, or JSON lines for programs.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, TypeVar

_Page = TypeVar("_Page")
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


def format_points(points: float | None, *, signed: bool = False) -> str:
    """Points with two digits; '' for None."""
    if points is None:
        return ""
    return f"{points:+.2f}" if signed else f"{points:.2f}"


def shorten_path(path: str | Path) -> str:
    """The path relative to the working folder if it is inside it."""
    return str(path).removeprefix(f"{Path.cwd()}{os.sep}")


_EVERY: Final = {"line": 0.2, "lines": 30.0, "json": 5.0}
"""Seconds between two messages."""
_SECONDS_KNOWN: Final = 5.0
_PAGES_KNOWN: Final = 20
"""Seconds and pages after which the time left is told: the first pages wait for workers to start, and one page that is
slower than all others would make days of it."""


class Progress:
    """Counts pages and their errors by kind, and estimates what is left.

    total: what there is to do, in the unit of `done`: pages, or bytes. form: `line`, which is shown on a terminal
    alone, `json`, or `quiet`.
    """

    def __init__(self, total: int, form: str = "line") -> None:
        self.n_pages = 0
        self.errors: Counter[str] = Counter()
        self._total = total
        # where nobody sees a line that changes, a file or a pipe gets a line now and then
        at_once = form != "line" or sys.stderr.isatty()
        self._form = "quiet" if form == "line" and total <= 1 else form if at_once else "lines"
        self._started = self._told = time.monotonic()
        self._first: tuple[int, int, float] | None = None  # done, pages and time when the first pages came
        self._width = 0  # of the line before

    def count(self, n_pages: int = 1, errors: Iterable[str] | Counter[str] = (), done: int | None = None) -> None:
        """Count pages and the kinds of those that failed. done: how much of the total is done, if that is not pages."""
        done = self.n_pages + n_pages if done is None else done
        now = time.monotonic()
        self.n_pages += n_pages
        self.errors.update(errors)
        if self._first is None:
            # neither what was done before this run nor the start of its workers says anything of its speed
            self._first = done, self.n_pages, now
        if self._form != "quiet" and now - self._told >= _EVERY[self._form]:
            self._told = now
            self._report(done, "progress")

    def finish(self, done: int | None = None) -> None:
        """The last message."""
        done = self.n_pages if done is None else done
        if self._form == "lines" and self._told == self._started:
            return  # it was done before there was anything to tell
        if self._form != "quiet":
            self._report(done, "end")
            if self._form == "line":
                print(file=sys.stderr)

    def describe(self, done: int) -> dict[str, Any]:
        """Pages, pages a second, seconds left (None if unknown), and errors by kind."""
        now = time.monotonic()
        seconds = max(1e-6, now - self._started)
        first_done, first_pages, since = self._first or (0, 0, now)
        is_known = self.n_pages - first_pages >= _PAGES_KNOWN and now - self._started >= _SECONDS_KNOWN
        left = 0 if done == self._total else None
        if left is None and is_known and first_done < done <= self._total:
            left = round((now - since) * (self._total - done) / (done - first_done))
        return {
            "pages": self.n_pages,
            "seconds": round(seconds, 1),
            "pages_per_second": round(self.n_pages / seconds, 1),
            "seconds_left": left,
            "errors": dict(self.errors),
        }

    def _report(self, done: int, event: str) -> None:
        state = self.describe(done)
        if self._form == "json":
            print(json.dumps({"event": event, **state}), file=sys.stderr, flush=True)
            return
        left = state["seconds_left"]
        parts = [f"{state['pages']} pages", f"{state['pages_per_second']} a second"]
        if left is not None and event == "progress":
            parts.append(f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02} left")
        if self.errors:
            parts.append(f"{self.errors.total()} failed ({list_counts(self.errors)})")
        text = ", ".join(parts)
        if self._form == "lines":
            print(f"webclean: {text}", file=sys.stderr, flush=True)
            return
        # padded with spaces: a shorter line would leave the end of the one before
        print(f"\r{text:<{self._width}}", end="", file=sys.stderr, flush=True)
        self._width = len(text)


def count_pages(pages: Sequence[_Page]) -> Iterator[_Page]:
    """The pages one after the other, with progress on a terminal."""
    progress = Progress(len(pages))
    for page in pages:
        yield page
        progress.count()
    progress.finish()


def list_counts(counts: Counter[str]) -> str:
    """`3 limit, 1 memory`: the most frequent kinds first."""
    return ", ".join(f"{number} {kind}" for kind, number in counts.most_common())


def tell_names(told: str, names: Sequence[str], shown: int = 5) -> None:
    """Say something of some inputs on standard error, and name the first ones."""
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    print(f"webclean: {told}: {', '.join(names[:shown])}{more}", file=sys.stderr)
