"""Reading mode in a browser: on narrow and wide screens, from the form to a page and on; and an accessibility
scan by axe-core of all pages of the server, in light and dark."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.browser.conftest import Watched, list_fixtures, list_violations
from tests.server.running import ARTICLE, connect
from tests.web_sites import Site

WIDTHS = (320, 390, 1280)


@pytest.mark.parametrize("path", list_fixtures()[::3])
def test_no_page_is_wider_than_the_screen(watched: Watched, base: str, site: Site, path: str) -> None:
    watched.page.goto(f"{base}/read?url={quote(site.base + path, safe='')}")
    assert {width: watched.measure_overflow(width) for width in WIDTHS} == dict.fromkeys(WIDTHS, 0)
    assert watched.faults == []


@pytest.mark.parametrize("path", ["/", "/read?url=http://127.0.0.1:1/"])
def test_no_page_of_ours_is_wider_than_the_screen(watched: Watched, base: str, path: str) -> None:
    watched.page.goto(base + path)
    assert {width: watched.measure_overflow(width) for width in WIDTHS} == dict.fromkeys(WIDTHS, 0)
    assert [fault for fault in watched.faults if "502" not in fault] == []


def test_from_the_form_to_a_page_and_on(watched: Watched, base: str, site: Site) -> None:
    site.pages["/start"] = ({"content-type": "text/html"}, write_long_page())
    page = watched.page
    page.goto(base)
    page.keyboard.press("Tab")
    page.keyboard.type(f"{site.base}/start")
    page.keyboard.press("Enter")
    page.wait_for_url("**/read?url=*")
    assert page.locator("h1").inner_text() == "Ferries of the bay"
    page.get_by_role("link", name="the islands").first.click()
    page.wait_for_url("**islands*")
    assert page.locator("h1").inner_text() == "Rehanging a warped door without losing your temper"
    page.go_back()
    page.get_by_role("link", name="Why is it so?").click()
    page.wait_for_selector("#tree [role=treeitem]")
    assert page.locator("#title").inner_text() == "Ferries of the bay"
    page.get_by_role("link", name="Read it").click()
    page.wait_for_url("**/read?*")
    assert watched.faults == []


def write_long_page() -> bytes:
    days = (
        f"<h2>Day {day}</h2><p>On day {day} the ferry to <a href=/islands>the islands</a> leaves at nine, and whoever "
        f"wants a seat by the window comes early. {'The sea is calm and the islands are green. ' * 12}</p>"
        for day in range(100)
    )
    return f"<title>Ferries of the bay</title><h1>Ferries of the bay</h1>{''.join(days)}".encode()


@pytest.fixture(autouse=True)
def islands(site: Site) -> None:
    site.pages["/islands"] = ({"content-type": "text/html"}, ARTICLE)


def test_files_are_dropped_or_chosen_and_html_is_pasted(watched: Watched, base: str) -> None:
    page = watched.page
    page.goto(base)
    page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.items.add(new File(["<h1>Dropped</h1><p>The ferry leaves at nine, and it is full.</p>"], "drop.html"));
          document.getElementById("drop").dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true}));
        }"""
    )
    assert page.locator("#dropped").inner_text().startswith("drop.html, 64 bytes")
    page.get_by_role("button", name="Read").click()
    page.wait_for_url("**/read?page=*")
    assert page.locator("h1").inner_text() == "Dropped"
    page.goto(base)
    page.locator("#file").set_input_files({"name": "a.html", "mimeType": "text/html", "buffer": ARTICLE})
    page.get_by_role("button", name="Inspect").click()
    page.wait_for_selector("#tree [role=treeitem]")
    page.goto(base)
    page.get_by_text("Paste HTML instead").click()
    page.get_by_label("HTML of a page").fill("<h1>Pasted</h1><p>The ferry leaves at nine, and it is full.</p>")
    page.get_by_role("button", name="Read").click()
    page.wait_for_url("**/read?page=*")
    assert page.locator("h1").inner_text() == "Pasted"
    assert watched.faults == []


if TYPE_CHECKING:
    from playwright.sync_api import Browser


def scan(watched: Watched, axe: str) -> list[str]:
    watched.page.evaluate(axe)
    return list_violations(watched.page.evaluate("() => axe.run()"))


@pytest.mark.parametrize("dark", [False, True])
def test_our_pages_have_no_serious_barriers(chromium: Browser, axe: str, base: str, site: Site, *, dark: bool) -> None:
    watched = Watched(chromium, dark=dark, bypass_csp=True)
    article = quote(f"{site.base}/content/blog-comments", safe="")
    for path in ("/", "/read?url=http://127.0.0.1:1/", f"/read?url={article}"):
        watched.page.goto(base + path)
        assert scan(watched, axe) == [], path
    watched.page.goto(f"{base}/inspect?url={article}")
    watched.page.wait_for_selector("#picture[data-ready]")
    watched.page.frame_locator("#picture").locator("main p[data-wc-text]").first.click()
    watched.page.wait_for_selector("#reasons blockquote")
    watched.page.locator("#yaml").fill(
        "rules:\n  w:\n    when: {selector: main p}\n    action: drop\n    because: todo\n"
    )
    watched.page.wait_for_selector("#changes del")
    watched.page.evaluate("document.getElementById('picture').remove()")  # what strangers wrote has faults of its own
    assert scan(watched, axe) == []
    watched.context.close()


def test_a_browser_sends_the_token_that_its_user_gave_with_all_that_a_page_loads(chromium: Browser) -> None:
    token = "a token of the tests"
    with connect({"authorization": f"Bearer {token}"}, token=token) as client:
        opened = client.post("/open", data={"html": ARTICLE.decode(), "to": "inspect"}).headers["location"]
        context = chromium.new_context(http_credentials={"username": "ada", "password": token})
        page = context.new_page()
        page.goto(f"{str(client.base_url).rstrip('/')}{opened}")
        page.wait_for_selector("#picture[data-ready]")
        assert page.frame_locator("#picture").locator("main p").first.is_visible()
        context.close()
