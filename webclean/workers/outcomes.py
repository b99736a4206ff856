"""What an input may take in a worker, and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

Result = TypeVar("Result")


class FailureKind(StrEnum):
    """Why an input has no result."""

    RAISED = "raised"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    CRASH = "crash"
    CROWDED = "crowded"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an input has no result. error: the name of the exception's type, '' if there was none."""

    kind: FailureKind
    message: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Result]):
    """What came of one input: a value, or a failure. seconds: time in the worker."""

    value: Result | None
    failure: Failure | None
    seconds: float


@dataclass(frozen=True, slots=True)
class Aside:
    """What becomes of an input that takes long: its worker goes on beside the others, stands back for them, and another
    takes its place.

    after: seconds of processor time (of time, where the system does not tell) that an input has at full speed.
    n_workers: how many may be aside. memory_mb: megabytes that they may hold together over what they had when they
    started; one alone may hold more.
    niceness: how far they stand back (0 to 19).

    Where there is no room for one more, the owner with the most inputs aside loses the one that has been served most,
    so that neither many long inputs nor one that never ends keep others out (least attained service first: Nuyens and
    Wierman, "The foreground-background queue: a survey", 2008; fair among owners).
    """

    after: float
    n_workers: int = 2
    memory_mb: int = 1_024
    niceness: int = 10


@dataclass(frozen=True, slots=True)
class WorkLimits:
    """What one input may take. memory_mb: megabytes of address space over what a worker has when it starts; None: all
    there is. It holds where the system has `RLIMIT_AS` (Linux). kept_mb: megabytes that a worker may keep after an
    input over what it had when it started; one that keeps more is replaced, for what was freed in pieces does not go
    back to the system; None: any. aside: what becomes of inputs that take long; None: they hold their worker."""

    seconds: float = 60.0
    memory_mb: int | None = 2_048
    kept_mb: int | None = None
    aside: Aside | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """What a function yields on the way: the time of its input begins anew, and who submitted it is told the value."""

    value: Any


class PoolError(RuntimeError):
    """The pool cannot work: its function cannot be loaded in a worker, or it was closed."""


def fail(kind: FailureKind, message: str, error: BaseException | None = None) -> Outcome[Any]:
    """The outcome of an input that was not worked on to its end."""
    return Outcome(None, Failure(kind, message, type(error).__name__ if error else ""), 0.0)
