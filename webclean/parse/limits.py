"""The limits of a page, checked before, during and after parsing.

Time is checked inside loops; neither signals nor threads are used. Stages after parsing are functions of columns and
rules alone; the budget that they run in is a context variable, so that it need not go through every signature.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import msgspec

from webclean.errors import InputError, LimitExceeded
from webclean.model import SMALL_PAGE, Limits

BATCH: Final = 8192
"""Number of elements between two checks of the time."""
REBUILD_SLACK: Final = 4
"""The estimate of rebuilt elements may exceed the limit by this factor, because it counts some that are not built."""


class Budget(msgspec.Struct):
    """The limits of one page, its deadline, and the limits that it has exceeded.

    truncate: cut the page at a limit instead of raising an error. truncated: names of the limits at which it was cut.
    n_input, n_output: characters of the page, and of what was made of it so far.
    """

    limits: Limits = msgspec.field(default_factory=Limits)
    truncate: bool = False
    truncated: list[str] = []
    started: float = -1.0
    n_input: int = 0
    n_output: int = 0
    read_clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        if self.limits.of_processor:
            self.read_clock = time.process_time
        self.started = self.read_clock() if self.started < 0 else self.started

    def exceed(self, limit: str, value: float) -> None:
        """Raise `LimitExceeded`; if the page may be truncated, record the limit instead."""
        if not self.truncate:
            raise LimitExceeded(limit, value, getattr(self.limits, limit))
        # each step after the first finds the same limit exceeded: it is named once
        if limit not in self.truncated:
            self.truncated.append(limit)

    def check_time(self) -> None:
        """Raise `LimitExceeded` if the time is up. Called between steps that cannot be cut short."""
        if not self.truncate:
            self.is_late()

    def is_late(self) -> bool:
        """Whether the time is up. Raises `LimitExceeded` if it is and the page may not be truncated."""
        spent = self.read_clock() - self.started
        if spent <= self.limits.max_seconds:
            return False
        self.exceed("max_seconds", spent)
        return True

    def spend(self, n_chars: int) -> bool:
        """Count characters of the result, and check the time. Whether they are still allowed; raises `LimitExceeded` if
        they are not and the result may not be truncated."""
        self.check_time()
        self.n_output += n_chars
        ratio = self.n_output / max(self.n_input, SMALL_PAGE)
        if ratio <= self.limits.max_output_ratio:
            return True
        self.exceed("max_output_ratio", ratio)
        return False

    def spend_all(self, sizes: Sequence[int]) -> int:
        """The same for several parts of the result: how many of the first are allowed."""
        self.check_time()
        total = self.n_output + sum(sizes)
        # one by one only where all together are too many
        if total / max(self.n_input, SMALL_PAGE) > self.limits.max_output_ratio:
            return sum(map(self.spend, sizes))
        self.n_output = total
        return len(sizes)


_Row = TypeVar("_Row", bound=Mapping[str, Any])


class _Current(threading.local):
    """The budget of what a thread cleans. No context variable: where a context has one, each array that numpy makes is
    slower, for it asks the context for its own."""

    budget: Budget | None = None


_CURRENT: Final = _Current()


@contextmanager
def limit_to(budget: Budget) -> Iterator[None]:
    """Make a budget that of all that is called inside: stages ask for it with `check_time` and `spend_output`."""
    before, _CURRENT.budget = _CURRENT.budget, budget
    try:
        yield
    finally:
        _CURRENT.budget = before


def check_time() -> None:
    """Raise `LimitExceeded` if the time of the current budget is up. Called in loops whose steps cost more."""
    budget = _CURRENT.budget
    if budget is not None:
        budget.check_time()


def spend_output(n_chars: int) -> bool:
    """Count characters of a result in the current budget, and check its time. False if what they are of must be left
    out."""
    budget = _CURRENT.budget
    # stages are called without a budget too, by tests and by learning: then nothing is limited
    return budget is None or budget.spend(n_chars)


def bound_rows(rows: Iterable[_Row]) -> Iterator[_Row]:
    """Rows of a result up to the one that is over the current budget, each counted by its characters as JSON.

    What a row repeats beside its text, such as names, paths and reasons, makes a page of short headings a hundred times
    as long. rows: plain values.
    """
    for row in rows:
        if not spend_output(len(msgspec.json.encode(row))):
            return
        yield row


def spend_outputs(sizes: Sequence[int]) -> int:
    """The same for several results, counted together: how many of the first may be kept."""
    budget = _CURRENT.budget
    return len(sizes) if budget is None else budget.spend_all(sizes)


def start_budget(limits: Limits, on_limit: str) -> Budget:
    """The budget of one page; its time starts now. Raises `InputError` if `on_limit` is unknown."""
    if on_limit not in ("raise", "truncate"):
        raise InputError(f"on_limit is 'raise' or 'truncate', not {on_limit!r}")
    return Budget(limits, on_limit == "truncate")
