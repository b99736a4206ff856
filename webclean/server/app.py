"""The application: which function serves which path, and what every request passes before it is served.

The guard is a pure ASGI middleware: who asks, from where, and how large it is. A web page that a user of a server on
the loopback address looks at may send requests to it too, so names in `Host` are checked (DNS rebinding) and requests
that change or cost something must not come from other sites (`Origin`, `Sec-Fetch-Site`).

Before the head of a request there is no request yet, and uvicorn waits for ever: a client that opens connections and
sends a header now and then ("Slowloris") would hold all that there are. `BoundedProtocol` bounds what a client may do
until then.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from base64 import b64decode
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from contextlib import asynccontextmanager
from ipaddress import ip_network
from typing import Any, Final

import h11
import msgspec
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from webclean.errors import InputError
from webclean.parse.url import split_url
from webclean.rules import open_rules
from webclean.server import ServerSettings
from webclean.server.api import ENDPOINTS, describe_api
from webclean.server.html_pages import ROUTES, show
from webclean.server.messages import HTTP, JSON, PROBLEM, RequestFailed, describe_problem, fail
from webclean.server.service import Metrics, Service, get_service, read_rate
from webclean.web.fetch import AGENT

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_COSTLY: Final = ("/r/", "/read", "/inspect", "/v1/")
_FOR_PROGRAMS: Final = ("/v1/", "/r/", "/healthz", "/metrics", "/openapi.json")
OPEN_PATHS: Final = ("/healthz", "/static/")
"""Served without a token."""
_CHALLENGE: Final = 'Basic realm="webclean", charset="UTF-8"'
"""Browsers ask their user for the token, as the password of any name, and send it again by themselves until they are
closed (RFC 7617). Programs send it as bearer (RFC 6750), which is not named here: Chromium knows no two in one line."""
SLOW_BODY: Final = 20.0
"""Seconds that sending a request may take beyond those for cleaning a page."""

_log: Final = logging.getLogger("webclean.server")


def write_failure(scope: Scope, failed: RequestFailed) -> Response:
    """A failure as a page for browsers that ask for one of ours, else as problem details."""
    problem = failed.failure
    if "text/html" in Headers(scope=scope).get("accept", "") and not scope["path"].startswith(_FOR_PROGRAMS):
        return show("error.html", problem.status, failed.headers, title=problem.title, detail=problem.detail)
    return Response(msgspec.json.encode(problem), problem.status, failed.headers, media_type=PROBLEM)


class Guard:
    """What each request passes, and each response. Checks who asks, and bounds size and time of what is sent. Turns
    failures into responses, adds the headers of security to every response, counts and times it.

    names: endpoint -> the path it is counted by.
    """

    def __init__(self, app: App, *, settings: ServerSettings, names: Mapping[Any, str]) -> None:
        self.app, self.settings, self.names = app, settings, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        start = time.monotonic()
        status = 0

        async def send_guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(raw=message["headers"])
                for name, value in HTTP["security"].items():
                    headers.setdefault(name, value)
                headers.setdefault("content-security-policy", HTTP["policies"]["own"])
            await send(message)

        try:
            headers = Headers(scope=scope)
            self._check_access(scope, headers)
            await self.app(scope, self._bound_body(headers, receive), send_guarded)
        except RequestFailed as failed:
            await write_failure(scope, failed)(scope, receive, send_guarded)
        except Exception:
            _log.exception("%s %s", scope["method"], scope["path"])
            unforeseen = fail("failed", "the server failed")
            if not status:
                await write_failure(scope, unforeseen)(scope, receive, send_guarded)
        finally:
            route = self.names.get(scope.get("endpoint"), "none")
            metrics: Metrics = scope["app"].state.service.metrics
            # clients may send any word as method, and a label has few
            method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "OPTIONS") else "other"
            metrics.requests.labels(route, method, status).inc()
            metrics.seconds.labels(route).observe(time.monotonic() - start)

    def _check_access(self, scope: Scope, headers: Headers) -> None:
        """Check host, origin and token. Raises `RequestFailed`."""
        if headers.get("user-agent", "") == AGENT:
            raise fail("loop", "this server is not fetched by itself")
        host = headers.get("host", "")
        name = host if host.endswith("]") else host.rpartition(":")[0] or host
        if "*" not in self.settings.hosts and name.lower() not in self.settings.hosts:
            raise fail("wrong_host", f"this server does not answer for {name!a}")
        _check_origin(scope, headers)
        if self.settings.token and not self._has_token(scope, headers):
            raise fail("no_token", "a token is needed", {"www-authenticate": _CHALLENGE})

    def _has_token(self, scope: Scope, headers: Headers) -> bool:
        if scope["path"].startswith(OPEN_PATHS):
            return True
        service: Service = scope["app"].state.service
        client = scope["client"][0] if scope.get("client") else ""
        scheme, _, given = headers.get("authorization", "").partition(" ")
        given = given.strip()
        if scheme.lower() == "basic":
            try:
                given = b64decode(given).decode().partition(":")[2]
            except ValueError:
                return False
        elif scheme.lower() != "bearer":
            return False
        return service.check_token(client, given, self.settings.token)

    def _bound_body(self, headers: Headers, receive: Receive) -> Receive:
        """What receives the body, within the limits of size and time. Raises `RequestFailed`."""
        max_bytes, declared = self.settings.max_bytes, headers.get("content-length", "")
        too_large = fail("over_limit", f"a request has at most {max_bytes} bytes")
        if declared.isdigit() and int(declared) > max_bytes:
            raise too_large
        n_bytes, is_complete, deadline = 0, False, time.monotonic() + self.settings.max_seconds + SLOW_BODY

        async def receive_bounded() -> Message:
            nonlocal n_bytes, is_complete
            if is_complete:  # what comes now is the end of the connection
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), max(0.0, deadline - time.monotonic()))
            except TimeoutError:
                raise fail("too_slow", "the request was not sent in time") from None
            n_bytes += len(message.get("body", b""))
            if n_bytes > max_bytes:
                raise too_large
            is_complete = not message.get("more_body", False)
            return message

        return receive_bounded


def _check_origin(scope: Scope, headers: Headers) -> None:
    """Raises `RequestFailed` for a request that another site makes a browser send, but for a link that its reader
    follows: one that changes something, or costs the fetching of a page."""
    is_followed = headers.get("sec-fetch-user") == "?1" and headers.get("sec-fetch-dest") == "document"
    is_cheap = is_followed or not scope["path"].startswith(_COSTLY)
    if scope["method"] in ("GET", "HEAD", "OPTIONS") and is_cheap:
        return
    origin = headers.get("origin")
    # an origin that is none (`null` of a sandbox, `http://[`) has no host, and is no reason to trust a request
    is_foreign = origin is not None and (split_url(origin).netloc or None) != headers.get("host", "")
    if is_foreign or headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise fail("wrong_origin", "this request comes from another site")


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


def build_app(settings: ServerSettings) -> Starlette:
    """The application with these settings; its workers start and end with it."""
    read_rate(settings.rate)
    open_rules(settings.rule_paths).for_page()  # what cannot be read is told here, not to each who asks
    description = msgspec.json.encode(describe_api())

    async def openapi(request: Request) -> Response:
        return Response(description, media_type=JSON)

    routes: list[BaseRoute] = [
        # a URL, with its slashes, is one parameter
        *(Route(one.path.replace("{url}", "{url:path}"), one.serve, methods=[one.method]) for one in ENDPOINTS),
        Route("/openapi.json", openapi),
        *(Route(path, serve, methods=methods.split()) for path, serve, methods in ROUTES),
        Mount("/static", StaticFiles(packages=[("webclean.server", "static")])),
        Route("/metrics", metrics),
    ]
    names = {route.endpoint: route.path for route in routes if isinstance(route, Route)}

    @asynccontextmanager
    async def run(app: Starlette) -> AsyncIterator[None]:
        app.state.service = Service(settings)
        try:
            await app.state.service.pool.start()
            yield
        finally:
            app.state.service.pool.close()

    guards = [Middleware(Guard, settings=settings, names=names)]
    handlers = {HTTPException: _raise_not_served}
    return Starlette(routes=routes, middleware=guards, exception_handlers=handlers, lifespan=run)


def listen(settings: ServerSettings, host: str, port: int) -> tuple[Server, socket.socket]:
    """A server and where it listens; port 0: any. Raises `InputError`, `OSError`, and what reading the rules raises."""
    if not 0 <= port < 1 << 16:
        raise InputError(f"port {port}: it is from 0 to 65535")
    proxies = []
    for proxy in settings.trusted_proxies:
        try:
            proxies.append(str(ip_network(proxy, strict=False)))
        except ValueError as error:
            raise InputError(f"trusted proxy {proxy!a}: no address or network") from error
    config = Config(
        build_app(settings),
        log_level="warning",
        lifespan="on",
        server_header=False,
        http=BoundedProtocol,
        # else each client on this machine could give itself another address, and with it a rate of its own
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        # uvicorn's own bounds come before ours: connections cost memory before any page is read
        limit_concurrency=512,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=10,
    )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return Server(config), socket.create_server((host.strip("[]"), port), family=family, backlog=2_048)


async def metrics(request: Request) -> Response:
    return Response(get_service(request).metrics.write(), media_type=CONTENT_TYPE_LATEST)


def _raise_not_served(request: Request, error: Exception) -> Response:
    """Raise what the router says (no such path, no such method) in our form."""
    assert isinstance(error, HTTPException)
    raise RequestFailed(describe_problem("not_served", error.detail, error.status_code), dict(error.headers or {}))
