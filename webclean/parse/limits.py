"""The limits of a page, checked before, during and after parsing.

Time is checked inside loops; neither signals nor threads are used.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final

from webclean.errors import InputError, LimitExceeded
from webclean.model import Limits

BATCH: Final = 8192
"""Number of elements between two checks of the time."""
REBUILD_SLACK: Final = 4
"""The estimate of rebuilt elements may exceed the limit by this factor, because it counts some that are not built."""


@dataclass(slots=True)
class Budget:
    """The limits of one page, its deadline, and the limits that it has exceeded.

    truncate: cut the page at a limit instead of raising an error. truncated: names of the limits at which it was cut.
    """

    limits: Limits = field(default_factory=Limits)
    truncate: bool = False
    truncated: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def exceed(self, limit: str, value: float) -> None:
        """Raise `LimitExceeded`; if the page may be truncated, record the limit instead."""
        if not self.truncate:
            raise LimitExceeded(limit, value, getattr(self.limits, limit))
        if limit not in self.truncated:
            self.truncated.append(limit)

    def check_time(self) -> None:
        """Raise `LimitExceeded` if the time is up. Called between steps that cannot be cut short."""
        if not self.truncate:
            self.is_late()

    def is_late(self) -> bool:
        """Whether the time is up. Raises `LimitExceeded` if it is and the page may not be truncated."""
        spent = time.monotonic() - self.started
        if spent <= self.limits.max_seconds:
            return False
        self.exceed("max_seconds", spent)
        return True


def start_budget(limits: Limits, on_limit: str) -> Budget:
    """The budget of one page; its time starts now. Raises `InputError` if `on_limit` is unknown."""
    if on_limit not in ("raise", "truncate"):
        raise InputError(f"on_limit is 'raise' or 'truncate', not {on_limit!r}")
    return Budget(limits, on_limit == "truncate")
