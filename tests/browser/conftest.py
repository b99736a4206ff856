"""A Chromium for the tests of a module, driven by Playwright, and a server of ours to look at."""

from __future__ import annotations

import base64
import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import pytest

from tests.server.running import FIXTURES, serve
from tests.web_sites import Site, publish
from webclean.server import ServerSettings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

FLAGS = """
    --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync
""".split()  # noqa: SIM905  a table of words reads better
NAMES = ("chromium", "chromium-browser", "google-chrome")


def give_up(reason: str) -> NoReturn:
    if os.environ.get("WEBCLEAN_BROWSER") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser; the tests that need one are skipped where there is none. Not one for the session: while Playwright
    runs, other tests cannot run an event loop."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if find_spec("playwright") is None:
        give_up("playwright is not installed")
    if path is None:
        give_up("Chromium is not installed")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  an extra of the tests

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, which looks for what people with assistive technology cannot use."""
    spec = find_spec("axe_playwright_python")
    if spec is None or spec.origin is None:
        give_up("axe-playwright-python is not installed")
    return (Path(spec.origin).parent / "axe.min.js").read_text(encoding="utf-8")


def list_violations(found: dict[str, Any]) -> list[str]:
    """The serious findings of axe, a line each."""
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:120]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


PIXEL: Final = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="
)


class Watched:
    """A tab, and what went wrong in it. Nothing but this machine is asked: other addresses give an image of a pixel."""

    def __init__(self, browser: Browser, *, width: int = 1280, dark: bool = False, bypass_csp: bool = False) -> None:
        scheme = "dark" if dark else "light"
        self.context = browser.new_context(
            viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=bypass_csp
        )
        self.page: Page = self.context.new_page()
        self.faults: list[str] = []
        self.page.on("console", lambda told: self.faults.append(told.text) if told.type == "error" else None)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.route("**/*", self._answer)

    def _answer(self, route: Route) -> None:
        if route.request.url.startswith(("http://127.0.0.1", "data:")):
            route.continue_()
        else:
            route.fulfill(status=200, content_type="image/png", body=PIXEL)

    def measure_overflow(self, width: int) -> int:
        """Pixels by which the page is wider than a window of a width."""
        self.page.set_viewport_size({"width": width, "height": 800})
        return int(self.page.evaluate("document.documentElement.scrollWidth - innerWidth"))


@pytest.fixture
def watched(chromium: Browser) -> Iterator[Watched]:
    tab = Watched(chromium)
    yield tab
    tab.context.close()


def list_fixtures() -> list[str]:
    """The pages of `fixtures/`, as paths of the site."""
    return sorted(f"/{path.parent.relative_to(FIXTURES)}" for path in FIXTURES.rglob("input.html"))


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    def find(path: str) -> tuple[dict[str, str], bytes] | None:
        file = FIXTURES / path.strip("/") / "input.html"
        if path.count("/") == 2 and file.is_file():
            return {"content-type": "text/html"}, file.read_bytes()
        return None if "missing" in path else ({"content-type": "image/png"}, PIXEL)

    with publish() as site:
        site.find = find
        yield site


@pytest.fixture(scope="module")
def rules_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rules")


@pytest.fixture(scope="module")
def base(rules_dir: Path) -> Iterator[str]:
    with serve(ServerSettings(workers=1, allow_private=True, rate="none", rules_dir=rules_dir)) as base:
        yield base
