"""Importing this reads and compiles the shipped rules, so that the next page takes no longer than any other.

For processes that others are forked from (`WorkerPool(preload=("webclean.warm",))`), and servers before their first
request. Pages of every type are cleaned, since each type has rules of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from webclean.model import PageType
from webclean.pipeline import Cleaner

_PAGE: Final = Path(__file__).with_name("warm.html").read_text(encoding="utf-8")
_PLAIN: Final = (
    "<p>Peas are sown in March, under glass, and they are set out when the nights are warm, in rows.</p>" * 5
)
"""A page that says nothing of itself, so that every way to find a field is tried."""


def warm_up(cleaner: Cleaner | None = None) -> None:
    """Clean a page as each type, and compute all that is computed of a page."""
    cleaner = cleaner or Cleaner()
    url = "https://example.org/2018/02/11/peas-in-gutters"
    for html, page_type in ((_PLAIN, None), *((_PAGE, page_type) for page_type in PageType)):
        page = cleaner.clean(html, url=url, page_type=page_type)
        page.to_dict()
        page.to_markdown()
        page.block_rows()
        page.record_rows()


warm_up()
