"""Endpoints in shapes that people already use: `GET /r/<url>` as of Jina's reader, `POST /v1/scrape` as of Firecrawl's.

What is cleaned is the same; only names and forms are theirs.
"""

from __future__ import annotations

from functools import partial
from http import HTTPStatus

import msgspec
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from webclean.server.failures import RequestFailed, fail
from webclean.server.familiar_tasks import READER_FORMATS, describe_reader, describe_scrape
from webclean.server.schema import JSON, CleaningOptions, ScrapeRequest
from webclean.server.service import get_service, read_json


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
