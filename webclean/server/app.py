"""The application: which function serves which path, and what every request passes before (`guards`)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Final

import msgspec
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from webclean.server import inspect, reading
from webclean.server.api import ENDPOINTS, describe_api, describe_for_people
from webclean.server.failures import RequestFailed, fail
from webclean.server.guards import AccessMiddleware, BodyLimitMiddleware, ResponseMiddleware, Scope
from webclean.server.pool import CONTENT_TYPE
from webclean.server.reading import login, show
from webclean.server.schema import JSON, PROBLEM
from webclean.server.service import Service, get_service
from webclean.server.settings import ServerSettings

_FOR_PROGRAMS: Final = ("/v1/", "/r/", "/healthz", "/metrics", "/openapi.json")


def build_app(settings: ServerSettings | None = None) -> Starlette:
    """The application with these settings; its workers start and end with it."""
    settings = settings or ServerSettings()
    description = msgspec.json.encode(describe_api())

    async def openapi(request: Request) -> Response:
        return Response(description, media_type=JSON)

    routes: list[BaseRoute] = [
        *(Route(_widen(one.path), one.serve, methods=[one.method]) for one in ENDPOINTS),
        Route("/openapi.json", openapi),
        Route("/docs", docs),
        Route("/", reading.home),
        Route("/open", reading.open_page, methods=["POST"]),
        Route("/read", reading.read),
        *(Route(path, serve, methods=[method]) for path, serve, method in inspect.ROUTES),
        Route("/login", login, methods=["GET", "POST"]),
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


def _widen(path: str) -> str:
    """A path in which a URL, with its slashes, is one parameter."""
    return path.replace("{url}", "{url:path}")


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
