"""The application: which function serves which path, and what every request passes before (`guards`).

And HTTP/1.1 of uvicorn, with a bound on what a client may do before its request is one: ask, and never finish asking.
What comes after the head of a request is bounded by `guards`; before it there is no request yet, and uvicorn waits for
ever. A client that opens connections and sends a header now and then ("Slowloris") would hold all that there are.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any, Final

import h11
import msgspec
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from uvicorn.protocols.http.h11_impl import H11Protocol

from webclean.server import ServerSettings
from webclean.server.api import ENDPOINTS, describe_api, describe_for_people
from webclean.server.guards import AccessMiddleware, BodyLimitMiddleware, ResponseMiddleware, Scope
from webclean.server.html_pages import ROUTES, show
from webclean.server.pool import CONTENT_TYPE
from webclean.server.schema import JSON, PROBLEM, RequestFailed, fail
from webclean.server.service import Service, get_service

_FOR_PROGRAMS: Final = ("/v1/", "/r/", "/healthz", "/metrics", "/openapi.json")


def build_app(settings: ServerSettings | None = None) -> Starlette:
    """The application with these settings; its workers start and end with it."""
    settings = settings or ServerSettings()
    description = msgspec.json.encode(describe_api())

    async def openapi(request: Request) -> Response:
        return Response(description, media_type=JSON)

    routes: list[BaseRoute] = [
        # a URL, with its slashes, is one parameter
        *(Route(one.path.replace("{url}", "{url:path}"), one.serve, methods=[one.method]) for one in ENDPOINTS),
        Route("/openapi.json", openapi),
        Route("/docs", docs),
        *(Route(path, serve, methods=methods.split()) for path, serve, methods in ROUTES),
        Route("/favicon.ico", favicon),
        Mount("/static", StaticFiles(packages=[("webclean.server", "static")])),
        Route("/metrics", metrics),
    ]
    names = {route.endpoint: route.path for route in routes if isinstance(route, Route)}

    @asynccontextmanager
    async def run(app: Starlette) -> AsyncIterator[None]:
        app.state.service = Service.start(settings)
        try:
            await app.state.service.pool.start()
            yield
        finally:
            app.state.service.pool.close()

    guards = [
        Middleware(ResponseMiddleware, write_failure=write_failure, names=names),
        Middleware(AccessMiddleware, settings=settings),
        Middleware(BodyLimitMiddleware, settings=settings),
    ]
    handlers = {HTTPException: _raise_not_served}
    return Starlette(routes=routes, middleware=guards, exception_handlers=handlers, lifespan=run)


async def metrics(request: Request) -> Response:
    """The counters, in the text format of Prometheus."""
    return Response(get_service(request).metrics.write(), media_type=CONTENT_TYPE)


def _raise_not_served(request: Request, error: Exception) -> Response:
    """Raise what the router says (no such path, no such method) in our form."""
    assert isinstance(error, HTTPException)
    raise fail("not_served", HTTPStatus(error.status_code), error.detail, dict(error.headers or {}))


async def favicon(request: Request) -> Response:
    """The icon, for pages that name none."""
    return RedirectResponse("/static/icon.svg", HTTPStatus.PERMANENT_REDIRECT)


async def docs(request: Request) -> Response:
    """The API for people."""
    return show("docs.html", **describe_for_people(describe_api()))


def write_failure(scope: Scope, failed: RequestFailed) -> Response:
    """A failure as a page for browsers that ask for one of ours, else as problem details."""
    wants_page = "text/html" in Headers(scope=scope).get("accept", "") and not scope["path"].startswith(_FOR_PROGRAMS)
    if wants_page:
        described = failed.failure.describe()
        title, detail = described["title"], described["detail"]
        return show("error.html", failed.failure.status, failed.headers, title=title, detail=detail)
    body = msgspec.json.encode(failed.failure.describe())
    return Response(body, failed.failure.status, failed.headers, media_type=PROBLEM)


HEAD_SECONDS: Final = 10.0
"""Seconds in which the head of a request must come, as long as a connection may be idle between two requests."""
MAX_UNASKED: Final = 256
"""Connections without a whole head at a time, half of those that are served: for a further one the oldest is closed.
An honest client sends its head at once, and so is never the oldest of so many."""

_unasked: Final[dict[BoundedProtocol, asyncio.TimerHandle]] = {}
"""Connections that have not sent a whole head, the oldest first, each with the timer that will close it."""


class BoundedProtocol(H11Protocol):
    """A connection that is closed where the head of a request does not come in time."""

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._watch()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._forget()

    def _watch(self) -> None:
        # the client is idle for h11 until its head is whole; bytes of a head do not start the time anew
        if self.conn.their_state is not h11.IDLE or self.transport.is_closing():
            self._forget()
        elif self not in _unasked:
            _unasked[self] = self.loop.call_later(HEAD_SECONDS, self.transport.abort)
            if len(_unasked) > MAX_UNASKED:
                oldest = next(iter(_unasked))
                oldest._forget()
                # the connection of another server in this process has another loop
                oldest.loop.call_soon_threadsafe(oldest.transport.abort)

    def _forget(self) -> None:
        timer = _unasked.pop(self, None)
        if timer is not None:
            timer.cancel()
