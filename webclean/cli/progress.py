"""Progress of a command on standard error, if that is a terminal."""

from __future__ import annotations

import sys


class Progress:
    """Counts pages. Prints nothing for a single page, and only failures if standard error is not a terminal."""

    def __init__(self, total: int) -> None:
        self._total, self._done, self._failed = total, 0, 0
        self._is_shown = total > 1 and sys.stderr.isatty()

    def count(self, *, failed: bool) -> None:
        """Count one page."""
        self._done += 1
        self._failed += failed
        if self._is_shown:
            trouble = f", {self._failed} failed" if self._failed else ""
            print(f"\r{self._done}/{self._total} pages{trouble}", end="", file=sys.stderr, flush=True)

    def finish(self) -> int:
        """The exit code: 1 when a page failed."""
        if self._is_shown:
            print(file=sys.stderr)
        if self._failed and self._total > 1:
            print(f"webclean: {self._failed} of {self._total} pages failed", file=sys.stderr)
        return int(self._failed > 0)
