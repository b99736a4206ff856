"""What a page may cost: the budget that is asked before, during and after the parse.

Time is checked in our own loops: no signal, no thread.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final

from webclean.errors import InputError, LimitExceeded
from webclean.model import Limits

BATCH: Final = 8192
"""Elements between two looks at the clock."""
REBUILD_SLACK: Final = 4
"""How far the estimate of rebuilt elements may lie over the limit: it counts some that are never built."""


@dataclass(slots=True)
class Budget:
    """The limits of one page, its deadline, and which of them it has gone over.

    truncate: go on with what fits instead of raising; `truncated` then names the limits.
    """

    limits: Limits = field(default_factory=Limits)
    truncate: bool = False
    truncated: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def exceed(self, limit: str, value: float) -> None:
        """Raise `LimitExceeded`, or note that the page was truncated."""
        if not self.truncate:
            raise LimitExceeded(limit, value, getattr(self.limits, limit))
        if limit not in self.truncated:
            self.truncated.append(limit)

    def check_time(self) -> None:
        """Raise when the time is used up, between steps that cannot be cut."""
        if not self.truncate:
            self.is_late()

    def is_late(self) -> bool:
        """Whether the time is used up (raises unless the page may be truncated)."""
        spent = time.monotonic() - self.started
        if spent <= self.limits.max_seconds:
            return False
        self.exceed("max_seconds", spent)
        return True


def start_budget(limits: Limits, on_limit: str) -> Budget:
    """The budget of one page, from now on. Raises `InputError` for an unknown policy."""
    if on_limit not in ("raise", "truncate"):
        raise InputError(f"on_limit is 'raise' or 'truncate', not {on_limit!r}")
    return Budget(limits, on_limit == "truncate")
