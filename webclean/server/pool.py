"""Cleaning in worker processes, each page within limits of time and memory, so that no page can stop the server.

A worker that takes too long, crashes or runs out of memory is replaced; the others and the pages that wait for them go
on. The cleaner's own limits end nearly all such pages before; these here are for what it does not foresee.

    page ── waits its turn ──> worker ── done in `quick_seconds` ──> answer
                                  └─ not yet: goes on aside, at low priority ──> answer, or gives way

Nobody knows what a page costs before it is cleaned: its size says little (ordinary pages of a megabyte take a tenth of
a second, some that are made to cost a hundred times that). So every page has the same short time at full speed. One
that needs more goes on aside, at about a tenth of the processor, and a new worker serves the next. Few can be aside,
for each holds memory; where there is no room, the client with the most loses the page that has been served most
(`workers.Aside`). So a client that sends costly pages takes from the others the short time of each, and no more.

Pages are taken in the order of their turns, times that are a little later the larger a page is and the more pages its
client has here already. Those that wait are bounded in number and in bytes; one with an earlier turn takes the place of
the last in line, so a client with many pages does not keep those of others out.

What is counted and measured is for `/metrics`, in the text format of Prometheus. Labels have few values: a path is
counted by its route, and a failure by its kind.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future
from http import HTTPStatus
from typing import Any, Final, NamedTuple, TypeVar, cast

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from webclean.server import ServerSettings
from webclean.server.schema import Problem, RequestFailed, fail
from webclean.server.tasks import answer_nothing
from webclean.workers import Aside, FailureKind, Outcome, PoolError, WorkerPool, WorkLimits

CONTENT_TYPE = CONTENT_TYPE_LATEST
_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper limits of the buckets of the histograms of times: from a small page to one at all its limits."""


class Metrics:
    """The counters of one server, in a registry of its own: several servers may run in one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "webclean_requests", "Requests answered", ("route", "method", "status"), registry=self.registry
        )
        self.seconds = Histogram(
            "webclean_request_seconds", "Time to answer a request", ("route",), buckets=_SECONDS, registry=self.registry
        )
        self.pages = Counter(
            "webclean_pages", "Pages given to a worker, by what became of them", ("outcome",), registry=self.registry
        )
        self.page_seconds = Histogram(
            "webclean_page_seconds", "Time to clean a page, with waiting", buckets=_SECONDS, registry=self.registry
        )
        self.fetches = Counter(
            "webclean_fetches", "Pages asked of the web, by what became of them", ("outcome",), registry=self.registry
        )
        self.waiting = Gauge("webclean_waiting", "Pages in work or waiting for a worker", registry=self.registry)
        self.slow = Gauge("webclean_slow", "Pages in work aside, for they take long", registry=self.registry)
        self.pictures = Gauge("webclean_picture_bytes", "Bytes of pictures of the workbench", registry=self.registry)
        self.stored = Gauge("webclean_stored_bytes", "Bytes of pages kept for reading on", registry=self.registry)

    def write(self) -> bytes:
        """All values, in the text format."""
        return generate_latest(self.registry)


_Task = TypeVar("_Task")
_Answer = TypeVar("_Answer")

GRACE: Final = 2.0
"""Seconds after the cleaner's own limit of time before its process is killed."""
_MB: Final = 1 << 20
_ALIVE: Final = 5.0
"""Seconds in which an idle worker answers."""
_BYTES_PER_SECOND: Final = 2_000_000
"""A page of so many bytes waits a second longer than an empty one that came with it, at most."""
_PAGES_PER_SECOND: Final = 4
"""A client that has so many pages here waits a second longer for one more, at most."""
_PRELOAD: Final = ("webclean.warm", "webclean.server.tasks")
"""Imported by the process that workers are forked from, so that a new worker is ready at once."""
_KEPT_MB: Final = 150
"""Megabytes that a worker may keep from page to page."""
_ANSWERS: Final = {
    FailureKind.TIMEOUT: ("took_too_long", HTTPStatus.GATEWAY_TIMEOUT, "cleaning the page took too long"),
    FailureKind.MEMORY: ("out_of_memory", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "cleaning took too much memory"),
    FailureKind.CRASH: ("worker_died", HTTPStatus.INTERNAL_SERVER_ERROR, "cleaning the page ended its process"),
    FailureKind.CROWDED: (
        "overloaded",
        HTTPStatus.SERVICE_UNAVAILABLE,
        "cleaning the page took long, and more pages came",
    ),
    FailureKind.RAISED: ("failed", HTTPStatus.INTERNAL_SERVER_ERROR, "cleaning the page failed"),
}


class Call(NamedTuple):
    """A function of `tasks` and what it is called with."""

    work: Callable[[Any], Any]
    task: Any


def run_call(call: Call) -> Any:
    """What every worker runs."""
    return call.work(call.task)


class Waiting(NamedTuple):
    """A page that is in work or waits: when its turn comes at the latest, its bytes, and who asks."""

    turn: float
    n_bytes: int
    client: str


class CleaningPool:
    """The workers of one server, and the pages that they have or that wait for them."""

    def __init__(self, settings: ServerSettings, metrics: Metrics) -> None:
        self.metrics = metrics
        self.max_waiting, self.max_waiting_bytes = settings.max_waiting, settings.max_waiting_bytes
        memory, seconds = settings.max_memory // _MB, settings.max_seconds + GRACE
        aside = Aside(settings.quick_seconds, settings.slow_workers, memory)
        limits = WorkLimits(seconds, memory, _KEPT_MB, aside)
        self.workers: WorkerPool[Call, Any] = WorkerPool(
            run_call, jobs=settings.workers, limits=limits, preload=_PRELOAD
        )
        self.asked: dict[Future[Outcome[Any]], Waiting] = {}
        metrics.slow.set_function(lambda: self.workers.n_aside)

    @property
    def n_waiting(self) -> int:
        """Pages that are in work or wait."""
        return len(self.asked)

    async def run(
        self, work: Callable[[_Task], _Answer | Problem], task: _Task, *, n_bytes: int = 0, client: str = ""
    ) -> _Answer:
        """The answer of a worker. n_bytes: of the page. client: who asks. Raises `RequestFailed`."""
        start = time.monotonic()
        n_before = sum(waiting.client == client for waiting in self.asked.values())
        place = Waiting(start + n_bytes / _BYTES_PER_SECOND + n_before / _PAGES_PER_SECOND, n_bytes, client)
        try:
            outcome = await self._ask(Call(work, task), place)
        finally:
            self.metrics.page_seconds.observe(time.monotonic() - start)
        failure = outcome.value if isinstance(outcome.value, Problem) else None
        if outcome.failure is not None:  # the message of an unforeseen error is for the log alone
            failure = Problem(*_ANSWERS[outcome.failure.kind])
        self.metrics.pages.labels(failure.kind if failure else "done").inc()
        if failure:
            raise RequestFailed(failure)
        return cast("_Answer", outcome.value)

    async def _ask(self, call: Call, place: Waiting) -> Outcome[Any]:
        """What a worker makes of a call. Raises `RequestFailed` if too many wait already."""
        if not self._make_room(place):
            raise self._refuse()
        try:
            asked = self.workers.submit(call, order=place.turn, owner=place.client)
        except PoolError as error:
            raise fail("no_workers", HTTPStatus.SERVICE_UNAVAILABLE, str(error)) from error
        self.asked[asked] = place
        self.metrics.waiting.set(self.n_waiting)
        try:
            return await asyncio.wrap_future(asked)
        except PoolError as error:
            raise fail("no_workers", HTTPStatus.SERVICE_UNAVAILABLE, str(error)) from error
        except asyncio.CancelledError:
            task = asyncio.current_task()
            # the request itself ends, as when its client has gone
            if task is not None and task.cancelling() > 0:
                raise
            raise self._refuse() from None
        finally:
            del self.asked[asked]
            self.metrics.waiting.set(self.n_waiting)

    def _make_room(self, place: Waiting) -> bool:
        """Whether a page may wait; those last in line give way to an earlier turn, if that makes room enough."""
        n_pages, n_bytes = len(self.asked), sum(waiting.n_bytes for waiting in self.asked.values()) + place.n_bytes
        later = [future for future, waiting in self.asked.items() if waiting.turn > place.turn and not future.running()]
        later.sort(key=self.asked.__getitem__)
        leaving = []
        while n_pages and (n_pages >= self.max_waiting or n_bytes > self.max_waiting_bytes):
            if not later:
                return False
            leaving.append(later.pop())
            n_pages, n_bytes = n_pages - 1, n_bytes - self.asked[leaving[-1]].n_bytes
        for future in leaving:
            future.cancel()
        return True

    def _refuse(self) -> RequestFailed:
        self.metrics.pages.labels("refused").inc()
        detail = f"{self.n_waiting} pages are waiting already: try again soon"
        return fail("overloaded", HTTPStatus.SERVICE_UNAVAILABLE, detail, {"retry-after": "1"})

    async def start(self) -> None:
        """Wait until a worker is ready. Raises `PoolError` if none can start."""
        await asyncio.wrap_future(self.workers.submit(Call(answer_nothing, "")))

    async def is_alive(self) -> bool:
        """Whether a worker answers, or all are at work."""
        if self.n_waiting:
            return True
        try:
            asked = asyncio.wrap_future(self.workers.submit(Call(answer_nothing, ""), seconds=_ALIVE))
            return (await asyncio.wait_for(asked, _ALIVE)).failure is None
        except (PoolError, TimeoutError):
            return False

    def close(self) -> None:
        """End the workers."""
        self.workers.close()
