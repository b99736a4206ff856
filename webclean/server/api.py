"""The JSON API: its endpoints and their OpenAPI 3.1 document, from one table (`ENDPOINTS`), so that they agree.

Clean a page; and a page of the web as Markdown by its address behind `/r/`.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from webclean import __version__
from webclean.server import tasks
from webclean.server.messages import JSON, PROBLEM, CleanedObject, HealthObject, PageRequest, ProblemObject, fail
from webclean.server.service import Page, get_service, read_json, read_media_type

Serve = Callable[[Request], Awaitable[Response]]
Schema = dict[str, Any]


async def clean(request: Request) -> Response:
    """Clean a page: type, text, fields and blocks, with reasons and renderings where they are asked for."""
    asked, page = await read_page_request(request)
    return Response(await get_service(request).clean(tasks.clean, page, asked), media_type=JSON)


_OF_PAGES: Final = ("text/", "application/xhtml", "application/xml", "application/octet-stream")
_UNSAID: Final = ("", "text/plain", "application/octet-stream", "application/x-www-form-urlencoded")


async def read_page_request(request: Request) -> tuple[PageRequest, Page]:
    """What is asked for, and the page: JSON with `url` or `html`; or the bytes of a page as body with all else in the
    query. Raises `RequestFailed`."""
    service = get_service(request)
    media_type, charset = read_media_type(request)
    if media_type == JSON:
        asked = await read_json(request, PageRequest)
        service.admit(request)
        return asked, await service.find_page(asked.url, asked.html)
    # JSON by the name of another type (curl's own is that of a form) would become the text of a page
    is_json = media_type in _UNSAID and (await request.body()).lstrip()[:1] in (b"{", b"[")
    if is_json or not (media_type in _UNSAID or media_type.startswith(_OF_PAGES)):
        raise fail("wrong_type", f"send {JSON}, or a page as text/html; this is {media_type or 'of no type'}")
    query: dict[str, Any] = dict(request.query_params)
    if "formats" in query:
        query["formats"] = [name for name in query["formats"].split(",") if name]
    try:
        asked = msgspec.convert(query, PageRequest, strict=False)
    except msgspec.ValidationError as error:
        raise fail("wrong_input", str(error)) from error
    service.admit(request)
    return asked, await service.find_page(asked.url, await request.body() or None, charset or None)


async def healthz(request: Request) -> Response:
    """Whether the server can clean pages."""
    service = get_service(request)
    if not await service.pool.is_alive():
        raise fail("no_workers", "no worker answers")
    described = {"version": __version__, "workers": service.settings.workers, "waiting": service.pool.n_waiting}
    return Response(msgspec.json.encode({"status": "ok", **described}), media_type=JSON)


def find_target(request: Request) -> str:
    """The URL after `/r/`, as the client wrote it: not decoded, with its query."""
    raw = request.scope.get("raw_path") or request.scope["path"].encode()
    # proxies write two slashes as one
    target = re.sub(r"^(https?:/)(?!/)", r"\1/", raw.decode("latin-1").partition("/r/")[2])
    query: str = request.scope["query_string"].decode("latin-1")
    return ("" if "://" in target else "https://") + target + (f"?{query}" if query else "")


async def reader(request: Request) -> Response:
    """The page at a URL as Markdown under a head of title, URL and date."""
    service = get_service(request)
    service.admit(request)
    page = await service.find_page(find_target(request), None)
    return PlainTextResponse(await service.clean(tasks.read, page, PageRequest()))


class Endpoint(NamedTuple):
    """An endpoint of the JSON API. gives: type of its answer; `str`: plain text. What is sent to it is a `PageRequest`,
    or a page itself with the options in the query."""

    path: str
    method: str
    serve: Serve
    gives: Any


ENDPOINTS: Final = (
    Endpoint("/v1/clean", "POST", clean, CleanedObject),
    Endpoint("/r/{url}", "GET", reader, str),
    Endpoint("/healthz", "GET", healthz, HealthObject),
)


def describe_api() -> Schema:
    """The OpenAPI 3.1 document. Whatever fails is told in one form, the `default` of each endpoint."""
    kinds = [*(one.gives for one in ENDPOINTS), PageRequest, ProblemObject]
    references, components = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    by_type: Mapping[Any, Schema] = dict(zip(kinds, references, strict=True))
    failed = {"description": "why there is no answer", "content": {PROBLEM: {"schema": by_type[ProblemObject]}}}
    a_page: Schema = {"schema": {"type": "string", "contentMediaType": "text/html"}}
    body = {"required": True, "content": {JSON: {"schema": by_type[PageRequest]}, "text/html": a_page}}
    # the options of a page request, for a request whose body is the page itself
    query = [
        {"name": name, "in": "query", "schema": schema, "description": "as in JSON", "style": "form", "explode": False}
        for name, schema in components[PageRequest.__name__]["properties"].items()
        if name != "html"
    ]
    url = {"name": "url", "in": "path", "required": True, "schema": {"type": "string"}, "description": "as it is"}
    paths: Schema = {}
    for one in ENDPOINTS:
        content = {"text/plain" if one.gives is str else JSON: {"schema": by_type[one.gives]}}
        described: Schema = {
            "summary": " ".join((one.serve.__doc__ or "").split()),
            "operationId": one.serve.__name__,
            "responses": {"200": {"description": "the answer", "content": content}, "default": failed},
        }
        if one.method == "POST":
            described |= {"parameters": query, "requestBody": body}
        elif "{url}" in one.path:
            described["parameters"] = [url]
        paths[one.path] = {one.method.lower(): described}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "webclean",
            "version": __version__,
            "description": "Any web page in, typed and explained blocks out.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"bearer": []}],
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
    }
