"""The application: which function serves which path, and what every request passes before (`guards`)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from webclean.server.failures import RequestFailed, fail
from webclean.server.guards import BodyLimiter, Doorkeeper, Scope, Telling
from webclean.server.metrics import CONTENT_TYPE
from webclean.server.openapi import ENDPOINTS, describe_api
from webclean.server.schema import JSON, PROBLEM
from webclean.server.service import Service, get_service
from webclean.server.settings import ServerSettings


def build_app(settings: ServerSettings | None = None) -> Starlette:
    """The application with these settings; its workers start and end with it."""
    settings = settings or ServerSettings()
    description = msgspec.json.encode(describe_api())

    async def openapi(request: Request) -> Response:
        return Response(description, media_type=JSON)

    routes: list[BaseRoute] = [
        *(Route(_widen(one.path), one.serve, methods=[one.method]) for one in ENDPOINTS),
        Route("/openapi.json", openapi),
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
        Middleware(Telling, tell=tell, names=names),
        Middleware(Doorkeeper, settings=settings),
        Middleware(BodyLimiter, settings=settings),
    ]
    handlers = {HTTPException: _tell_http}
    return Starlette(routes=routes, middleware=guards, exception_handlers=handlers, lifespan=run)


def _widen(path: str) -> str:
    """A path in which a URL, with its slashes, is one parameter."""
    return path.replace("{url}", "{url:path}")


async def metrics(request: Request) -> Response:
    """The counters, in the text format of Prometheus."""
    return Response(get_service(request).metrics.write(), media_type=CONTENT_TYPE)


def _tell_http(request: Request, error: Exception) -> Response:
    """What the router says: no such path, no such method."""
    assert isinstance(error, HTTPException)
    raise fail("not_served", HTTPStatus(error.status_code), error.detail, dict(error.headers or {}))


def tell(scope: Scope, failed: RequestFailed) -> Response:
    """A failure as problem details."""
    body = msgspec.json.encode(failed.failure.describe())
    return Response(body, failed.failure.status, failed.headers, media_type=PROBLEM)
