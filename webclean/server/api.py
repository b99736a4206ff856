"""The JSON API: clean a page, its blocks, explain it, clean several."""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from webclean.server import tasks
from webclean.server.failures import RequestFailed, fail
from webclean.server.schema import JSON, BatchRequest, PageRequest
from webclean.server.service import Service, get_service, read_json
from webclean.server.store import Page
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


async def clean(request: Request) -> Response:
    """Clean a page: type, text, fields and blocks."""
    asked, page = await read_page_request(request)
    return Response(await _clean(get_service(request), asked, page), media_type=JSON)


async def _clean(service: Service, asked: PageRequest, page: Page) -> bytes:
    return await service.clean(tasks.describe_clean, page, asked, formats=asked.formats, reasons=asked.reasons)


async def blocks(request: Request) -> Response:
    """The semantic blocks of a page."""
    asked, page = await read_page_request(request)
    found = await get_service(request).clean(tasks.describe_page_blocks, page, asked, reasons=asked.reasons)
    return Response(found, media_type=JSON)


async def explain(request: Request) -> Response:
    """Why a page has its type and each text block was kept or dropped."""
    asked, page = await read_page_request(request)
    return Response(await get_service(request).clean(tasks.describe_explanation, page, asked), media_type=JSON)


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
            return {"status": 200, "page": msgspec.Raw(await _clean(service, asked, page))}
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
