"""The picture of the workbench in docs/serve.md: a page of the fixtures, with a text chosen and a rule that is tried.

usage: python benchmarks/serve_picture.py [FILE]     (default: docs/pictures/workbench.png)
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import checkout
import httpx
from PIL import Image
from playwright.sync_api import sync_playwright

PAGE: Final = checkout.CLONE / "fixtures" / "content" / "blog-comments" / "input.html"
PICTURE: Final = checkout.CLONE / "docs" / "pictures" / "workbench.png"
FLAGS: Final = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-sync", "--disable-background-networking"]


def draw(base: str, target: Path) -> None:
    """Open the page in the workbench, drop a text, and take the picture."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 760})
        page.goto(base)
        page.locator("#url").fill("https://lintel.example/doors/rehanging")
        page.locator("#file").set_input_files(PAGE)
        page.get_by_role("button", name="Inspect").click()
        page.wait_for_selector("#picture[data-ready]")
        page.frame_locator("#picture").locator("[data-wc-text]", has_text="I had read all the usual").last.click()
        page.locator("#reasons input").fill("advice of others")
        page.get_by_role("button", name="Drop such text").click()
        page.wait_for_selector("#changes del")
        page.wait_for_selector("#reasons .bad")
        page.wait_for_timeout(500)
        target.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=target, type="png")
        Image.open(target).quantize(64).save(target, optimize=True)
        browser.close()


def main() -> None:
    """Start a server and take the picture."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "webclean", "serve", "--port", str(port), "--workers", "1"]
    with subprocess.Popen(command, cwd=checkout.CLONE) as server:
        try:
            for _ in range(300):
                try:
                    httpx.get(f"http://127.0.0.1:{port}/healthz", trust_env=False)
                    break
                except httpx.TransportError:
                    time.sleep(0.2)
            draw(f"http://127.0.0.1:{port}", target)
        finally:
            server.terminate()


if __name__ == "__main__":
    main()
