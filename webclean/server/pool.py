"""Cleaning in worker processes, each page within limits of time and memory, so that no page can stop the server.

A worker that takes too long, crashes or runs out of memory is replaced; the others and the pages that wait for them go
on. The cleaner's own limits end nearly all such pages before; these here are for what it does not foresee.

    page ── small ──> workers ── done in `quick_seconds` ──> answer
      │                  └─────── not yet ───┐
      └──── large ───────────> large workers ┴─────────────> answer

Large pages, and those that turn out to take long, have workers of their own, which stand back for the others: whatever
is sent, an ordinary page waits for ordinary pages alone. Pages are taken in the order of their turns, times that are
the later the larger a page is, so that small pages pass large ones, but none is passed for ever. Few large ones may
wait, for each holds megabytes: one more takes the place of the last in line.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeVar, cast

from prometheus_client import Gauge

from webclean.server.failures import Failure, RequestFailed, fail
from webclean.server.metrics import Metrics
from webclean.server.settings import ServerSettings
from webclean.server.tasks import answer_nothing
from webclean.workers import Failure as WorkFailure
from webclean.workers import FailureKind, Outcome, PoolError, WorkerPool, WorkLimits

_Task = TypeVar("_Task")
_Answer = TypeVar("_Answer")

GRACE: Final = 2.0
"""Seconds after the cleaner's own limit of time before its process is killed."""
_MB: Final = 1 << 20
_ALIVE: Final = 5.0
"""Seconds in which an idle worker answers."""
_NICENESS: Final = 5
"""Of workers for large pages: about a third of the time of others where both want the same processor."""
_BYTES_PER_SECOND: Final = 500_000
"""A page of so many bytes waits a second longer than an empty one that came with it, at most."""
_KEPT_MB: Final = 150
"""Megabytes that a worker may keep from page to page."""
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


@dataclass(frozen=True, slots=True, eq=False)
class Lane:
    """Workers for pages of one kind; how many pages may be in work or wait, and those that do: when their turn comes at
    the latest, and their futures."""

    name: str
    pool: WorkerPool[Call, Any]
    max_waiting: int
    gauge: Gauge
    asked: dict[Future[Outcome[Any]], float] = field(default_factory=dict)

    @property
    def n_waiting(self) -> int:
        """Pages that are in work or wait."""
        return len(self.asked)

    def make_room(self, turn: float) -> bool:
        """Whether a page with this turn may wait; the last in line gives way if its turn is later."""
        if len(self.asked) < self.max_waiting:
            return True
        waiting = (future for future in self.asked if not future.running())
        last = max(waiting, key=self.asked.__getitem__, default=None)
        return last is not None and self.asked[last] > turn and last.cancel()


class CleaningPool:
    """The workers of one server."""

    def __init__(self, settings: ServerSettings, metrics: Metrics) -> None:
        self.metrics = metrics
        self.large_bytes = settings.large_bytes
        memory, seconds = settings.max_memory // _MB, settings.max_seconds + GRACE
        quick = WorkLimits(min(seconds, settings.quick_seconds), memory, _KEPT_MB)
        self.quick = Lane("pages", _start_workers(settings.workers, quick), settings.max_waiting, metrics.waiting)
        large = WorkLimits(seconds, memory, _KEPT_MB, _NICENESS)
        n_large = max(1, settings.large_workers)
        self.large = Lane("large pages", _start_workers(n_large, large), settings.max_large, metrics.waiting_large)

    @property
    def n_waiting(self) -> int:
        """Pages that are in work or wait."""
        return self.quick.n_waiting + self.large.n_waiting

    async def run(self, work: Callable[[_Task], _Answer | Failure], task: _Task, *, n_bytes: int = 0) -> _Answer:
        """The answer of a worker. n_bytes: of the page. Raises `RequestFailed`."""
        call = Call(work, task)
        start = time.monotonic()
        turn = start + n_bytes / _BYTES_PER_SECOND
        try:
            lane = self.large if n_bytes > self.large_bytes else self.quick
            outcome = await self._ask(lane, call, turn)
            if lane is self.quick and self._needs_more_time(outcome.failure):
                self.metrics.pages.labels("moved").inc()
                outcome = await self._ask(self.large, call, turn)
        finally:
            self.metrics.page_seconds.observe(time.monotonic() - start)
        failure = _find_failure(outcome.failure, outcome.value)
        self.metrics.pages.labels(failure.kind if failure else "done").inc()
        if failure:
            raise RequestFailed(failure)
        return cast("_Answer", outcome.value)

    def _needs_more_time(self, failure: WorkFailure | None) -> bool:
        """Whether a page may be done by the workers for large ones, which have more time."""
        is_late = failure is not None and failure.kind is FailureKind.TIMEOUT
        return is_late and self.quick.pool.limits.seconds < self.large.pool.limits.seconds

    async def _ask(self, lane: Lane, call: Call, turn: float) -> Outcome[Any]:
        """What a worker makes of a call. Raises `RequestFailed` if too many wait already."""
        if not lane.make_room(turn):
            raise self._refuse(lane)
        try:
            asked = lane.pool.submit(call, order=turn)
        except PoolError as error:
            raise fail("no_workers", HTTPStatus.SERVICE_UNAVAILABLE, str(error)) from error
        lane.asked[asked] = turn
        lane.gauge.set(lane.n_waiting)
        try:
            return await asyncio.wrap_future(asked)
        except PoolError as error:
            raise fail("no_workers", HTTPStatus.SERVICE_UNAVAILABLE, str(error)) from error
        except asyncio.CancelledError:
            if _is_being_cancelled():
                raise
            raise self._refuse(lane) from None
        finally:
            del lane.asked[asked]
            lane.gauge.set(lane.n_waiting)

    def _refuse(self, lane: Lane) -> RequestFailed:
        self.metrics.pages.labels("refused").inc()
        told = f"{lane.n_waiting} {lane.name} are waiting already: try again soon"
        return fail("overloaded", HTTPStatus.SERVICE_UNAVAILABLE, told, {"retry-after": "1"})

    async def start(self) -> None:
        """Wait until a worker is ready. Raises `PoolError` if none can start."""
        await asyncio.wrap_future(self.quick.pool.submit(Call(answer_nothing, "")))

    async def is_alive(self) -> bool:
        """Whether a worker answers, or all are at work."""
        if self.quick.n_waiting:
            return True
        try:
            asked = asyncio.wrap_future(self.quick.pool.submit(Call(answer_nothing, ""), seconds=_ALIVE))
            return (await asyncio.wait_for(asked, _ALIVE)).failure is None
        except (PoolError, TimeoutError):
            return False

    def close(self) -> None:
        """End the workers."""
        self.quick.pool.close()
        self.large.pool.close()


def _start_workers(n_workers: int, limits: WorkLimits) -> WorkerPool[Call, Any]:
    return WorkerPool(run_call, jobs=n_workers, limits=limits, preload=["webclean.server.preload"])


def _is_being_cancelled() -> bool:
    """Whether the request itself ends, as when its client has gone."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _find_failure(failure: WorkFailure | None, value: Any) -> Failure | None:
    """What became of a page that has no answer; the message of an unforeseen error is for the log alone."""
    if failure is None:
        return value if isinstance(value, Failure) else None
    kind, status, detail = _TOLD[failure.kind]
    return Failure(kind, status, detail)
