"""Cleaning in worker processes, each page within limits of time and memory, so that no page can stop the server.

A worker that takes too long, crashes or runs out of memory is replaced; the others and the pages that wait for them go
on. The cleaner's own limits end nearly all such pages before; these here are for what it does not foresee.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeVar, cast

from webclean.server.failures import Failure, RequestFailed, fail
from webclean.server.metrics import Metrics
from webclean.server.settings import ServerSettings
from webclean.server.tasks import answer_nothing
from webclean.workers import Failure as WorkFailure
from webclean.workers import FailureKind, PoolError, WorkerPool, WorkLimits

_Task = TypeVar("_Task")
_Answer = TypeVar("_Answer")

GRACE: Final = 2.0
"""Seconds after the cleaner's own limit of time before its process is killed."""
_MB: Final = 1 << 20
_ALIVE: Final = 5.0
"""Seconds in which an idle worker answers."""
_TOLD: Final = {
    FailureKind.TIMEOUT: ("took_too_long", HTTPStatus.GATEWAY_TIMEOUT, "cleaning the page took too long"),
    FailureKind.MEMORY: ("out_of_memory", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "cleaning took too much memory"),
    FailureKind.CRASH: ("worker_died", HTTPStatus.INTERNAL_SERVER_ERROR, "cleaning the page ended its process"),
    FailureKind.RAISED: ("failed", HTTPStatus.INTERNAL_SERVER_ERROR, "cleaning the page failed"),
}


class Call(NamedTuple):
    """A function of `tasks` and what it is called with."""

    work: Callable[[Any], Any]
    task: Any


def run_call(call: Call) -> Any:
    """What every worker runs."""
    return call.work(call.task)


class CleaningPool:
    """The workers of one server, and how many pages are in work or wait."""

    def __init__(self, settings: ServerSettings, metrics: Metrics) -> None:
        limits = WorkLimits(settings.max_seconds + GRACE, settings.max_memory // _MB)
        self.pool = WorkerPool(run_call, jobs=settings.workers, limits=limits, preload=["webclean.server.preload"])
        self.max_waiting = settings.max_waiting
        self.metrics = metrics
        self.n_waiting = 0

    async def run(self, work: Callable[[_Task], _Answer | Failure], task: _Task) -> _Answer:
        """The answer of a worker. Raises `RequestFailed`."""
        if self.n_waiting >= self.max_waiting:
            self.metrics.pages.labels("refused").inc()
            raise fail(
                "overloaded",
                HTTPStatus.SERVICE_UNAVAILABLE,
                f"{self.n_waiting} pages are waiting already: try again soon",
                {"retry-after": "1"},
            )
        start = time.monotonic()
        self._count(1)
        try:
            outcome = await asyncio.wrap_future(self.pool.submit(Call(work, task)))
        except PoolError as error:
            raise fail("no_workers", HTTPStatus.SERVICE_UNAVAILABLE, str(error)) from error
        finally:
            self._count(-1)
            self.metrics.page_seconds.observe(time.monotonic() - start)
        failure = _find_failure(outcome.failure, outcome.value)
        self.metrics.pages.labels(failure.kind if failure else "done").inc()
        if failure:
            raise RequestFailed(failure)
        return cast("_Answer", outcome.value)

    async def start(self) -> None:
        """Wait until a worker is ready. Raises `PoolError` if none can start."""
        await asyncio.wrap_future(self.pool.submit(Call(answer_nothing, "")))

    async def is_alive(self) -> bool:
        """Whether a worker answers, or all are at work."""
        if self.n_waiting:
            return True
        try:
            asked = asyncio.wrap_future(self.pool.submit(Call(answer_nothing, ""), seconds=_ALIVE))
            return (await asyncio.wait_for(asked, _ALIVE)).failure is None
        except (PoolError, TimeoutError):
            return False

    def close(self) -> None:
        """End the workers."""
        self.pool.close()

    def _count(self, change: int) -> None:
        self.n_waiting += change
        self.metrics.waiting.set(self.n_waiting)


def _find_failure(failure: WorkFailure | None, value: Any) -> Failure | None:
    """What became of a page that has no answer; the message of an unforeseen error is for the log alone."""
    if failure is None:
        return value if isinstance(value, Failure) else None
    kind, status, detail = _TOLD[failure.kind]
    return Failure(kind, status, detail)
