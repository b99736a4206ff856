"""What all endpoints of a server share: its settings and workers, getting a page, cleaning it, and keeping it.

Pages are kept for reading on: the next part, a reload, the same page in the workbench.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Final, TypeVar

import anyio
import anyio.to_thread
import msgspec
from cachetools import TTLCache
from prometheus_client import Gauge
from starlette.requests import Request

from webclean.errors import FetchError
from webclean.model import Limits
from webclean.server import ServerSettings
from webclean.server.guards import RateLimiter
from webclean.server.pool import CleaningPool, Metrics
from webclean.server.schema import JSON, CleaningOptions, PageRequest, Problem, describe_error, fail
from webclean.server.tasks import PageTask
from webclean.version import __version__
from webclean.web.fetch import Fetched, FetchLimits, fetch_bytes


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
        """The page of a key, if it is still kept."""
        with self._lock:
            return self._pages.get(key)


def _measure(page: Page) -> int:
    """Bytes that a page takes, roughly."""
    return len(page.html) * (1 if isinstance(page.html, bytes) else 2) + 1_000


_Asked = TypeVar("_Asked", bound=msgspec.Struct)
_Answer = TypeVar("_Answer")
_Task = TypeVar("_Task")
_client: ContextVar[str] = ContextVar("client", default="")
"""Who asks, in the course of one request."""

AGENT: Final = f"webclean/{__version__}"
"""What fetching calls itself; a request of this name is a server that asks itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Service:
    """The parts of one running server."""

    settings: ServerSettings
    metrics: Metrics
    pool: CleaningPool
    rate: RateLimiter
    store: PageStore
    pictures: PageStore
    fetch_slots: anyio.CapacityLimiter

    @classmethod
    def start(cls, settings: ServerSettings) -> Service:
        """Start the workers. Call inside an event loop."""
        metrics = Metrics()
        slots = anyio.CapacityLimiter(settings.max_fetches)
        store = PageStore(settings.max_stored, settings.stored_seconds, metrics.stored)
        pictures = PageStore(settings.max_stored, settings.stored_seconds, metrics.pictures)
        pool, rate = CleaningPool(settings, metrics), RateLimiter(settings.rate)
        return cls(settings, metrics, pool, rate, store, pictures, slots)

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
            failure = describe_error(error)
            raise fail(failure.kind, HTTPStatus(failure.status), failure.detail) from error
        self.metrics.fetches.labels("done").inc()
        return Page(found.body, found.url, found.charset, found.status)

    async def find_page(self, url: str | None, html: bytes | str | None, charset: str | None = None) -> Page:
        """The page of a request: what was sent, else fetched from its URL. Raises `RequestFailed`."""
        if html is not None:
            return Page(html, url, charset)
        if not url:
            raise fail("wrong_input", HTTPStatus.UNPROCESSABLE_ENTITY, "neither `url` nor `html` is given")
        return await self.fetch(url)

    async def find_stored(self, key: str, url: str) -> Page:
        """The page that is kept under a key, or at a URL, which is fetched if it is not. Raises `RequestFailed`."""
        page = self.store.get(key or f"url {url}")
        if page is not None:
            return page
        if key:
            raise fail("gone", HTTPStatus.GONE, "this page is no longer kept here: open it anew")
        page = await self.find_page(url, None)
        self.store.put(page, f"url {url}")
        return page

    async def clean(
        self, work: Callable[[PageTask], _Answer | Problem], page: Page, options: CleaningOptions
    ) -> _Answer:
        """The answer of a worker about a page. Raises `RequestFailed`."""
        return await self.run(work, self.describe_task(page, options), len(page.html))

    async def run(self, work: Callable[[_Task], _Answer | Problem], task: _Task, n_bytes: int) -> _Answer:
        """The answer of a worker to the client of this request. n_bytes: of the page. Raises `RequestFailed`."""
        return await self.pool.run(work, task, n_bytes=n_bytes, client=_client.get())

    def describe_task(self, page: Page, options: CleaningOptions) -> PageTask:
        """What a worker gets of a page."""
        settings = self.settings
        return PageTask(
            page.html,
            page.url,
            options.charset or page.charset,
            options,
            settings.rule_paths,
            Limits(max_bytes=settings.max_bytes, max_seconds=settings.max_seconds),
            formats=options.formats if isinstance(options, PageRequest) else (),
            reasons=isinstance(options, PageRequest) and options.reasons,
        )

    def admit(self, request: Request, n_pages: int = 1) -> None:
        """Count pages for the client of a request, whose they are from here on. Raises `RequestFailed` for too many,
        and for a server that asks itself."""
        if request.headers.get("user-agent", "") == AGENT:
            raise fail("loop", HTTPStatus.LOOP_DETECTED, "this server is not fetched by itself")
        client = request.client.host if request.client else ""
        self.rate.count(client, n_pages)
        _client.set(client)


def get_service(request: Request) -> Service:
    """The service of the app that a request came to."""
    service: Service = request.app.state.service
    return service


async def read_json(request: Request, kind: type[_Asked]) -> _Asked:
    """The body of a request as one of the types of `schema`. Raises `RequestFailed`."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != JSON:
        raise fail("wrong_type", HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"send {JSON}, not {media_type or 'nothing'}")
    try:
        return msgspec.json.decode(await request.body(), type=kind)
    # a few thousand brackets are deeper than the decoder goes
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise fail("wrong_input", HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error
