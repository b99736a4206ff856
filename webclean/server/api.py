"""The JSON API: its endpoints and their OpenAPI 3.1 document, from one table (`ENDPOINTS`), so that they agree.

Clean a page, its blocks, explain it, clean several; and endpoints in shapes that people already use: `GET /r/<url>` as
of Jina's reader, `POST /v1/scrape` as of Firecrawl's. What is cleaned is the same; only names and forms are theirs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from webclean.server.schema import (
    JSON,
    PROBLEM,
    BatchObject,
    BatchRequest,
    BlocksObject,
    CleanedObject,
    CleaningOptions,
    ExplainedObject,
    HealthObject,
    PageRequest,
    Problem,
    ProblemObject,
    ReaderObject,
    RequestFailed,
    Schema,
    ScrapeObject,
    ScrapeRequest,
    fail,
)
from webclean.server.service import Page, Service, get_service, read_json
from webclean.server.tasks import (
    READER_FORMATS,
    PageTask,
    describe_clean,
    describe_explanation,
    describe_page_blocks,
    describe_reader,
    describe_scrape,
)
from webclean.version import __version__


async def read_page_request(request: Request) -> tuple[PageRequest, Page]:
    """What is asked for, and the page: JSON with `url` or `html`; or the bytes of a page as body with all else in the
    query. Raises `RequestFailed`."""
    service = get_service(request)
    media_type, _, parameters = request.headers.get("content-type", "").partition(";")
    if media_type.strip().lower() == JSON:
        asked = await read_json(request, PageRequest)
        service.admit(request)
        return asked, await service.find_page(asked.url, asked.html)
    asked = _read_query(request)
    service.admit(request)
    _, _, charset = parameters.partition("charset=")
    body = await request.body()
    return asked, await service.find_page(asked.url, body or None, charset.strip("\"' ").lower() or None)


def _read_query(request: Request) -> PageRequest:
    query: dict[str, Any] = dict(request.query_params)
    if "formats" in query:
        query["formats"] = [name for name in query["formats"].split(",") if name]
    try:
        return msgspec.convert(query, PageRequest, strict=False)
    except msgspec.ValidationError as error:
        raise fail("wrong_input", HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error


Serve = Callable[[Request], Awaitable[Response]]


def serve_page(name: str, summary: str, work: Callable[[PageTask], bytes | Problem]) -> Serve:
    """An endpoint that answers with what a worker makes of the page of a request."""

    async def serve(request: Request) -> Response:
        asked, page = await read_page_request(request)
        return Response(await get_service(request).clean(work, page, asked), media_type=JSON)

    serve.__name__, serve.__doc__ = name, summary
    return serve


clean = serve_page("clean", "Clean a page: type, text, fields and blocks.", describe_clean)
blocks = serve_page("blocks", "The semantic blocks of a page.", describe_page_blocks)
explain = serve_page(
    "explain", "Why a page has its type and each text block was kept or dropped.", describe_explanation
)


async def batch(request: Request) -> Response:
    """Clean several pages; each has an answer or a problem of its own."""
    service = get_service(request)
    asked = await read_json(request, BatchRequest)
    if len(asked.pages) > service.settings.max_batch:
        most = f"a batch has at most {service.settings.max_batch} pages"
        raise fail("over_limit", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, most)
    service.admit(request, len(asked.pages))
    slots = asyncio.Semaphore(max(1, service.settings.workers))
    found = await asyncio.gather(*(_clean_item(service, slots, page) for page in asked.pages))
    return Response(msgspec.json.encode({"pages": found}), media_type=JSON)


async def _clean_item(service: Service, slots: asyncio.Semaphore, asked: PageRequest) -> dict[str, Any]:
    async with slots:  # so that a batch does not fill the queue that others wait in
        try:
            page = await service.find_page(asked.url, asked.html)
            return {"status": 200, "page": msgspec.Raw(await service.clean(describe_clean, page, asked))}
        except RequestFailed as failed:
            return {"status": failed.failure.status, "problem": failed.failure.describe()}


async def healthz(request: Request) -> Response:
    """Whether the server can clean pages."""
    service = get_service(request)
    alive = await service.pool.is_alive()
    described = {
        "status": "ok" if alive else "failing",
        "version": __version__,
        "workers": service.settings.workers,
        "waiting": service.pool.n_waiting,
    }
    status = HTTPStatus.OK if alive else HTTPStatus.SERVICE_UNAVAILABLE
    return Response(msgspec.json.encode(described), status, media_type=JSON)


def find_target(request: Request) -> str:
    """The URL after `/r/`, as the client wrote it: not decoded, with its query."""
    raw = request.scope.get("raw_path") or request.scope["path"].encode()
    target: str = raw.decode("latin-1").partition("/r/")[2]
    for scheme in ("https:/", "http:/"):  # proxies write two slashes as one
        if target.startswith(scheme) and not target.startswith(f"{scheme}/"):
            target = target.replace(scheme, f"{scheme}/", 1)
    if "://" not in target:
        target = f"https://{target}"
    query: str = request.scope["query_string"].decode("latin-1")
    return target + (f"?{query}" if query else "")


async def reader(request: Request) -> Response:
    """The page at a URL as text with a head, or as JSON. `X-Return-Format` chooses Markdown, HTML or text."""
    service = get_service(request)
    service.admit(request)
    wanted = request.headers.get("x-return-format", "markdown").strip().lower()
    if wanted not in READER_FORMATS:
        raise fail(
            "wrong_input", HTTPStatus.UNPROCESSABLE_ENTITY, f"X-Return-Format is one of {', '.join(READER_FORMATS)}"
        )
    page = await service.find_page(find_target(request), None)
    as_json = JSON in request.headers.get("accept", "")
    work = partial(describe_reader, wanted=wanted, as_json=as_json)
    found = await service.clean(work, page, CleaningOptions())
    return Response(found, media_type=JSON) if as_json else PlainTextResponse(found)


async def scrape(request: Request) -> Response:
    """The page at a URL in the formats that are asked for."""
    service = get_service(request)
    try:
        asked = await read_json(request, ScrapeRequest)
        service.admit(request)
        page = await service.fetch(asked.url, asked.timeout / 1000 if asked.timeout else None)
        work = partial(describe_scrape, asked=asked, status=page.status)
        return Response(await service.clean(work, page, CleaningOptions()), media_type=JSON)
    except RequestFailed as failed:
        body = msgspec.json.encode({"success": False, "error": failed.failure.detail})
        return Response(body, failed.failure.status, failed.headers, media_type=JSON)


_REFERENCE: Final = "#/components/schemas/{name}"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint of the JSON API. takes: type of its body, if it has one. takes_page: the body may also be a page
    itself, with the options in the query. text: it may answer plain text. fails: statuses other than 200."""

    path: str
    method: str
    serve: Serve
    gives: Any
    takes: Any = None
    takes_page: bool = False
    text: bool = False
    fails: tuple[int, ...] = ()

    @property
    def summary(self) -> str:
        """The docstring of the function that serves it."""
        return " ".join((self.serve.__doc__ or "").split())


_FAILS: Final = (401, 408, 413, 415, 422, 429, 500, 502, 503, 504)
_FAILS_WITHOUT_BODY: Final = tuple(status for status in _FAILS if status not in (408, 415))

ENDPOINTS: Final = (
    Endpoint("/v1/clean", "POST", clean, CleanedObject, PageRequest, takes_page=True, fails=_FAILS),
    Endpoint("/v1/blocks", "POST", blocks, BlocksObject, PageRequest, takes_page=True, fails=_FAILS),
    Endpoint("/v1/explain", "POST", explain, ExplainedObject, PageRequest, takes_page=True, fails=_FAILS),
    Endpoint("/v1/batch", "POST", batch, BatchObject, BatchRequest, fails=(401, 408, 413, 415, 422, 429)),
    Endpoint("/v1/scrape", "POST", scrape, ScrapeObject, ScrapeRequest, fails=_FAILS),
    Endpoint("/r/{url}", "GET", reader, ReaderObject, text=True, fails=_FAILS_WITHOUT_BODY),
    Endpoint("/healthz", "GET", healthz, HealthObject, fails=(503,)),
)

_MEANS: Final = {
    401: "a bearer token is needed",
    408: "the request was not sent in time",
    413: "the request or the page is over a limit",
    415: "the body is no JSON",
    422: "the request or the page cannot be used",
    429: "too many pages of one client: wait as `Retry-After` says",
    500: "the page could not be cleaned",
    502: "the page could not be fetched",
    503: "too many pages are waiting: wait as `Retry-After` says",
    504: "cleaning the page took too long",
}


def describe_api() -> Schema:
    """The OpenAPI 3.1 document."""
    kinds = [kind for one in ENDPOINTS for kind in (one.takes, one.gives) if kind] + [ProblemObject]
    references, components = msgspec.json.schema_components(kinds, ref_template=_REFERENCE)
    by_type: Mapping[Any, Schema] = dict(zip(kinds, references, strict=True))
    paths: Schema = {}
    for one in ENDPOINTS:
        paths.setdefault(one.path, {})[one.method.lower()] = _describe_endpoint(one, by_type, components)
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


def _describe_endpoint(one: Endpoint, by_type: Mapping[Any, Schema], components: Schema) -> Schema:
    described: Schema = {"summary": one.summary, "operationId": one.serve.__name__, "responses": {}}
    parameters = []
    if "{url}" in one.path:
        parameters.append(_describe_parameter("url", "path", {"type": "string"}, "the URL of the page, as it is"))
        formats = {"type": "string", "enum": list(READER_FORMATS)}
        parameters.append(_describe_parameter("X-Return-Format", "header", formats, "the form of the content"))
    if one.takes:
        content: Schema = {JSON: {"schema": by_type[one.takes]}}
        if one.takes_page:
            content["text/html"] = {"schema": {"type": "string", "contentMediaType": "text/html"}}
            parameters += _describe_query(components)
        described["requestBody"] = {"required": True, "content": content}
    if parameters:
        described["parameters"] = parameters
    good: Schema = {JSON: {"schema": by_type[one.gives]}}
    if one.text:
        good["text/plain"] = {"schema": {"type": "string"}}
    described["responses"]["200"] = {"description": "the answer", "content": good}
    problem = {JSON: {"schema": by_type[one.gives]}} if one.gives in (ScrapeObject, HealthObject) else {}
    problem = problem or {PROBLEM: {"schema": by_type[ProblemObject]}}
    for status in one.fails:
        content = {PROBLEM: {"schema": by_type[ProblemObject]}} if status == 401 else problem
        described["responses"][str(status)] = {"description": _MEANS[status], "content": content}
    return described


def _describe_query(components: Schema) -> list[Schema]:
    """The options of a page request, for a request whose body is the page itself."""
    properties = components[PageRequest.__name__]["properties"]
    names = ("url", *CleaningOptions.__struct_fields__, "reasons", "formats")
    return [
        _describe_parameter(name, "query", properties[name], "as in the JSON form")
        | ({"style": "form", "explode": False} if name == "formats" else {})
        for name in names
    ]


def _describe_parameter(name: str, place: str, schema: Schema, description: str) -> Schema:
    return {"name": name, "in": place, "required": place == "path", "schema": schema, "description": description}


def describe_for_people(described: Schema) -> Schema:
    """What the page of the API shows: the paths and, for each operation, what it takes and what is said of it."""
    fields: Schema = {}
    about: Schema = {}
    for one in ENDPOINTS:
        schema = described["components"]["schemas"].get(getattr(one.takes, "__name__", ""), {})
        fields[one.serve.__name__] = [(name, _name_kind(kind)) for name, kind in schema.get("properties", {}).items()]
        about[one.serve.__name__] = schema.get("description", "")
    return {"paths": described["paths"], "fields": fields, "about": about}


def _name_kind(kind: Schema) -> str:
    """A JSON Schema in a few words."""
    if "enum" in kind:
        return ", ".join(str(value) for value in kind["enum"])
    if "anyOf" in kind:
        return " or ".join(_name_kind(one) for one in kind["anyOf"])
    if "$ref" in kind:
        return str(kind["$ref"]).rpartition("/")[2]
    if kind.get("type") == "array":
        return f"list of: {_name_kind(kind.get('items', {}))}"
    return str(kind.get("type", "anything"))
