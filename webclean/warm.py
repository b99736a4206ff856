"""Importing this reads and compiles the shipped rules, so that the next page takes no longer than any other.

For processes that others are forked from (`WorkerPool(preload=("webclean.warm",))`), and servers before their first
request. Pages of every type are cleaned, since each type has rules of its own.
"""

from __future__ import annotations

from typing import Final

from webclean.model import PageType
from webclean.pipeline import Cleaner

_PAGE: Final = """<!doctype html><html lang=en><title>Peas in gutters - The Plot</title>
<script type="application/ld+json">{"@type": "Article", "headline": "Peas in gutters", "author": {"name": "Nell Marsh"},
"datePublished": "2018-02-11"}</script>
<nav><ul><li><a href=/>Home</a><li><a href=/news>News</a></ul></nav>
<main><article><h1>Peas in gutters</h1><p>By <a rel=author href=/nell>Nell Marsh</a>, 11 February 2018</p>
<p>Mice eat peas, and they find them where they are sown. So sow them in a gutter, under a roof, where no mouse comes,
and let them slide into the row when they are as long as a finger.</p>
<table><tr><th>Peas<th>Days<tr><td>Early<td>60</table></article></main>
<ul><li><a href=/1>Beans, and what eats them</a><p>The first of May.<li><a href=/2>Leeks, sown late</a><p>Sand.</ul>
<footer>Copyright 2018 The Plot</footer>"""
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
