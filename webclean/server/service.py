"""What all endpoints share: getting a page, cleaning it in a worker process, keeping it, and counting what came of it.

Each page is cleaned within limits of time and memory, so that no page can stop the server. A worker that takes too
long, crashes or runs out of memory is replaced; the others and the pages that wait for them go on. The cleaner's own
limits end nearly all such pages before; these here are for what it does not foresee.

Pages are taken in the order in which they came. Those that wait are bounded in number and in bytes, and a client has so
many pages in a time.

Pages are kept for reading on: the next part, a reload, the same page in the workbench.
"""

from __future__ import annotations

import asyncio
import secrets
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

import anyio
import anyio.to_thread
import msgspec
from cachetools import TTLCache
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.requests import Request

from webclean.errors import FetchError
from webclean.model import Limits
from webclean.server import ServerSettings
from webclean.server.messages import JSON, STATUSES, CleaningOptions, Problem, RequestFailed, describe_error, fail
from webclean.server.tasks import Call, PageTask, answer_nothing, run_call
from webclean.web.fetch import AGENT, Fetched, FetchLimits, fetch_bytes
from webclean.workers import FailureKind, Outcome, PoolError, WorkerPool, WorkLimits

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper limits of the buckets of the histograms of times: from a small page to one at all its limits."""


class Metrics:
    """The counters of one server, for `/metrics`, in a registry of its own: several servers may run in one process.

    Labels have few values: a path is counted by its route, and a failure by its kind.
    """

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        counter, gauge = partial(Counter, registry=registry), partial(Gauge, registry=registry)
        histogram = partial(Histogram, buckets=_SECONDS, registry=registry)
        self.requests = counter("webclean_requests", "Requests answered", ("route", "method", "status"))
        self.seconds = histogram("webclean_request_seconds", "Time to answer a request", ("route",))
        self.pages = counter("webclean_pages", "Pages given to a worker, by what became of them", ("outcome",))
        self.page_seconds = histogram("webclean_page_seconds", "Time to clean a page, with waiting")
        self.fetches = counter("webclean_fetches", "Pages asked of the web, by what became of them", ("outcome",))
        self.waiting = gauge("webclean_waiting", "Pages in work or waiting for a worker")
        self.pictures = gauge("webclean_picture_bytes", "Bytes of pictures of the workbench")
        self.stored = gauge("webclean_stored_bytes", "Bytes of pages kept for reading on")

    def write(self) -> bytes:
        return generate_latest(self.registry)


class RateLimiter:
    """Counts pages per client. Raises `RequestFailed` for a client with too many."""

    def __init__(self, rate: str) -> None:
        self.item: RateLimitItem | None = parse(rate) if rate else None
        self.limiter = SlidingWindowCounterRateLimiter(MemoryStorage())

    def count(self, client: str, n_pages: int = 1) -> None:
        if self.item is None or self.limiter.hit(self.item, client, cost=n_pages):
            return
        reset = self.limiter.get_window_stats(self.item, client).reset_time
        wait = max(1, round(reset - time.time()))
        raise fail("too_many", f"more than {self.item} pages", {"retry-after": str(wait)})


GRACE: Final = 2.0
"""Seconds after the cleaner's own limit of time before its process is killed."""
_ALIVE: Final = 5.0
"""Seconds in which an idle worker answers."""
_PRELOAD: Final = ("webclean.warm", "webclean.server.tasks")
"""Imported by the process that workers are forked from, so that a new worker is ready at once."""
_KEPT_MB: Final = 150
"""Megabytes that a worker may keep from page to page."""
_FAILURES: Final = {
    FailureKind.TIMEOUT: ("took_too_long", "cleaning the page took too long"),
    FailureKind.MEMORY: ("out_of_memory", "cleaning took too much memory"),
    FailureKind.CRASH: ("worker_died", "cleaning the page ended its process"),
    FailureKind.RAISED: ("failed", "cleaning the page failed"),
}
"""Why a worker has no answer -> kind and detail of the problem; the message of an unforeseen error is for the log."""


class CleaningPool:
    """The workers of one server, and the pages that they have or that wait for them."""

    def __init__(self, settings: ServerSettings, metrics: Metrics) -> None:
        self.metrics = metrics
        self.max_waiting, self.max_waiting_bytes = settings.max_waiting, settings.max_waiting_bytes
        limits = WorkLimits(settings.max_seconds + GRACE, settings.max_memory >> 20, _KEPT_MB)
        self.workers: WorkerPool[Call, Any] = WorkerPool(
            run_call, jobs=settings.workers, limits=limits, preload=_PRELOAD
        )
        self.asked: dict[Future[Outcome[Any]], int] = {}
        """Each page that is in work or waits, with its bytes."""

    @property
    def n_waiting(self) -> int:
        return len(self.asked)

    async def run(self, work: Callable[[Any], Any], task: Any, n_bytes: int = 0) -> Any:
        """What `run_call` makes of a function and its task. n_bytes: of the page. Raises `RequestFailed`."""
        start = time.monotonic()
        try:
            outcome = await self._ask(Call(work, task), n_bytes)
        finally:
            self.metrics.page_seconds.observe(time.monotonic() - start)
        problem = outcome.value if isinstance(outcome.value, Problem) else None
        if outcome.failure is not None:
            kind, detail = _FAILURES[outcome.failure.kind]
            problem = Problem(kind, STATUSES[kind], detail)
        self.metrics.pages.labels(problem.kind if problem else "done").inc()
        if problem:
            raise RequestFailed(problem)
        return outcome.value

    async def _ask(self, call: Call, n_bytes: int) -> Outcome[Any]:
        """What a worker makes of a call. Raises `RequestFailed` if too many wait already."""
        held = sum(self.asked.values())
        if self.asked and (self.n_waiting >= self.max_waiting or held + n_bytes > self.max_waiting_bytes):
            self.metrics.pages.labels("refused").inc()
            detail = f"{self.n_waiting} pages are waiting already: try again soon"
            raise fail("overloaded", detail, {"retry-after": "1"})
        asked = None
        try:
            asked = self.workers.submit(call)
            self.asked[asked] = n_bytes
            self.metrics.waiting.set(self.n_waiting)
            return await asyncio.wrap_future(asked)
        except PoolError as error:
            raise fail("no_workers", str(error)) from error
        finally:
            if asked is not None:
                del self.asked[asked]
            self.metrics.waiting.set(self.n_waiting)

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
        self.workers.close()


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it came. url: after redirects, if it was fetched. status: of the fetch, else 200."""

    html: bytes | str
    url: str | None = None
    charset: str | None = None
    status: int = 200


class PageStore:
    """Pages by a key that cannot be guessed, or by their URL; those longest unused go first."""

    def __init__(self, max_bytes: int, seconds: float, gauge: Gauge) -> None:
        self._pages: TTLCache[str, Page] = TTLCache(max_bytes, seconds, getsizeof=_measure)
        self._lock = threading.Lock()
        self._gauge = gauge

    def put(self, page: Page, key: str | None = None) -> str:
        """Keep a page; its key. A page that is larger than all that may be kept is not."""
        key = key or secrets.token_urlsafe(18)
        with self._lock:
            if _measure(page) <= self._pages.maxsize:
                self._pages[key] = page
            self._gauge.set(self._pages.currsize)
        return key

    def get(self, key: str) -> Page | None:
        with self._lock:
            return self._pages.get(key)


def _measure(page: Page) -> int:
    """Bytes that a page takes, roughly."""
    return len(page.html) * (1 if isinstance(page.html, bytes) else 2) + 1_000


_Asked = TypeVar("_Asked", bound=msgspec.Struct)


class Service:
    """The parts of one running server. It starts the workers: make it inside an event loop."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings, self.metrics = settings, Metrics()
        self.pool, self.rate = CleaningPool(settings, self.metrics), RateLimiter(settings.rate)
        self.store = PageStore(settings.max_stored, settings.stored_seconds, self.metrics.stored)
        self.pictures = PageStore(settings.max_stored, settings.stored_seconds, self.metrics.pictures)
        self.fetch_slots = anyio.CapacityLimiter(settings.max_fetches)

    async def fetch(self, url: str, seconds: float | None = None) -> Page:
        """Fetch a page of the web. seconds: at most those of the settings. Raises `RequestFailed`."""
        settings = self.settings
        limits = FetchLimits(
            max_bytes=settings.max_bytes,
            max_seconds=min(seconds or settings.fetch_seconds, settings.fetch_seconds),
            allow_private=settings.allow_private,
        )
        try:
            found: Fetched = await anyio.to_thread.run_sync(
                partial(fetch_bytes, url, limits), limiter=self.fetch_slots, abandon_on_cancel=True
            )
        except FetchError as error:
            self.metrics.fetches.labels("failed").inc()
            raise RequestFailed(describe_error(error)) from error
        self.metrics.fetches.labels("done").inc()
        return Page(found.body, found.url, found.charset, found.status)

    async def find_page(self, url: str | None, html: bytes | str | None, charset: str | None = None) -> Page:
        """The page of a request: what was sent, else fetched from its URL. Raises `RequestFailed`."""
        if html is not None:
            return Page(html, url, charset)
        if not url:
            raise fail("wrong_input", "neither `url` nor `html` is given")
        return await self.fetch(url)

    async def find_stored(self, key: str, url: str) -> Page:
        """The page that is kept under a key, or at a URL, which is fetched if it is not. Raises `RequestFailed`."""
        page = self.store.get(key or f"url {url}")
        if page is not None:
            return page
        if key:
            raise fail("gone", "this page is no longer kept here: open it anew")
        page = await self.find_page(url, None)
        self.store.put(page, f"url {url}")
        return page

    async def clean(self, work: Callable[[PageTask], Any], page: Page, options: CleaningOptions) -> Any:
        """The answer of a worker about a page. Raises `RequestFailed`."""
        return await self.pool.run(work, self.describe_task(page, options), len(page.html))

    def describe_task(self, page: Page, options: CleaningOptions) -> PageTask:
        settings = self.settings
        limits = Limits(max_bytes=settings.max_bytes, max_seconds=settings.max_seconds)
        return PageTask(page.html, page.url, options.charset or page.charset, options, settings.rule_paths, limits)

    def admit(self, request: Request, n_pages: int = 1) -> None:
        """Count pages for the client of a request. Raises `RequestFailed` for too many, and for a server that asks
        itself."""
        if request.headers.get("user-agent", "") == AGENT:
            raise fail("loop", "this server is not fetched by itself")
        self.rate.count(request.client.host if request.client else "", n_pages)


def get_service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def read_media_type(request: Request) -> tuple[str, str]:
    """The media type of a body in lower case, and its charset or ''."""
    media_type, _, parameters = request.headers.get("content-type", "").partition(";")
    return media_type.strip().lower(), parameters.partition("charset=")[2].strip("\"' ").lower()


async def read_json(request: Request, kind: type[_Asked]) -> _Asked:
    """The body of a request as one of the types of `schema`. Raises `RequestFailed`."""
    media_type, _ = read_media_type(request)
    if media_type != JSON:
        raise fail("wrong_type", f"send {JSON}, not {media_type or 'nothing'}")
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    # a few thousand brackets are deeper than the decoder goes
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise fail("wrong_input", str(error)) from error
