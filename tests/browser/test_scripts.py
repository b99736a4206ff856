"""No script of a page runs in reading mode or in the workbench, whatever is done with the page there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.browser.script_vectors import list_vectors
from tests.web_sites import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HTML = {"content-type": "text/html; charset=utf-8"}
TOLD = "a script ran"
PROSE = "<p>The ferry leaves the harbour at nine, and whoever wants a seat by the window comes half an hour early.</p>"
STIR = """() => {
  for (const one of document.querySelectorAll("*")) {
    for (const name of one.getAttributeNames()) {
      if (name.startsWith("on")) one.dispatchEvent(new Event(name.slice(2), {bubbles: true, cancelable: true}));
    }
    const leads = one.matches("a, area") && !["http:", "https:", "mailto:"].includes(one.protocol);
    if (leads || one.matches("button, svg a *")) one.dispatchEvent(new MouseEvent("click", {bubbles: true}));
  }
}"""
"""Lets happen to every element all that it has a handler for, and presses what does not just lead to another page."""
GROUP = int(os.environ.get("WEBCLEAN_VECTORS_A_PAGE", "12"))
"""Vectors of one page. With 1, which takes some minutes, none can be swallowed by the one before."""
GROUPS = [list_vectors()[at : at + GROUP] for at in range(0, len(list_vectors()), GROUP)]


def write_page(vectors: list[str]) -> bytes:
    """A page with vectors in its text."""
    parts = "".join(
        f"<section>{PROSE}<p>It is late: {vector} and so on.</p>\n{vector}\n{PROSE}</section>" for vector in vectors
    )
    return f"<!doctype html><title>Ferries</title><h1>Ferries</h1><main>{parts}</main>".encode()


class Listening:
    """A tab in which `alert` in any frame is heard, also where dialogs are forbidden."""

    def __init__(self, chromium: Browser) -> None:
        self.context = chromium.new_context()
        self.context.add_init_script(f"window.alert = () => console.log({TOLD!r})")
        self.context.route(lambda url: not url.startswith(("http://127.0.0.1", "data:")), lambda route: route.abort())
        self.page: Page = self.context.new_page()
        self.n_heard = 0
        self.page.on("console", lambda told: self.hear(told.text))
        self.page.on("dialog", lambda dialog: (self.hear(TOLD), dialog.dismiss()))

    def hear(self, text: str) -> None:
        self.n_heard += text == TOLD

    def visit(self, url: str, ready: str = "") -> int:
        """Times that a script ran in a page, by itself or when its elements were stirred."""
        self.page.goto("about:blank")
        self.n_heard = 0
        self.page.goto(url)
        if ready:
            self.page.wait_for_selector(ready)
        for frame in self.page.frames if not ready else self.page.frames[1:]:
            frame.evaluate(STIR)
        self.page.wait_for_timeout(60)
        return self.n_heard


@pytest.fixture(scope="module")
def listening(chromium: Browser) -> Iterator[Listening]:
    listening = Listening(chromium)
    yield listening
    listening.context.close()


@pytest.fixture(scope="module")
def pages(site: Site) -> list[str]:
    """The addresses of pages that hold all vectors."""
    for number, vectors in enumerate(GROUPS):
        site.pages[f"/vectors/{number}"] = (HTML, write_page(vectors))
    return [f"{site.base}/vectors/{number}" for number in range(len(GROUPS))]


def test_there_are_three_hundred_vectors_and_more() -> None:
    assert len(list_vectors()) >= 300


def test_where_nothing_is_done_against_them_they_run(listening: Listening, pages: list[str]) -> None:
    """The other tests would see a script that runs: here, at a third of the pages, hundreds do."""
    ran = [listening.visit(page) for page in pages[::3]]
    assert sum(ran) > 100
    assert sum(n > 0 for n in ran) > 0.4 * len(ran)  # some run in older browsers alone


def test_none_runs_in_reading_mode(listening: Listening, base: str, pages: list[str]) -> None:
    ran = {page: listening.visit(f"{base}/read?url={quote(page, safe='')}") for page in pages}
    assert {page: n for page, n in ran.items() if n} == {}


def test_none_runs_in_the_workbench(listening: Listening, base: str, pages: list[str]) -> None:
    ran = {
        page: listening.visit(f"{base}/inspect?url={quote(page, safe='')}", "#picture[data-ready]") for page in pages
    }
    assert {page: n for page, n in ran.items() if n} == {}
