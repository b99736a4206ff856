"""Links to blocks, opened by a real Chromium."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import text_fragments

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


@pytest.mark.parametrize("name", ["content/encyclopedia-lighthouse", "index/blog-front-teasers"])
def test_the_browser_lands_on_the_block(chromium: Browser, name: str) -> None:
    found = text_fragments.open_blocks(chromium, FIXTURES / name / "input.html")
    missed = [fragment for fragment, is_found in found if not is_found]
    assert len(found) > 8
    assert len(missed) <= len(found) // 10, missed
