"""The pictures of README and docs, as Chromium shows what webclean makes of pages of the fixtures.

usage: python benchmarks/pictures.py [DIR]                 (default: docs/pictures)
       python benchmarks/pictures.py --phone FILE.png [--width 390] [--dark]      phone pages side by side
       python benchmarks/pictures.py --workbench [FILE.png]                       a rule that is tried in the workbench

What `explain` says of a story, the sections of a portal, the blocks of a thread, the blocks of the patent on pages of
three types. Photos are grey, for nothing is fetched.
Chromium is needed, and Playwright and Pillow (extra `test`).
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import checkout
from harness import DOCS, make_parser
from page_folders import FIXTURES, read_fixture

import webclean

PICTURES: Final = DOCS / "pictures"
STORY: Final = "fixtures/content/news-en-harbour/input.html"
PORTAL: Final = "fixtures/index/portal-en-front/input.html"
THREAD: Final = "fixtures/content/forum-thread-en/input.html"
ON_PHONES: Final = (
    "content/news-en-harbour",
    "content/forum-thread-en",
    "content/product-teapot",
    "content/docs-code-tables",
    "index/portal-en-front",
    "index/shop-category-lamps",
)
"""Fixtures of the picture of phone pages, one a layout."""
TERMINAL: Final = """<!doctype html><meta charset=utf-8>
<style>body{{margin:0;background:#101a1f;color:#d8e2e5;padding:16px}}
pre{{font:13px/1.45 'DejaVu Sans Mono',monospace;margin:0}}b{{color:#7fd6c2}}</style><pre><b>$ {}</b>
{}</pre>"""
COMMANDS: Final = {
    "explain": (f"webclean explain {STORY}", 850, 640),
    "sections": (f"webclean blocks {PORTAL}", 850, 640),
    "blocks": (f"webclean blocks {THREAD} --html OUT", 1000, 750),
    **{
        f"patent-{Path(page).name}": (
            f"webclean blocks fixtures/{page}/input.html --method patent --html OUT",
            600,
            1300,
        )
        for page in ("content/news-en-harbour", "multi_block/museum-visit", "index/portal-en-front")
    },
}
"""Name of the picture -> the command, with OUT where it writes a document; width and height in pixels."""
_FLAGS: Final = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
_PHOTO: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="#a9b7b7"/>'
    '<path d="M0 600 300 200 500 450 620 320 800 600z" fill="#71807f"/></svg>'
)


@contextmanager
def open_browser() -> Iterator[Any]:
    """The Chromium of this machine, driven by Playwright."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  an extra

    path = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_FLAGS.split())
        yield browser
        browser.close()


def open_tab(browser: Any, width: int, height: int, scheme: str = "light") -> Any:
    """A page of the browser whose photos are grey."""
    size = {"width": width, "height": height}
    tab = browser.new_page(viewport=size, color_scheme=scheme, reduced_motion="reduce")
    tab.route("**/*", lambda route: route.fulfill(status=200, content_type="image/svg+xml", body=_PHOTO))
    return tab


def take_pictures(documents: Iterable[str], width: int, height: int, scheme: str = "light") -> list[bytes]:
    """The top of each document as PNG."""
    with open_browser() as browser:
        tab, taken = open_tab(browser, width, height, scheme), []
        for document in documents:
            tab.set_content(document, wait_until="load")
            taken.append(tab.screenshot())
        return taken


def join_pictures(pictures: Sequence[bytes], gap: int = 14) -> Any:
    """Pictures side by side on grey, at two thirds of their size and in few colours, so that the file is small."""
    from PIL import Image  # noqa: PLC0415  of the tests alone

    images = [Image.open(BytesIO(picture)).convert("RGB") for picture in pictures]
    width, height = images[0].size
    sheet = Image.new("RGB", (gap + (width + gap) * len(images), height + 2 * gap), "#d8d8d8")
    for number, image in enumerate(images):
        sheet.paste(image, (gap + (width + gap) * number, gap))
    small = sheet.resize((sheet.width * 2 // 3, sheet.height * 2 // 3), Image.Resampling.LANCZOS)
    return small.quantize(32)


def make_document(command: str, folder: Path) -> str:
    """The document that a command writes, or one that shows its output as a terminal does."""
    out = folder / "out.html"
    words = [str(out) if word == "OUT" else word for word in command.split()[1:]]
    done = subprocess.run(
        [sys.executable, "-m", "webclean", *words],
        cwd=checkout.CLONE,
        env={**os.environ, "COLUMNS": "104"},
        capture_output=True,
        text=True,
        check=True,
    )
    return out.read_text(encoding="utf-8") if "OUT" in command else TERMINAL.format(command, escape(done.stdout))


def draw_workbench(base: str) -> bytes:
    """Open a page in the workbench at a URL, drop a text, and take the picture."""
    with open_browser() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 760})
        page.goto(base)
        page.locator("#url").fill("https://lintel.example/doors/rehanging")
        page.locator("#file").set_input_files(FIXTURES / "content" / "blog-comments" / "input.html")
        page.get_by_role("button", name="Inspect").click()
        page.wait_for_selector("#picture[data-ready]")
        page.frame_locator("#picture").locator("[data-wc-text]", has_text="I had read all the usual").last.click()
        page.locator("#reasons input").fill("advice of others")
        page.get_by_role("button", name="Drop such text").click()
        page.wait_for_selector("#changes del")
        page.wait_for_selector("#reasons .bad")
        page.wait_for_timeout(500)
        picture: bytes = page.screenshot(type="png")
        return picture


def take_workbench() -> bytes:
    """Start a server and take the picture."""
    import httpx  # noqa: PLC0415  an extra

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        base = f"http://127.0.0.1:{probe.getsockname()[1]}"
    command = [sys.executable, "-m", "webclean", "serve", "--port", base.rpartition(":")[2], "--workers", "1"]
    with subprocess.Popen(command, cwd=checkout.CLONE) as server:
        try:
            for _ in range(300):
                try:
                    httpx.get(f"{base}/healthz", trust_env=False)
                    break
                except httpx.TransportError:
                    time.sleep(0.2)
            return draw_workbench(base)
        finally:
            server.terminate()


def main() -> None:
    from PIL import Image  # noqa: PLC0415  of the extra

    parser = make_parser(__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=PICTURES, metavar="DIR")
    parser.add_argument("--phone", type=Path, metavar="FILE", help="phone pages of several fixtures, side by side")
    parser.add_argument("--workbench", type=Path, nargs="?", const=PICTURES / "workbench.png", metavar="FILE")
    parser.add_argument("--width", type=int, default=390, metavar="PIXELS", help="of the phone")
    parser.add_argument("--dark", action="store_true", help="phone pages as readers see them who prefer dark")
    args = parser.parse_args()
    if args.phone:
        pages = [read_fixture(FIXTURES / name) for name in ON_PHONES]
        documents = [webclean.clean(page.html, url=page.url or None).to_mobile_html() for page in pages]
        taken = take_pictures(documents, args.width, 844, "dark" if args.dark else "light")
        join_pictures(taken).save(args.phone, optimize=True)
    elif args.workbench:
        Image.open(BytesIO(take_workbench())).quantize(64).save(args.workbench, optimize=True)
    else:
        for name, (command, width, height) in COMMANDS.items():
            with tempfile.TemporaryDirectory() as work:
                document = make_document(command, Path(work))
            (picture,) = take_pictures([document], width, height)
            Image.open(BytesIO(picture)).convert("RGB").quantize(64).save(args.folder / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
