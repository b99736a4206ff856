"""What every request passes before it is served: who asks, from where, how often, and how large it is.

Pure ASGI middlewares. A web page that a user of a server on the loopback address looks at may send requests to it too,
so names in `Host` are checked (DNS rebinding) and requests that change or cost something must not come from other
sites (`Origin`, `Sec-Fetch-Site`).
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import time
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from typing import Any, Final
from urllib.parse import quote

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response

from webclean.parse.url import split_url
from webclean.server import ServerSettings
from webclean.server.pool import Metrics
from webclean.server.schema import RequestFailed, fail

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]
WriteFailure = Callable[[Scope, RequestFailed], Response]
"""Writes a failure in the form that the client reads."""

COOKIE: Final = "webclean_token"
OPEN_PATHS: Final = ("/healthz", "/login", "/static/")
"""Served without a token."""
SECURITY_HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), interest-cohort=()",
    "x-frame-options": "SAMEORIGIN",
}
OWN_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Content Security Policy (level 3) of our own pages: our own scripts and nothing else."""

SLOW_BODY: Final = 20.0
"""Seconds that sending a request may take beyond those for cleaning a page."""

_log: Final = logging.getLogger("webclean.server")


def seal_token(token: str) -> str:
    """What the cookie holds: a hash, from which the token cannot be read."""
    return hashlib.sha256(f"webclean cookie {token}".encode()).hexdigest()


class ResponseMiddleware:
    """Turns failures into responses, adds the headers of security to every response, counts and times it.

    names: endpoint -> the path it is counted by.
    """

    def __init__(self, app: App, *, write_failure: WriteFailure, names: Mapping[Any, str]) -> None:
        self.app, self.write_failure, self.names = app, write_failure, names

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
                for name, value in SECURITY_HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("content-security-policy", OWN_POLICY)
            await send(message)

        try:
            await self.app(scope, receive, send_guarded)
        except RequestFailed as failed:
            await self.write_failure(scope, failed)(scope, receive, send_guarded)
        except Exception:
            _log.exception("%s %s", scope["method"], scope["path"])
            unforeseen = fail("failed", HTTPStatus.INTERNAL_SERVER_ERROR, "the server failed")
            if not status:
                await self.write_failure(scope, unforeseen)(scope, receive, send_guarded)
        finally:
            route = self.names.get(scope.get("endpoint"), "none")
            metrics: Metrics = scope["app"].state.service.metrics
            # clients may send any word as method, and a label has few
            method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "OPTIONS") else "other"
            metrics.requests.labels(route, method, status).inc()
            metrics.seconds.labels(route).observe(time.monotonic() - start)


class AccessMiddleware:
    """Checks host, origin and token."""

    def __init__(self, app: App, *, settings: ServerSettings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = Headers(scope=scope)
            host = headers.get("host", "")
            name = host if host.endswith("]") else host.rpartition(":")[0] or host
            if "*" not in self.settings.hosts and name.lower() not in self.settings.hosts:
                raise fail("wrong_host", HTTPStatus.MISDIRECTED_REQUEST, f"this server does not answer for {name!a}")
            self._check_origin(scope, headers)
            if self.settings.token and not self._has_token(scope, headers):
                await self._ask_for_token(scope, headers)(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        """Raises `RequestFailed` for a request that another site makes a browser send."""
        if scope["method"] in ("GET", "HEAD", "OPTIONS"):
            return
        origin = headers.get("origin")
        # an origin that is none (`null` of a sandbox, `http://[`) has no host, and is no reason to trust a request
        is_foreign = origin is not None and (split_url(origin).netloc or None) != headers.get("host", "")
        if is_foreign or headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise fail("wrong_origin", HTTPStatus.FORBIDDEN, "this request comes from another site")

    def _has_token(self, scope: Scope, headers: Headers) -> bool:
        if scope["path"].startswith(OPEN_PATHS):
            return True
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return hmac.compare_digest(given.strip().encode(), self.settings.token.encode())
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and hmac.compare_digest(
            cookie.value.encode(), seal_token(self.settings.token).encode()
        )

    def _ask_for_token(self, scope: Scope, headers: Headers) -> Response:
        if scope["method"] == "GET" and "text/html" in headers.get("accept", ""):
            query = scope["query_string"].decode("latin-1")
            wanted = scope["path"] + (f"?{query}" if query else "")
            return RedirectResponse(f"/login?next={quote(wanted, safe='')}", status_code=HTTPStatus.SEE_OTHER)
        raise fail("no_token", HTTPStatus.UNAUTHORIZED, "a bearer token is needed", {"www-authenticate": "Bearer"})


class RateLimiter:
    """Counts pages per client. Raises `RequestFailed` for a client with too many."""

    def __init__(self, rate: str) -> None:
        self.item: RateLimitItem | None = parse(rate) if rate else None
        self.limiter = SlidingWindowCounterRateLimiter(MemoryStorage())

    def count(self, client: str, n_pages: int = 1) -> None:
        """Count pages of a client."""
        if self.item is None or self.limiter.hit(self.item, client, cost=n_pages):
            return
        reset = self.limiter.get_window_stats(self.item, client).reset_time
        wait = max(1, round(reset - time.time()))
        raise fail(
            "too_many",
            HTTPStatus.TOO_MANY_REQUESTS,
            f"more than {self.item} pages",
            {"retry-after": str(wait)},
        )


class BodyLimitMiddleware:
    """Bounds size and time of what a client sends."""

    def __init__(self, app: App, *, settings: ServerSettings) -> None:
        self.app, self.max_bytes, self.max_seconds = app, settings.max_bytes, settings.max_seconds + SLOW_BODY

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "")
        if declared.isdigit() and int(declared) > self.max_bytes:
            raise self._too_large()
        n_bytes, is_complete, deadline = 0, False, time.monotonic() + self.max_seconds

        async def receive_bounded() -> Message:
            nonlocal n_bytes, is_complete
            if is_complete:  # what comes now is the end of the connection
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), max(0.0, deadline - time.monotonic()))
            except TimeoutError:
                raise fail("too_slow", HTTPStatus.REQUEST_TIMEOUT, "the request was not sent in time") from None
            n_bytes += len(message.get("body", b""))
            if n_bytes > self.max_bytes:
                raise self._too_large()
            is_complete = not message.get("more_body", False)
            return message

        await self.app(scope, receive_bounded, send)

    def _too_large(self) -> RequestFailed:
        return fail("over_limit", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a request has at most {self.max_bytes} bytes")
