"""Links to blocks, opened by a real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import webclean

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
HEIGHT: Final = 120
_PLACE: Final = """paths => {
  const boxes = paths.map(path => document.evaluate(path, document, null, 9, null).singleNodeValue)
    .filter(node => node).map(node => node.getBoundingClientRect()).filter(box => box.height > 0)
  const tops = boxes.map(box => box.top), bottoms = boxes.map(box => box.bottom)
  return boxes.length ? [Math.min(...tops), Math.max(...bottoms), scrollY] : null
}"""


def open_blocks(browser: Any, path: Path) -> list[tuple[str, bool]]:
    """The fragment of each block of a page that has a place on it, and whether the browser lands there."""
    context = browser.new_context(viewport={"width": 1000, "height": HEIGHT})
    context.route("**/*", lambda route: route.continue_() if route.request.url.startswith("file:") else route.abort())
    found = []
    for block in webclean.clean(path).blocks:
        if block.fragment:
            page = context.new_page()
            page.goto(f"{path.as_uri()}{block.fragment}")
            page.wait_for_timeout(60)  # scrolling follows loading
            place = page.evaluate(_PLACE, list(block.xpaths))
            page.close()
            if place is not None:
                top, bottom, scrolled = place
                found.append((block.fragment, top < HEIGHT and bottom > 0 and (scrolled > 0 or top < HEIGHT - 20)))
    context.close()
    return found


@pytest.mark.parametrize("name", ["content/encyclopedia-lighthouse", "index/blog-front-teasers"])
def test_the_browser_lands_on_the_block(chromium: Browser, name: str) -> None:
    found = open_blocks(chromium, FIXTURES / name / "input.html")
    missed = [fragment for fragment, is_found in found if not is_found]
    assert len(found) > 8
    assert len(missed) <= len(found) // 10, missed
