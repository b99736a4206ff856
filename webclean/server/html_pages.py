"""Pages for people: the form, reading mode and the workbench. Templates escape all that is filled in.

Reading mode is the transcoding server of the patent: a page for a phone, whose links lead on in reading mode, so that
what is followed from a cleaned page is cleaned as well.

The workbench shows a page, its blocks, why each is kept or dropped, and rules that can be edited, tried and saved:
with the pages of their tests, in the operator's rule folder; files appear whole or not at all.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from webclean.model import PageType
from webclean.parse.url import find_registered_domain
from webclean.pipeline import METHOD_NAMES
from webclean.rules import open_rules
from webclean.rules.layers import list_profiles
from webclean.server import tasks
from webclean.server.messages import HTTP, JSON, CleaningOptions, ExtendRequest, InspectRequest, SaveRequest, fail
from webclean.server.service import Page, Service, get_service, read_json
from webclean.storage import write_whole
from webclean.workbench.rule_checks import SITE_NAME, EditedRules


def show(template: str, status: int = 200, headers: dict[str, str] | None = None, **values: Any) -> HTMLResponse:
    return HTMLResponse(tasks.TEMPLATES.get_template(template).render(values), status, headers)


async def home(request: Request) -> Response:
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
        raise fail("wrong_input", "give an address, paste HTML or choose a file")
    found = {"page": service.store.put(Page(html, complete_url(url) or None))} if html else {"url": complete_url(url)}
    return RedirectResponse(f"{target}?{urlencode(found)}", 303)


def complete_url(url: str) -> str:
    """An address as people type it, with its scheme."""
    url = url.strip()
    return url if not url or "://" in url else f"https://{url}"


async def read(request: Request) -> Response:
    """The page for a phone, without images if `images` is 0."""
    service = get_service(request)
    query = request.query_params
    url, key = complete_url(query.get("url", "")), query.get("page", "")
    if not (url or key):
        return RedirectResponse("/", 303)
    service.admit(request)
    page = await service.find_stored(key, url)
    work = partial(
        tasks.render_reading,
        query={"page": key} if key else {"url": url},
        images=query.get("images") != "0",
        private_images=service.settings.allow_private,
    )
    document = await service.clean(work, page, CleaningOptions(profile=query.get("profile", "balanced")))
    policy = HTTP["policies"]["reading"]
    return HTMLResponse(document, headers={"content-security-policy": policy, "referrer-policy": "no-referrer"})


async def show_workbench(request: Request) -> Response:
    """The workbench for a page by its key or address; without one, the form."""
    service = get_service(request)
    query = request.query_params
    if not (query.get("url") or query.get("page")):
        return RedirectResponse("/", 303)
    book = open_rules(service.settings.rule_paths)
    return show(
        "inspect.html",
        page=query.get("page", ""),
        url=complete_url(query.get("url", "")),
        profiles=list_profiles(book.folders),
        methods=METHOD_NAMES,
        types=[str(kind) for kind in PageType],
        subtypes=list(book.for_page().page_type.types),
        can_save=service.settings.rules_dir is not None,
    )


async def picture(request: Request) -> Response:
    """The original page, without what could run or load, with its blocks outlined."""
    found = get_service(request).pictures.get(request.path_params["key"])
    if found is None:
        raise fail("gone", "this picture is no longer kept: look again")
    return HTMLResponse(str(found.html), headers={"content-security-policy": HTTP["policies"]["picture"]})


@dataclass(frozen=True, slots=True)
class Inspected:
    """A page that is inspected, and what is asked of it. site: whose rules are edited; None if its address is not
    known."""

    service: Service
    asked: Any
    page: Page
    site: str | None

    @property
    def folder(self) -> Path | None:
        return self.service.settings.rules_dir

    @property
    def body(self) -> bytes:
        """The page as a file."""
        return self.page.html if isinstance(self.page.html, bytes) else self.page.html.encode()

    @property
    def saved(self) -> str:
        """The rules of the site as they are saved, with their line ends; '' if there are none."""
        file = self.folder / "sites" / f"{self.site}.yaml" if self.folder and self.site else None
        return file.read_bytes().decode() if file and file.is_file() else ""

    @property
    def file(self) -> str:
        """The name under which the page is or will be saved for tests: `SITE.html`, or `SITE-2.html`, ... beside
        others."""
        if self.site is None or self.folder is None:
            return f"{self.site or 'page'}.html"
        names = (f"{self.site}.html" if number == 1 else f"{self.site}-{number}.html" for number in count(1))
        paths = ((name, self.folder / "sites" / name) for name in names)
        return next(name for name, path in paths if not path.exists() or path.read_bytes() == self.body)

    async def ask(self, work: Callable[[tasks.InspectTask], Any]) -> Any:
        """The answer of a worker about the page, with the edited rules."""
        service, edited = self.service, EditedRules(self.asked.yaml, self.site, self.file, self.body, self.folder)
        saved = service.describe_task(self.page, self.asked)
        return await service.run(work, tasks.InspectTask(saved, edited, service.settings.rules), len(self.page.html))


def serve_inspected(
    kind: type[InspectRequest], inspect: Callable[[Inspected], Awaitable[Any]]
) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint of the workbench's script, which takes JSON of a kind. inspect: the page and what is asked -> the
    answer, JSON already or plain values."""

    async def endpoint(request: Request) -> Response:
        service, asked = get_service(request), await read_json(request, kind)
        service.admit(request)
        page = await service.find_stored(asked.page, complete_url(asked.url))
        site = find_registered_domain(page.url or "")
        found = await inspect(Inspected(service, asked, page, site if SITE_NAME.fullmatch(site) else None))
        return Response(found if isinstance(found, bytes) else msgspec.json.encode(found), media_type=JSON)

    return endpoint


async def open_inspected(page: Inspected) -> dict[str, Any]:
    yaml, can_save = page.saved, bool(page.folder and page.site)
    return {"site": page.site, "file": page.file, "yaml": yaml, "digest": digest_text(yaml), "can_save": can_save}


async def look(page: Inspected) -> dict[str, Any]:
    """What the page is with these options and rules; `picture` is the address of the original page with its blocks."""
    described, drawn = await page.ask(tasks.inspect_page)
    return {**described, "picture": f"/inspect/pictures/{page.service.pictures.put(Page(drawn))}"}


async def save(page: Inspected) -> dict[str, Any]:
    """Write the edited rules, and the page of their tests beside them. They must be sound and their tests pass."""
    folder, file, yaml = page.folder, page.file, page.asked.yaml
    if folder is None:
        raise fail("not_allowed", "this server was started without --rules-dir")
    if page.site is None or not yaml.strip():
        raise fail("wrong_input", "there are no rules, or the page has no address")
    async with page.service.saving:  # or two would find the same digest, and one be lost
        saved = page.saved
        if digest_text(saved) != page.asked.digest:
            raise fail("changed", f"the rules of {page.site} have changed on disk since they were opened: reload first")
        remarks = await page.ask(tasks.check_before_saving)
        found = "; ".join(f"line {one.line}: {one.message}" for one in remarks)
        if any(one.kind != "empty" for one in remarks):
            raise fail("wrong_rules", f"not saved: {found}")
        if remarks and not page.asked.sure:
            raise fail("unsure", found)
        if digest_text(page.saved) != page.asked.digest:  # by another program meanwhile
            raise fail("changed", f"the rules of {page.site} have changed on disk since they were opened: reload first")
        # a browser knows one line end, the file may have the other
        text = yaml.replace("\r\n", "\n")
        written = {f"sites/{page.site}.yaml": (text.replace("\n", "\r\n") if "\r\n" in saved else text).encode()}
        if file in yaml and not (folder / "sites" / file).exists():
            written[f"sites/{file}"] = page.body
        for name, content in reversed(written.items()):
            with write_whole(folder / name) as opened:
                opened.write(content)
        return {"saved": list(written), "digest": digest_text(text)}


def digest_text(text: str) -> str:
    """A hash by which a change of a file is noticed, whatever its line ends are."""
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()[:16]


ROUTES: Final = (
    ("/", home, "GET"),
    ("/open", open_page, "POST"),
    ("/read", read, "GET"),
    ("/inspect", show_workbench, "GET"),
    ("/inspect/open", serve_inspected(InspectRequest, open_inspected), "POST"),
    ("/inspect/look", serve_inspected(InspectRequest, look), "POST"),
    ("/inspect/block", serve_inspected(InspectRequest, lambda page: page.ask(tasks.explain_inspected)), "POST"),
    ("/inspect/extend", serve_inspected(ExtendRequest, lambda page: page.ask(tasks.extend_rules)), "POST"),
    ("/inspect/save", serve_inspected(SaveRequest, save), "POST"),
    ("/inspect/pictures/{key}", picture, "GET"),
)
"""Path, function and methods. Those below `/inspect` are for the workbench's own script and may change with it."""
