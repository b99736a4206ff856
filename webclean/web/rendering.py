"""URL -> page, rendered by a browser where only scripts fill it, which needs the extra `render` and a Chromium.

The browser asks the network nothing itself: names lead nowhere, and every request of the page is answered here, by
`fetch_bytes`, with its checks of addresses and its limits. Only GET requests are answered; images, fonts, media and
style sheets are not fetched, web sockets and service workers refused. A browser is started for each page and has no
cookies. It is that of `WEBCLEAN_CHROMIUM`, else the first of `NAMES` on the path, else the one that Playwright
installed.
"""

from __future__ import annotations

import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from webclean.errors import FetchError, InputError
from webclean.page import CleanPage
from webclean.pipeline import Cleaner
from webclean.web.fetch import WANTED, Fetched, FetchLimits, fetch_bytes

Render = Literal["never", "when_needed", "always"]


def fetch_page(
    url: str,
    *,
    cleaner: Cleaner | None = None,
    limits: FetchLimits | None = None,
    allow_private: bool = False,
    render: Render = "never",
) -> CleanPage:
    """Fetch and clean one page. Raises `FetchError`, and what `clean` raises.

    render: whether a browser runs the scripts of the page first (extra `render`): always, or when it shows next to
    nothing without them, or the rules of its site ask for it; `page.warnings` says so.
    """
    limits = limits or FetchLimits(allow_private=allow_private)
    return clean_fetched(fetch_bytes(url, limits), cleaner or Cleaner(), limits, render)


def clean_fetched(
    fetched: Fetched, cleaner: Cleaner, limits: FetchLimits, render: Render, **kind: str | None
) -> CleanPage:
    """Clean a page as served, or as its scripts made it. kind: `page_type` and `page_subtype`."""
    page = cleaner.clean(fetched.body, url=fetched.url or None, charset=fetched.charset, **kind)
    if reason := find_reason(page, render):
        # the rendered page is cleaned anew: what the first cleaning decided was about an empty shell
        shown = render_bytes(fetched, limits)
        page = cleaner.clean(shown.body, url=shown.url, charset=shown.charset, **kind).with_warning(reason)
    return page


def find_reason(page: CleanPage, render: Render) -> str:
    """Why a page should be rendered: the caller's wish, or the rules; '' if it should not."""
    rule = page.analysis.rules.script_pages.render
    if render == "never" or (rule == "never" and render != "always"):
        return ""
    if render == "always" or rule == "always":
        return "the page was rendered by a browser, as was asked for"
    shown = "the page was rendered by a browser, because it shows next to nothing without its scripts"
    return shown if page.is_bare else ""


def render_bytes(fetched: Fetched, limits: FetchLimits | None = None) -> Fetched:
    """The page as it is once its scripts have run, within the limits. fetched: the page as served.

    Raises `InputError` without Playwright, `FetchError` where there is no browser or it does not answer.
    """
    try:
        import playwright.async_api  # noqa: F401, PLC0415  an extra
    except ImportError as error:
        raise InputError('rendering needs playwright: pip install "webclean[render]"') from error
    with ThreadPoolExecutor(1, thread_name_prefix="webclean-render") as thread:  # the caller's may have an event loop
        return thread.submit(_Rendering(fetched, limits or FetchLimits()).run).result()


NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")
_SKIPPED: Final = frozenset(("image", "font", "media", "stylesheet", "websocket", "eventsource", "ping", "manifest"))
_MAX_REQUESTS: Final = 200
"""Requests of one page that are answered. A page may ask without end; the limits of time and bytes hold for all of them
together."""
_MAX_IDLE_SECONDS: Final = 10.0
"""How long a page that never stops asking is waited for."""
_FLAGS: Final = (
    "--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)  # fmt: skip


@dataclass(slots=True)
class _Rendering:
    """One page in one browser."""

    fetched: Fetched
    limits: FetchLimits
    start: float = field(default_factory=time.monotonic)
    n_requests: int = 0
    n_bytes: int = 0

    def run(self) -> Fetched:
        import asyncio  # noqa: PLC0415  it costs all commands that never render

        return asyncio.run(self._open())

    async def _open(self) -> Fetched:
        import asyncio  # noqa: PLC0415

        from playwright.async_api import Error, async_playwright  # noqa: PLC0415  an extra

        async with async_playwright() as playwright:
            path = os.environ.get("WEBCLEAN_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
            root = ("--no-sandbox",) if hasattr(os, "geteuid") and os.geteuid() == 0 else ()
            try:
                browser = await playwright.chromium.launch(executable_path=path, args=[*_FLAGS, *root])
            except Error as error:
                raise FetchError(f"{self.fetched.url}: no browser: {str(error).splitlines()[0]}") from error
            try:
                return await asyncio.wait_for(self._render(browser), self._remaining())
            except TimeoutError as error:
                seconds = self.limits.max_seconds
                raise FetchError(f"{self.fetched.url}: rendering took longer than {seconds:g} s") from error
            except Error as error:
                raise FetchError(f"{self.fetched.url}: cannot be rendered: {str(error).splitlines()[0]}") from error
            finally:
                await browser.close()

    def _remaining(self) -> float:
        return max(0.1, self.limits.max_seconds - (time.monotonic() - self.start))

    async def _render(self, browser: Any) -> Fetched:
        from playwright.async_api import TimeoutError as TooLong  # noqa: PLC0415  an extra

        async def answer(route: Any) -> None:  # Playwright sets attributes of what owns a bound method
            await self._answer(route)

        context = await browser.new_context(service_workers="block", accept_downloads=False)
        await context.route("**/*", answer)
        await context.route_web_socket("**/*", lambda socket: socket.close())
        page = await context.new_page()
        await page.goto(self.fetched.url, wait_until="domcontentloaded", timeout=self._remaining() * 1000)
        try:
            idle = min(_MAX_IDLE_SECONDS, self._remaining() / 2)
            await page.wait_for_load_state("networkidle", timeout=idle * 1000)
        except TooLong:
            pass  # what is there is taken
        body = (await page.content()).encode("utf-8", "replace")
        if len(body) > self.limits.max_bytes:
            raise FetchError(f"{self.fetched.url}: more than {self.limits.max_bytes} bytes")
        return replace(self.fetched, url=page.url, body=body, content_type="text/html", charset="utf-8")

    async def _answer(self, route: Any) -> None:
        """Answer one request of the page: with what was fetched for it, or not at all."""
        request = route.request
        try:
            if request.method != "GET" or request.resource_type in _SKIPPED:
                raise FetchError(f"{request.url}: not needed")
            self.n_requests += 1
            found = self.fetched if self.n_requests == 1 else await self._fetch(request.url)
        except FetchError:
            await route.abort()
            return
        charset = f"; charset={found.charset}" if found.charset else ""
        headers = {
            "content-type": f"{found.content_type}{charset}",
            "access-control-allow-origin": request.headers.get("origin", "*"),
            "access-control-allow-credentials": "true",  # of which there are none
        }
        await route.fulfill(status=200, headers=headers, body=found.body)

    async def _fetch(self, url: str) -> Fetched:
        if self.n_requests > _MAX_REQUESTS:
            raise FetchError(f"{url}: more than {_MAX_REQUESTS} requests")
        left = replace(
            self.limits, max_bytes=max(0, self.limits.max_bytes - self.n_bytes), max_seconds=self._remaining()
        )
        import asyncio  # noqa: PLC0415

        found = await asyncio.to_thread(fetch_bytes, url, left, wanted=WANTED["parts"])
        self.n_bytes += len(found.body)
        return found
