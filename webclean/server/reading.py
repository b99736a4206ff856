"""Pages for people: the form, reading mode and the login. The templates of our own pages escape all that is filled in.

Reading mode is the transcoding server of the patent: a page for a phone, whose links lead on in reading mode, so that
what is followed from a cleaned page is cleaned as well. Browsers cannot send a bearer token: the login form asks for it
once, and a cookie keeps a hash of it.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from webclean.outputs.phone.document import SIZES, THEMES, Look
from webclean.server.guards import COOKIE, seal_token
from webclean.server.schema import CleaningOptions, fail
from webclean.server.service import Page, get_service
from webclean.server.tasks import Place, render_reading

_TEMPLATES: Final = Environment(
    loader=PackageLoader("webclean.server"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def show(
    template: str, status: int = HTTPStatus.OK, headers: dict[str, str] | None = None, **values: Any
) -> HTMLResponse:
    """A page of ours."""
    return HTMLResponse(_TEMPLATES.get_template(template).render(values), status, headers)


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
    """The page for a phone; `part` of a long one, without images if `images` is 0, of a `size` and `theme`."""
    service = get_service(request)
    query = request.query_params
    url, key = complete_url(query.get("url", "")), query.get("page", "")
    if not (url or key):
        return RedirectResponse("/", HTTPStatus.SEE_OTHER)
    service.admit(request)
    page = await service.find_stored(key, url)
    part = int(query["part"]) if query.get("part", "").isdecimal() else 1
    private = service.settings.allow_private
    place = Place({"page": key} if key else {"url": url}, query.get("images") != "0", private, read_look(query))
    work = partial(render_reading, place=place, part=part)
    document = await service.clean(work, page, CleaningOptions(profile=query.get("profile", "balanced")))
    return HTMLResponse(document, headers={"content-security-policy": READING_POLICY, "referrer-policy": "no-referrer"})


def read_look(query: Mapping[str, str]) -> Look:
    """What the reader chose: `size` and `theme`; what is none is passed over."""
    size, theme = query.get("size", ""), query.get("theme", "")
    is_size = size in map(str, SIZES)
    return Look(int(size) if is_size else Look().size, theme if theme in THEMES else "")


async def login(request: Request) -> Response:
    """The form, and what it sends."""
    service = get_service(request)
    if request.method == "GET":
        return show("login.html", next=find_path(request.query_params.get("next", "/")), wrong=False)
    service.rate.count(f"login {request.client.host if request.client else ''}")
    async with request.form(max_files=0, max_fields=4) as form:
        token, path = str(form.get("token") or "").strip(), find_path(str(form.get("next") or "/"))
    if not hmac.compare_digest(token.encode(), service.settings.token.encode()):
        return show("login.html", HTTPStatus.UNAUTHORIZED, next=path, wrong=True)
    answer = RedirectResponse(path, HTTPStatus.SEE_OTHER)
    is_secure = request.url.scheme == "https"
    answer.set_cookie(COOKIE, seal_token(token), httponly=True, samesite="lax", secure=is_secure, max_age=30 * 86_400)
    return answer


def find_path(path: str) -> str:
    """A path of this server; `/` for what would lead elsewhere."""
    is_ours = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path
    return path if is_ours else "/"
