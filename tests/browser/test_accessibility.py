"""An accessibility scan by axe-core: nothing serious, in light and dark, on the pages of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.browser.conftest import Watched, list_violations
from tests.web_sites import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def scan(watched: Watched, axe: str) -> list[str]:
    watched.page.evaluate(axe)
    return list_violations(watched.page.evaluate("() => axe.run()"))


@pytest.mark.parametrize("dark", [False, True])
def test_our_pages_have_no_serious_barriers(chromium: Browser, axe: str, base: str, site: Site, *, dark: bool) -> None:
    watched = Watched(chromium, dark=dark, bypass_csp=True)
    article = quote(f"{site.base}/content/blog-comments", safe="")
    for path in ("/", "/docs", "/login", "/read?url=http://127.0.0.1:1/", f"/read?url={article}"):
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
