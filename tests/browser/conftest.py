"""One Chromium for all tests of a session, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FLAGS = """
    --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync
""".split()  # noqa: SIM905  a table of words reads better
NAMES = ("chromium", "chromium-browser", "google-chrome")


def give_up(reason: str) -> NoReturn:
    if os.environ.get("WEBCLEAN_BROWSER") == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """A browser; the tests that need one are skipped where there is none."""
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
