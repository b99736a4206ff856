"""Progress of a command on standard error: a line that changes on a terminal, or JSON lines for programs."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any, Final

_EVERY: Final = {"line": 0.2, "json": 5.0}
"""Seconds between two messages."""


class Progress:
    """Counts pages and their errors by kind, and estimates what is left.

    total: what there is to do, in the unit of `done`: pages, or bytes. form: `line`, which is shown on a terminal
    alone, `json`, or `quiet`.
    """

    def __init__(self, total: int, form: str = "line") -> None:
        self.n_pages = 0
        self.errors: Counter[str] = Counter()
        self._total = total
        self._form = "quiet" if form == "line" and not (total > 1 and sys.stderr.isatty()) else form
        self._started = self._told = time.monotonic()
        self._first: int | None = None
        self._width = 0  # of the line before

    @property
    def n_failed(self) -> int:
        return self.errors.total()

    @property
    def is_line(self) -> bool:
        """Whether a line is on the terminal, over which messages are written."""
        return self._form == "line"

    def count(self, n_pages: int = 1, errors: Iterable[str] | Counter[str] = (), done: int | None = None) -> None:
        """Count pages and the kinds of those that failed. done: how much of the total is done, if that is not pages."""
        done = self.n_pages + n_pages if done is None else done
        if self._first is None:
            self._first = max(0, done - n_pages)  # what was done before, or by the first pages
        self.n_pages += n_pages
        self.errors.update(errors)
        now = time.monotonic()
        if self._form != "quiet" and now - self._told >= _EVERY[self._form]:
            self._told = now
            self._tell(done, "progress")

    def finish(self, done: int | None = None) -> None:
        """The last message."""
        done = self.n_pages if done is None else done
        if self._form != "quiet":
            self._tell(done, "end")
            if self._form == "line":
                print(file=sys.stderr)

    def describe(self, done: int) -> dict[str, Any]:
        """Pages, pages a second, seconds left (None if unknown), and errors by kind."""
        seconds = max(1e-6, time.monotonic() - self._started)
        since = done - (self._first or 0)
        left = seconds * (self._total - done) / since if since > 0 and self._total >= done else None
        return {
            "pages": self.n_pages,
            "seconds": round(seconds, 1),
            "pages_per_second": round(self.n_pages / seconds, 1),
            "seconds_left": None if left is None else round(left),
            "errors": dict(self.errors),
        }

    def _tell(self, done: int, event: str) -> None:
        state = self.describe(done)
        if self._form == "json":
            print(json.dumps({"event": event, **state}), file=sys.stderr, flush=True)
            return
        left = state["seconds_left"]
        parts = [f"{state['pages']} pages", f"{state['pages_per_second']} a second"]
        if left is not None and event == "progress":
            parts.append(f"{left // 3600}:{left // 60 % 60:02}:{left % 60:02} left")
        if self.errors:
            kinds = ", ".join(f"{number} {kind}" for kind, number in self.errors.most_common())
            parts.append(f"{self.n_failed} failed ({kinds})")
        text = ", ".join(parts)
        print(f"\r{text:<{self._width}}", end="", file=sys.stderr, flush=True)
        self._width = len(text)
