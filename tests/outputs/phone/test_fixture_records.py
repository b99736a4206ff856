"""The phone page of every fixture shows the records that JSON has, whatever the page type, and no litter."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

import webclean

FIXTURES = Path(__file__).parents[3] / "fixtures"
PAGES = sorted(path.parent for path in FIXTURES.glob("*/*/input.html"))
_TAG = re.compile(r"<[^>]*>")
_ITEM = re.compile(r"<li\b[^>]*>(.*?)</li>", re.DOTALL)


def read_text(markup: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", markup)).split())


@pytest.mark.parametrize("folder", PAGES, ids=[str(path.relative_to(FIXTURES)) for path in PAGES])
def test_the_phone_page_shows_the_records_of_kept_blocks(folder: Path) -> None:
    url = json.loads((folder / "meta.json").read_text(encoding="utf-8")).get("url")
    page = webclean.clean((folder / "input.html").read_bytes(), url=url or None)
    document = page.to_mobile_html(include_images=False)
    body = document[document.index("<body") :]
    shown = read_text(body).replace(" ", "").casefold()
    titles = [record.title for block in page.blocks if block.kept for record in block.records if record.title]
    assert [title for title in titles if "".join(title.split()).casefold() not in shown] == []
    items = [read_text(item) for item in _ITEM.findall(re.sub(r"<nav.*?</nav>", "", body, flags=re.DOTALL))]
    assert [item for item in items if not any(map(str.isalpha, item))] == []
