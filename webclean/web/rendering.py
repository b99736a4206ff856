"""URL -> page, rendered by a browser where only scripts fill it, which needs the extra `render` and a Chromium."""

from __future__ import annotations

import threading
from os import PathLike
from typing import Literal

from webclean.errors import InputError
from webclean.page import CleanPage
from webclean.pipeline import Cleaner
from webclean.web.fetch import Fetched, FetchLimits, fetch_bytes

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
    limits, cleaner = limits or FetchLimits(allow_private=allow_private), cleaner or Cleaner()
    fetched = fetch_bytes(url, limits)
    page = cleaner.clean(fetched.body, url=fetched.url, charset=fetched.charset)
    if reason := find_reason(page, render):
        shown = render_bytes(fetched, limits)
        return cleaner.clean(shown.body, url=shown.url, charset=shown.charset).with_warning(reason)
    return page


def load_page(source: str | PathLike[str], *, cleaner: Cleaner, limits: FetchLimits) -> CleanPage:
    """The page of an address or of a file. A string is an address and never the name of a file, for lists of addresses
    come from strangers; a file is a `pathlib.Path`. Raises as `fetch_page`."""
    if not isinstance(source, str):
        return cleaner.clean(source)
    if not source.lower().startswith(("http://", "https://")):
        raise InputError(f"{source[:200]!a} is no URL that begins with http:// or https://; a file is a pathlib.Path")
    return fetch_page(source, cleaner=cleaner, limits=limits)


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
    from webclean.web.browser import render_page  # noqa: PLC0415  asyncio costs all commands that never render

    limits = limits or FetchLimits()
    done: list[Fetched | BaseException] = []

    def run() -> None:  # a thread of its own: the caller's may have a running event loop
        try:
            done.append(render_page(fetched, limits))
        except BaseException as error:  # handed to the caller's thread
            done.append(error)

    thread = threading.Thread(target=run, daemon=True, name="webclean-render")
    thread.start()
    thread.join()
    if isinstance(done[0], Fetched):
        return done[0]
    raise done[0]
