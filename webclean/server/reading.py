"""Reading mode: a form to open a page, and the page for a phone, whose links lead on in reading mode.

This is the transcoding server of the patent: what is followed from a cleaned page is cleaned as well.
"""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import Final
from urllib.parse import urlencode

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from webclean.server.failures import fail
from webclean.server.reading_tasks import Place, render_reading
from webclean.server.schema import CleaningOptions
from webclean.server.service import get_service
from webclean.server.store import Page
from webclean.server.templating import show

READING_POLICY: Final = (
    "default-src 'none'; img-src http: https: data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox"
)
"""Content Security Policy (level 3) of a page of strangers: images, the styles that we write, and no script. Being
sandboxed, it could not run one even if it held one."""


async def home(request: Request) -> Response:
    """The form."""
    return show("home.html")


async def open_page(request: Request) -> Response:
    """What the form sends: an address, pasted HTML or a file, to be read or inspected."""
    service = get_service(request)
    async with request.form(max_files=1, max_fields=8, max_part_size=service.settings.max_bytes) as form:
        url, pasted, file = str(form.get("url") or "").strip(), str(form.get("html") or ""), form.get("file")
        target = "/inspect" if form.get("to") == "inspect" else "/read"
        html: bytes | str = await file.read() if isinstance(file, UploadFile) else b""
        html = html or pasted
    if not html and not url:
        raise fail("wrong_input", HTTPStatus.UNPROCESSABLE_ENTITY, "give an address, paste HTML or choose a file")
    found = {"page": service.store.put(Page(html, complete_url(url) or None))} if html else {"url": complete_url(url)}
    return RedirectResponse(f"{target}?{urlencode(found)}", HTTPStatus.SEE_OTHER)


def complete_url(url: str) -> str:
    """An address as people type it, with its scheme."""
    url = url.strip()
    return url if not url or "://" in url else f"https://{url}"


async def read(request: Request) -> Response:
    """The page for a phone; `part` of a long one, without images if `images` is 0."""
    service = get_service(request)
    query = request.query_params
    url, key = complete_url(query.get("url", "")), query.get("page", "")
    if not (url or key):
        return RedirectResponse("/", HTTPStatus.SEE_OTHER)
    service.admit(request)
    page = await service.find_stored(key, url)
    part = int(query["part"]) if query.get("part", "").isdecimal() else 1
    place = Place({"page": key} if key else {"url": url}, query.get("images") != "0")
    work = partial(render_reading, place=place, part=part)
    document = await service.clean(work, page, CleaningOptions(profile=query.get("profile", "balanced")))
    return HTMLResponse(document, headers={"content-security-policy": READING_POLICY, "referrer-policy": "no-referrer"})
