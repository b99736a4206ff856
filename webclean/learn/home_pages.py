"""Home pages whose blocks people marked -> labelled pages of the types `listing` and `service`.

Corpora of extraction hold articles; what front pages look like is learnt from pages that people cut into blocks
(`webclean.learn.marked_pages`). By the marked text, a portal's front page is mostly lists of links, and that of a firm
or an office has few of them and no article; what lies between says nothing sure of its type and is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from webclean.compare.dataset import LabelledPage
from webclean.learn.marked_pages import MarkedPage, read_marked_files, read_marked_page, remove_marks
from webclean.rules import RuleSet

LISTED: Final = 0.35
"""Least share of `LinkList` in the marked characters of a listing."""
UNLISTED: Final = 0.3
"""The share of `LinkList` that a service stays below."""
WRITTEN: Final = 0.5
"""The share of `Article` that a service stays below."""
LEAST: Final = 500
"""Marked characters: a page with fewer says too little of its type."""


def read_home_pages(folder: Path, rules: RuleSet) -> Iterator[LabelledPage]:
    """The listings and services among the marked pages of a folder, as they were before the marks.

    A file is named after its site. Raises `InputError` for a folder without pages.
    """
    for name, html in read_marked_files(folder):
        if page_type := tell_type(read_marked_page(name, html, rules)):
            yield _label(name, remove_marks(html), page_type, folder.resolve().name)


def tell_type(page: MarkedPage) -> str:
    """`listing` or `service` by the shares of the marked characters; '' for what is neither."""
    total = sum(page.cells.values())
    if total < LEAST:
        return ""
    by_kind: Counter[str] = Counter()
    for (_, mark), n_chars in page.cells.items():
        by_kind[page.kinds[mark]] += n_chars
    listed, written = by_kind["LinkList"] / total, by_kind["Article"] / total
    if listed >= LISTED:
        return "listing"
    return "service" if listed < UNLISTED and written < WRITTEN else ""


def _label(name: str, html: bytes, page_type: str, corpus: str) -> LabelledPage:
    site = name.removesuffix(".gz").removesuffix(".html")
    return LabelledPage(
        id=site,
        url=f"http://{site}/",
        html=html,
        text="",
        page_type=page_type,
        title=None,
        date=None,
        author=None,
        stripped=False,
        domain=site,
        corpus=corpus,
    )
