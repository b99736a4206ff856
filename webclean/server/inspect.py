"""The workbench: a page, its blocks, why each is kept or dropped, and rules that can be edited, tried and saved.

Saved are rules and the pages of their tests, in the operator's rule folder; files appear whole or not at all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from http import HTTPStatus
from itertools import count
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from webclean.files import write_whole
from webclean.model import PageType
from webclean.parse.url import find_registered_domain
from webclean.pipeline import METHOD_NAMES
from webclean.rules import LayerKey, open_rules
from webclean.rules.layers import list_profiles
from webclean.server.reading import complete_url, show
from webclean.server.schema import JSON, BlockRequest, ExtendRequest, InspectRequest, Problem, SaveRequest, fail
from webclean.server.service import Page, Service, get_service, read_json
from webclean.server.tasks import (
    InspectTask,
    check_before_saving,
    explain_inspected,
    extend_rules,
    inspect_page,
)
from webclean.workbench.editing import SITE_NAME, EditedRules


def find_saved(folder: Path, site: str) -> str:
    """The rules of a site as they are saved; '' if there are none."""
    file = folder / "sites" / f"{site}.yaml"
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def find_test_file(folder: Path, site: str, html: bytes) -> str:
    """The name under which a page is or will be saved for tests: `SITE.html`, or `SITE-2.html`, ... beside others."""
    for number in count(1):
        name = f"{site}.html" if number == 1 else f"{site}-{number}.html"
        path = folder / "sites" / name
        if not path.exists() or path.read_bytes() == html:
            return name
    raise AssertionError("unreachable")


def save_rules(folder: Path, site: str, yaml: str, file: str, html: bytes) -> list[str]:
    """Write the rules and, if their tests name it, the page; the names of what was written, below the folder."""
    sites = folder / "sites"
    names = []
    if file in yaml and not (sites / file).exists():
        _write(sites / file, html)
        names.append(f"sites/{file}")
    _write(sites / f"{site}.yaml", yaml.encode())
    return [f"sites/{site}.yaml", *names]


def _write(path: Path, content: bytes) -> None:
    with write_whole(path) as file:
        file.write(content)


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
    tests."""

    page: Page
    site: str | None
    file: str


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


async def open_inspected(request: Request) -> Response:
    """What the workbench starts with: the site's rules as they are saved."""
    service = get_service(request)
    asked = await read_json(request, InspectRequest)
    opened = await _open(service, request, asked)
    folder = service.settings.rules_dir
    saved = find_saved(folder, opened.site) if folder and opened.site else ""
    described = {
        "site": opened.site,
        "file": opened.file,
        "yaml": saved,
        "digest": digest_text(saved),
        "can_save": bool(folder and opened.site),
    }
    return Response(msgspec.json.encode(described), media_type=JSON)


async def look(request: Request) -> Response:
    """What the page is with these options and rules; `picture` is the address of the original page with its blocks."""
    service = get_service(request)
    asked = await read_json(request, InspectRequest)
    opened = await _open(service, request, asked)
    body, picture = await _ask(service, inspect_page, _make_task(service, asked, opened))
    key = service.pictures.put(Page(picture))
    described: dict[str, Any] = {**msgspec.json.decode(body), "picture": f"/inspect/pictures/{key}"}
    return Response(msgspec.json.encode(described), media_type=JSON)


async def picture(request: Request) -> Response:
    """The original page, without what could run or load, with its blocks outlined."""
    found = get_service(request).pictures.get(request.path_params["key"])
    if found is None:
        raise fail("gone", HTTPStatus.GONE, "this picture is no longer kept: look again")
    return HTMLResponse(str(found.html), headers={"content-security-policy": PICTURE_POLICY})


async def explain_block(request: Request) -> Response:
    """Why a text block is kept or dropped."""
    service = get_service(request)
    asked = await read_json(request, BlockRequest)
    task = _make_task(service, asked, await _open(service, request, asked))
    found = await _ask(service, partial(explain_inspected, number=asked.number), task)
    return Response(found, media_type=JSON)


async def extend(request: Request) -> Response:
    """The edited rules with further ones, for texts that are to be kept or dropped."""
    service = get_service(request)
    asked = await read_json(request, ExtendRequest)
    opened = await _open(service, request, asked)
    work = partial(
        extend_rules,
        keep=asked.keep,
        drop=asked.drop,
        because=asked.because,
        page_type=asked.as_type,
        edited=_edit(service, asked, opened),
    )
    return Response(await _ask(service, work, _make_task(service, asked, opened)), media_type=JSON)


async def save(request: Request) -> Response:
    """Write the edited rules, and the page of their tests beside them. They must be sound and their tests pass."""
    service = get_service(request)
    asked = await read_json(request, SaveRequest)
    folder = service.settings.rules_dir
    if folder is None:
        raise fail("not_allowed", HTTPStatus.FORBIDDEN, "this server was started without --rules-dir")
    opened = await _open(service, request, asked)
    if opened.site is None or not asked.yaml.strip():
        raise fail("wrong_input", HTTPStatus.UNPROCESSABLE_ENTITY, "there are no rules, or the page has no address")
    if digest_text(find_saved(folder, opened.site)) != asked.digest:
        changed = f"the rules of {opened.site} have changed on disk since they were opened: reload first"
        raise fail("changed", HTTPStatus.CONFLICT, changed)
    remarks = await _ask(service, check_before_saving, _make_task(service, asked, opened))
    if remarks:
        found = "; ".join(f"line {one.line}: {one.message}" for one in remarks)
        raise fail("wrong_rules", HTTPStatus.UNPROCESSABLE_ENTITY, f"not saved: {found}")
    names = save_rules(folder, opened.site, asked.yaml, opened.file, read_bytes(opened.page))
    described = {"saved": names, "digest": digest_text(asked.yaml)}
    return Response(msgspec.json.encode(described), media_type=JSON)


async def _open(service: Service, request: Request, asked: InspectRequest) -> Opened:
    service.admit(request)
    page = await service.find_stored(asked.page, complete_url(asked.url))
    site = find_registered_domain(page.url or "")
    if not SITE_NAME.fullmatch(site):
        return Opened(page, None, "page.html")
    folder = service.settings.rules_dir
    file = find_test_file(folder, site, read_bytes(page)) if folder else f"{site}.html"
    return Opened(page, site, file)


def _edit(service: Service, asked: InspectRequest, opened: Opened) -> EditedRules:
    return EditedRules(asked.yaml, opened.site, opened.file, read_bytes(opened.page), service.settings.rules_dir)


def _make_task(service: Service, asked: InspectRequest, opened: Opened) -> InspectTask:
    saved = service.describe_task(opened.page, asked)
    edited = _edit(service, asked, opened) if asked.yaml.strip() else None
    return InspectTask(replace(saved, reasons=True), edited, service.settings.rules)


async def _ask(service: Service, work: Callable[[InspectTask], _Answer | Problem], task: InspectTask) -> _Answer:
    return await service.run(work, task, len(task.saved.html))


def read_bytes(page: Page) -> bytes:
    """The page as a file."""
    return page.html if isinstance(page.html, bytes) else page.html.encode()


def digest_text(text: str) -> str:
    """A hash by which a change of a file is noticed."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


ROUTES: Final = (
    ("/inspect", show_workbench, "GET"),
    ("/inspect/open", open_inspected, "POST"),
    ("/inspect/look", look, "POST"),
    ("/inspect/block", explain_block, "POST"),
    ("/inspect/extend", extend, "POST"),
    ("/inspect/save", save, "POST"),
    ("/inspect/pictures/{key}", picture, "GET"),
)
"""Path, function and method. They are for the workbench's own script and may change with it."""
