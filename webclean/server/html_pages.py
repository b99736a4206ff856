"""Pages for people: the form, reading mode, the login, and the workbench. Templates escape all that is filled in.

Reading mode is the transcoding server of the patent: a page for a phone, whose links lead on in reading mode, so that
what is followed from a cleaned page is cleaned as well. Browsers cannot send a bearer token: the login form asks for it
once, and a cookie keeps a hash of it.

The workbench shows a page, its blocks, why each is kept or dropped, and rules that can be edited, tried and saved:
with the pages of their tests, in the operator's rule folder; files appear whole or not at all.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from webclean.files import write_whole
from webclean.model import PageType
from webclean.outputs.phone.document import SIZES, THEMES, Look
from webclean.parse.url import find_registered_domain
from webclean.pipeline import METHOD_NAMES
from webclean.rules import LayerKey, open_rules
from webclean.rules.layers import list_profiles
from webclean.server.guards import COOKIE, seal_token
from webclean.server.schema import (
    JSON,
    BlockRequest,
    CleaningOptions,
    ExtendRequest,
    InspectRequest,
    Problem,
    SaveRequest,
    fail,
)
from webclean.server.service import Page, Service, get_service, read_json
from webclean.server.tasks import (
    InspectTask,
    Place,
    check_before_saving,
    explain_inspected,
    extend_rules,
    inspect_page,
    render_reading,
)
from webclean.workbench.editing import SITE_NAME, EditedRules

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


_Answer = TypeVar("_Answer")

PICTURE_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'; sandbox allow-same-origin"
)
"""Content Security Policy (level 3) of the original page: its own inline styles and images, no script, no form, and
nothing from the network. It has our origin, so that the workbench sees which of its elements is clicked."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A page that is inspected. site: whose rules are edited; None if its address is not known. file: the page of the
    tests. folder: where rules are saved; None: nowhere."""

    page: Page
    site: str | None
    file: str
    folder: Path | None

    @property
    def body(self) -> bytes:
        """The page as a file."""
        return self.page.html if isinstance(self.page.html, bytes) else self.page.html.encode()

    @property
    def saved(self) -> str:
        """The rules of the site as they are saved; '' if there are none."""
        file = self.folder / "sites" / f"{self.site}.yaml" if self.folder and self.site else None
        return file.read_text(encoding="utf-8") if file and file.is_file() else ""


async def show_workbench(request: Request) -> Response:
    """The workbench for a page by its key or address; without one, the form."""
    service = get_service(request)
    query = request.query_params
    if not (query.get("url") or query.get("page")):
        return RedirectResponse("/", HTTPStatus.SEE_OTHER)
    settings = service.settings
    book = open_rules(settings.rule_paths)
    subtypes = book.for_page(LayerKey()).page_type.types
    return show(
        "inspect.html",
        page=query.get("page", ""),
        url=complete_url(query.get("url", "")),
        profiles=list_profiles(book.folders),
        methods=METHOD_NAMES,
        types=[str(kind) for kind in PageType],
        subtypes=list(subtypes),
        can_save=settings.rules_dir is not None,
    )


async def picture(request: Request) -> Response:
    """The original page, without what could run or load, with its blocks outlined."""
    found = get_service(request).pictures.get(request.path_params["key"])
    if found is None:
        raise fail("gone", HTTPStatus.GONE, "this picture is no longer kept: look again")
    return HTMLResponse(str(found.html), headers={"content-security-policy": PICTURE_POLICY})


Inspect = Callable[[Service, Any, Opened], Awaitable[Any]]


def serve_inspected(kind: type[InspectRequest], inspect: Inspect) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint of the workbench's script, which takes JSON of a kind. inspect: what is asked and the page -> the
    answer, JSON already or plain values."""

    async def endpoint(request: Request) -> Response:
        service, asked = get_service(request), await read_json(request, kind)
        service.admit(request)
        found = await inspect(service, asked, await _open(service, asked))
        return Response(found if isinstance(found, bytes) else msgspec.json.encode(found), media_type=JSON)

    return endpoint


async def _open(service: Service, asked: InspectRequest) -> Opened:
    page = await service.find_stored(asked.page, complete_url(asked.url))
    folder, site = service.settings.rules_dir, find_registered_domain(page.url or "")
    if not SITE_NAME.fullmatch(site):
        return Opened(page, None, "page.html", folder)
    opened = Opened(page, site, f"{site}.html", folder)
    return Opened(page, site, find_test_file(folder, site, opened.body), folder) if folder else opened


def find_test_file(folder: Path, site: str, html: bytes) -> str:
    """The name under which a page is or will be saved for tests: `SITE.html`, or `SITE-2.html`, ... beside others."""
    names = (f"{site}.html" if number == 1 else f"{site}-{number}.html" for number in count(1))
    paths = ((name, folder / "sites" / name) for name in names)
    return next(name for name, path in paths if not path.exists() or path.read_bytes() == html)


async def open_inspected(service: Service, asked: InspectRequest, opened: Opened) -> dict[str, Any]:
    """What the workbench starts with: the site's rules as they are saved."""
    can_save = bool(opened.folder and opened.site)
    described = {"site": opened.site, "file": opened.file, "yaml": opened.saved}
    return {**described, "digest": digest_text(opened.saved), "can_save": can_save}


async def look(service: Service, asked: InspectRequest, opened: Opened) -> dict[str, Any]:
    """What the page is with these options and rules; `picture` is the address of the original page with its blocks."""
    body, drawn = await _ask(service, inspect_page, asked, opened)
    return {**msgspec.json.decode(body), "picture": f"/inspect/pictures/{service.pictures.put(Page(drawn))}"}


async def explain_block(service: Service, asked: BlockRequest, opened: Opened) -> bytes:
    """Why a text block is kept or dropped."""
    return await _ask(service, partial(explain_inspected, number=asked.number), asked, opened)


async def extend(service: Service, asked: ExtendRequest, opened: Opened) -> bytes:
    """The edited rules with further ones, for texts that are to be kept or dropped."""
    work = partial(
        extend_rules,
        keep=asked.keep,
        drop=asked.drop,
        because=asked.because,
        page_type=asked.as_type,
        edited=_edit(asked, opened),
    )
    return await _ask(service, work, asked, opened)


async def save(service: Service, asked: SaveRequest, opened: Opened) -> dict[str, Any]:
    """Write the edited rules, and the page of their tests beside them. They must be sound and their tests pass."""
    if opened.folder is None:
        raise fail("not_allowed", HTTPStatus.FORBIDDEN, "this server was started without --rules-dir")
    if opened.site is None or not asked.yaml.strip():
        raise fail("wrong_input", HTTPStatus.UNPROCESSABLE_ENTITY, "there are no rules, or the page has no address")
    if digest_text(opened.saved) != asked.digest:
        changed = f"the rules of {opened.site} have changed on disk since they were opened: reload first"
        raise fail("changed", HTTPStatus.CONFLICT, changed)
    remarks = await _ask(service, check_before_saving, asked, opened)
    if remarks:
        found = "; ".join(f"line {one.line}: {one.message}" for one in remarks)
        raise fail("wrong_rules", HTTPStatus.UNPROCESSABLE_ENTITY, f"not saved: {found}")
    written = {f"sites/{opened.site}.yaml": asked.yaml.encode()}
    if opened.file in asked.yaml and not (opened.folder / "sites" / opened.file).exists():
        written[f"sites/{opened.file}"] = opened.body
    for name, content in reversed(written.items()):
        with write_whole(opened.folder / name) as file:
            file.write(content)
    return {"saved": list(written), "digest": digest_text(asked.yaml)}


def _edit(asked: InspectRequest, opened: Opened) -> EditedRules:
    return EditedRules(asked.yaml, opened.site, opened.file, opened.body, opened.folder)


async def _ask(
    service: Service, work: Callable[[InspectTask], _Answer | Problem], asked: InspectRequest, opened: Opened
) -> _Answer:
    """The answer of a worker about the page, with the edited rules."""
    edited = _edit(asked, opened) if asked.yaml.strip() else None
    task = InspectTask(service.describe_task(opened.page, asked), edited, service.settings.rules)
    return await service.run(work, task, len(opened.page.html))


def digest_text(text: str) -> str:
    """A hash by which a change of a file is noticed."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


ROUTES: Final = (
    ("/", home, "GET"),
    ("/open", open_page, "POST"),
    ("/read", read, "GET"),
    ("/login", login, "GET POST"),
    ("/inspect", show_workbench, "GET"),
    ("/inspect/open", serve_inspected(InspectRequest, open_inspected), "POST"),
    ("/inspect/look", serve_inspected(InspectRequest, look), "POST"),
    ("/inspect/block", serve_inspected(BlockRequest, explain_block), "POST"),
    ("/inspect/extend", serve_inspected(ExtendRequest, extend), "POST"),
    ("/inspect/save", serve_inspected(SaveRequest, save), "POST"),
    ("/inspect/pictures/{key}", picture, "GET"),
)
"""Path, function and methods. Those below `/inspect` are for the workbench's own script and may change with it."""
