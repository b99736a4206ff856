"""The endpoints of the JSON API and their OpenAPI 3.1 document, from one table, so that they agree."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from webclean.server import api, familiar
from webclean.server.familiar_tasks import READER_FORMATS
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
    ProblemObject,
    ReaderObject,
    Schema,
    ScrapeObject,
    ScrapeRequest,
)
from webclean.version import __version__

_REFERENCE: Final = "#/components/schemas/{name}"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An endpoint of the JSON API. takes: type of its body, if it has one. takes_page: the body may also be a page
    itself, with the options in the query. text: it may answer plain text. fails: statuses other than 200."""

    path: str
    method: str
    serve: Callable[[Request], Awaitable[Response]]
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
    Endpoint("/v1/clean", "POST", api.clean, CleanedObject, PageRequest, takes_page=True, fails=_FAILS),
    Endpoint("/v1/blocks", "POST", api.blocks, BlocksObject, PageRequest, takes_page=True, fails=_FAILS),
    Endpoint("/v1/explain", "POST", api.explain, ExplainedObject, PageRequest, takes_page=True, fails=_FAILS),
    Endpoint("/v1/batch", "POST", api.batch, BatchObject, BatchRequest, fails=(401, 408, 413, 415, 422, 429)),
    Endpoint("/v1/scrape", "POST", familiar.scrape, ScrapeObject, ScrapeRequest, fails=_FAILS),
    Endpoint("/r/{url}", "GET", familiar.reader, ReaderObject, text=True, fails=_FAILS_WITHOUT_BODY),
    Endpoint("/healthz", "GET", api.healthz, HealthObject, fails=(503,)),
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
