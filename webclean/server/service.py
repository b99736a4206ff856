"""What all endpoints share: getting a page, cleaning it in a worker process, keeping it, and counting what came of it.

Each page is cleaned within limits of time and memory, so that no page can stop the server. A worker that takes too
long, crashes or runs out of memory is replaced; the others and the pages that wait for them go on. The cleaner's own
limits end nearly all such pages before; these here are for what it does not foresee.

    page ── waits its turn ──> worker ── done in `quick_seconds` ──> answer
                                  └─ not yet: begins anew in a slow worker, at low priority ──> answer

Nobody knows what a page costs before it is cleaned: its size says little (ordinary pages of a megabyte take a tenth of
a second, some that are made to cost a hundred times that). So every page has the same short time at full speed. One
that needs more waits for one of a few workers that stand back for the others. So a client that sends costly pages takes
from the others the short time of each. The time of a page is that of the processor, however many are cleaned beside it.

Pages are taken in the order of their turns, times that are a little later the larger a page is and the more pages its
client has here already. Those that wait are bounded in number and in bytes; one with an earlier turn takes the place of
the last in line, so a client with many pages does not keep those of others out.

Pages are kept for reading on: the next part, a reload, the same page in the workbench.
"""

from __future__ import annotations

import asyncio
import hmac
import logging
import secrets
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

import anyio
import anyio.to_thread
import msgspec
from cachetools import TTLCache
from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.requests import Request

from webclean.errors import FetchError, InputError
from webclean.model import Limits
from webclean.server import ServerSettings
from webclean.server.messages import JSON, CleaningOptions, ProblemObject, RequestFailed, describe_problem, fail
from webclean.server.tasks import PageTask, run_call
from webclean.web.fetch import FetchLimits, fetch_bytes
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


GRACE: Final = 2.0
"""Seconds after the cleaner's own limit of time before its process is killed."""
_PATIENCE: Final = 40
"""Times of its processor time that a page may take in all, where others leave it little of the processor."""
_NICENESS: Final = 10
"""How far slow workers stand back: of a processor that others want too they have a tenth."""
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
_FAILURES: Final = {
    FailureKind.TIMEOUT: ("took_too_long", "cleaning the page took too long"),
    FailureKind.MEMORY: ("out_of_memory", "cleaning took too much memory"),
    FailureKind.CRASH: ("worker_died", "cleaning the page ended its process"),
    FailureKind.RAISED: ("failed", "cleaning the page failed"),
}
"""Why a worker has no answer -> kind and detail of the problem; the message of an unforeseen error is for the log."""


_log: Final = logging.getLogger("webclean.server")
Call = Callable[[], Any]
"""A function of `server.tasks` with its task; an empty text shows that a worker is alive."""


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
        cpu = settings.max_seconds + GRACE
        slow = WorkLimits(_PATIENCE * cpu, settings.max_memory, _KEPT_MB, cpu, _NICENESS)
        quick = replace(slow, cpu_seconds=min(cpu, settings.quick_seconds), niceness=0)
        self.workers, self.slow_workers = (
            WorkerPool[Call, Any](run_call, jobs=jobs, limits=limits, preload=_PRELOAD)
            for jobs, limits in ((settings.workers, quick), (max(1, settings.slow_workers), slow))
        )
        self.asked: dict[Future[Outcome[Any]], Waiting] = {}
        metrics.waiting.set_function(self.asked.__len__)

    @property
    def n_waiting(self) -> int:
        return len(self.asked)

    async def run(self, work: Callable[[Any], Any], task: Any, *, n_bytes: int = 0, client: str = "") -> Any:
        """What `run_call` makes of a function and its task. n_bytes: of the page. client: who asks. Raises
        `RequestFailed`."""
        start = time.monotonic()
        n_before = sum(waiting.client == client for waiting in self.asked.values())
        place = Waiting(start + n_bytes / _BYTES_PER_SECOND + n_before / _PAGES_PER_SECOND, n_bytes, client)
        try:
            outcome = await self._ask(partial(work, task), place)
        finally:
            self.metrics.page_seconds.observe(time.monotonic() - start)
        problem = outcome.value if isinstance(outcome.value, ProblemObject) else None
        if outcome.failure is not None:
            _log.error("%s: %s %s", outcome.failure.kind, outcome.failure.error, outcome.failure.message)
            problem = describe_problem(*_FAILURES[outcome.failure.kind])
        self.metrics.pages.labels(problem.kind if problem else "done").inc()
        if problem:
            raise RequestFailed(problem)
        return outcome.value

    async def _ask(self, call: Call, place: Waiting) -> Outcome[Any]:
        """What a worker makes of a call. Raises `RequestFailed` if too many wait already."""
        if not self._make_room(place):
            raise self._refuse()
        outcome = await self._hand(self.workers, call, place, place.turn)
        if outcome.failure is not None and outcome.failure.kind is FailureKind.TIMEOUT:
            # it is given up for no other
            outcome = await self._hand(self.slow_workers, call, place._replace(turn=0.0), place.turn)
        return outcome

    async def _hand(self, workers: WorkerPool[Call, Any], call: Call, place: Waiting, order: float) -> Outcome[Any]:
        asked = None
        try:
            asked = workers.submit(call, order=order)
            self.asked[asked] = place
            return await asyncio.wrap_future(asked)
        except PoolError as error:
            raise fail("no_workers", str(error)) from error
        except asyncio.CancelledError:
            task = asyncio.current_task()
            # the request itself ends, as when its client has gone
            if task is not None and task.cancelling() > 0:
                raise
            raise self._refuse() from None
        finally:
            if asked is not None:
                del self.asked[asked]

    def _make_room(self, place: Waiting) -> bool:
        """Whether a page may wait; those last in line give way to an earlier turn, if that makes room enough."""
        later = [future for future, one in self.asked.items() if one.turn > place.turn and not future.running()]
        later.sort(key=self.asked.__getitem__)
        left = dict(self.asked)
        while left and (
            len(left) >= self.max_waiting
            or sum(one.n_bytes for one in left.values()) + place.n_bytes > self.max_waiting_bytes
        ):
            if not later:
                return False
            del left[later.pop()]
        for future in self.asked.keys() - left.keys():
            future.cancel()
        return True

    def _refuse(self) -> RequestFailed:
        self.metrics.pages.labels("refused").inc()
        return fail("overloaded", f"{self.n_waiting} pages are waiting already: try again soon", {"retry-after": "1"})

    async def start(self) -> None:
        """Wait until a worker is ready. Raises `PoolError` if none can start."""
        await asyncio.wrap_future(self.workers.submit(str))

    async def is_alive(self) -> bool:
        """Whether a worker answers, or all are at work."""
        if self.n_waiting:
            return True
        try:
            asked = asyncio.wrap_future(self.workers.submit(str, seconds=_ALIVE))
            return (await asyncio.wait_for(asked, _ALIVE)).failure is None
        except (PoolError, TimeoutError):
            return False

    def close(self) -> None:
        self.workers.close()
        self.slow_workers.close()


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it came. url: after redirects, if it was fetched."""

    html: bytes | str
    url: str | None = None
    charset: str | None = None


class PageStore:
    """Pages by a key that cannot be guessed, or by their URL; those longest unused go first. For the event loop."""

    def __init__(self, max_bytes: int, seconds: float, gauge: Gauge) -> None:
        self._pages: TTLCache[str, Page] = TTLCache(max_bytes, seconds, getsizeof=_measure)
        gauge.set_function(lambda: self._pages.currsize)

    def put(self, page: Page, key: str | None = None) -> str:
        """Keep a page; its key. A page that is larger than all that may be kept is not."""
        key = key or secrets.token_urlsafe(18)
        if _measure(page) <= self._pages.maxsize:
            self._pages[key] = page
        return key

    def get(self, key: str) -> Page | None:
        return self._pages.get(key)


def _measure(page: Page) -> int:
    """Bytes that a page takes, roughly."""
    return len(page.html) * (1 if isinstance(page.html, bytes) else 2) + 1_000


_Asked = TypeVar("_Asked", bound=msgspec.Struct)
_client: ContextVar[str] = ContextVar("client", default="")
"""Who asks, in the course of one request."""


class Service:
    """The parts of one running server. It starts the workers: make it inside an event loop."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings, self.metrics = settings, Metrics()
        self.pool = CleaningPool(settings, self.metrics)
        self.rate = read_rate(settings.rate)
        self.limiter = SlidingWindowCounterRateLimiter(MemoryStorage())
        self.store = PageStore(settings.max_stored, settings.stored_seconds, self.metrics.stored)
        self.pictures = PageStore(settings.max_stored, settings.stored_seconds, self.metrics.pictures)
        self.saving = asyncio.Lock()
        self.fetch_slots = anyio.CapacityLimiter(settings.max_fetches)

    async def find_page(self, url: str | None, html: bytes | str | None, charset: str | None = None) -> Page:
        """The page of a request: what was sent, else fetched from its URL. Raises `RequestFailed`."""
        if html is not None:
            return Page(html, url, charset)
        if not url:
            raise fail("wrong_input", "neither `url` nor `html` is given")
        given = self.settings
        limits = FetchLimits(
            max_bytes=given.max_bytes, max_seconds=given.fetch_seconds, allow_private=given.allow_private
        )
        try:
            found = await anyio.to_thread.run_sync(
                partial(fetch_bytes, url, limits), limiter=self.fetch_slots, abandon_on_cancel=True
            )
        except FetchError as error:
            self.metrics.fetches.labels("failed").inc()
            raise fail("not_fetched", str(error)) from error
        self.metrics.fetches.labels("done").inc()
        return Page(found.body, found.url, found.charset)

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
        return await self.run(work, self.describe_task(page, options), len(page.html))

    async def run(self, work: Callable[[Any], Any], task: Any, n_bytes: int) -> Any:
        """The answer of a worker to the client of this request. n_bytes: of the page. Raises `RequestFailed`."""
        return await self.pool.run(work, task, n_bytes=n_bytes, client=_client.get())

    def describe_task(self, page: Page, options: CleaningOptions) -> PageTask:
        settings = self.settings
        limits = Limits(max_bytes=settings.max_bytes, max_seconds=settings.max_seconds, of_processor=True)
        return PageTask(page.html, page.url, options.charset or page.charset, options, settings.rule_paths, limits)

    def admit(self, request: Request) -> None:
        """Count a page for the client of a request, whose it is from here on. Raises `RequestFailed` for too many."""
        client = request.client.host if request.client else ""
        if self.rate is not None and not self.limiter.hit(self.rate, client):
            raise self._refuse(self.rate, client, "pages")
        _client.set(client)

    def check_token(self, client: str, given: str, wanted: str) -> bool:
        """Whether a token is the one that is wanted. A client that gave too many wrong ones is not told for a while:
        raises `RequestFailed`."""
        who = f"token {client}"
        if not self.limiter.test(_WRONG_TOKENS, who):
            raise self._refuse(_WRONG_TOKENS, who, "wrong tokens")
        is_right = hmac.compare_digest(given.encode(), wanted.encode())
        if not is_right:
            self.limiter.hit(_WRONG_TOKENS, who)
        return is_right

    def _refuse(self, rate: RateLimitItem, who: str, what: str) -> RequestFailed:
        wait = max(1, round(self.limiter.get_window_stats(rate, who).reset_time - time.time()))
        return fail("too_many", f"more than {rate} {what}", {"retry-after": str(wait)})


def read_rate(text: str) -> RateLimitItem | None:
    """`1200/minute`; None for `none`. Raises `InputError`."""
    try:
        return parse(text) if text != "none" else None
    except ValueError as error:
        raise InputError(f"{text!a} is no rate: such as 1200/minute, or none") from error


_WRONG_TOKENS: Final = parse("100/minute")


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
