"""URL -> page, rendered by a browser where only scripts fill it, which needs the extra `render` and a Chromium."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Final, Literal

from webclean.errors import InputError, WebcleanError
from webclean.page import CleanPage
from webclean.parse import find_canonical_link
from webclean.parse.inputs import read_input
from webclean.parse.limits import start_budget
from webclean.pipeline import Cleaner
from webclean.web.fetch import Fetched, FetchLimits, fetch_bytes

Render = Literal["never", "when_needed", "always"]
Place = str | PathLike[str]
_LOGGER: Final = logging.getLogger(__name__)


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


def load_page(source: Place, *, cleaner: Cleaner, limits: FetchLimits) -> CleanPage:
    """The page of an address or of a file. A string is an address and never the name of a file, for lists of addresses
    come from strangers; a file is a `pathlib.Path`, and has the URL of its canonical link. Raises as `fetch_page`."""
    if not isinstance(source, str):
        budget = start_budget(cleaner.limits, cleaner.on_limit)
        body = read_input(source, budget)
        url = find_canonical_link(body) if isinstance(body, bytes) else None
        # a file that was cut is read again, for only then the page says so
        return cleaner.clean(source if budget.truncated else body, url=url)
    if not source.lower().startswith(("http://", "https://")):
        raise InputError(f"{source[:200]!a} is no URL that begins with http:// or https://; a file is a pathlib.Path")
    return fetch_page(source, cleaner=cleaner, limits=limits)


def load_pages(
    sources: Iterable[Place], failures: dict[str, str], *, cleaner: Cleaner, limits: FetchLimits
) -> Iterator[tuple[Place, CleanPage]]:
    """Each source and its page, as `load_page`; one that fails is told in the log and put into `failures`, and the
    others go on."""
    for source in sources:
        try:
            page = load_page(source, cleaner=cleaner, limits=limits)
        except WebcleanError as error:
            failures[str(source)] = str(error)
            _LOGGER.warning("left out: %s", error)
            continue
        yield source, page


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
