"""How often a browser lands on a block by its `fragment`: opens each block of each fixture page in Chromium.

usage: python benchmarks/text_fragments.py [--every N]     needs the extra `render` and Chromium

A block is found if it is in the 120 pixels that are shown: the browser scrolled to it, or it is at the top of the page.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from harness import make_parser
from page_folders import FIXTURES
from pictures import open_browser

import webclean

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


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--every", type=int, default=1, help="every N-th page")
    args = parser.parse_args()
    with open_browser() as browser:
        pages = sorted(FIXTURES.glob("*/*/input.html"))[:: args.every]
        found = [block for page in pages for block in open_blocks(browser, page)]
    print(*(fragment for fragment, is_found in found if not is_found), sep="\n")
    print(f"{sum(is_found for _, is_found in found)} of {len(found)} blocks found")


if __name__ == "__main__":
    main()
