"""The URL that relative URLs of a page are relative to (HTML 2.4.3, document base URL)."""

from __future__ import annotations

from webclean.caching import cached_per_page
from webclean.model import Document
from webclean.parse.columns import read_attribute
from webclean.parse.url import MAX_BASE, join_url, split_url


@cached_per_page
def find_base(document: Document) -> str | None:
    """The first `<base href>`, itself relative to the URL of the page, if it leads to a page; else the page's URL."""
    for row, name in enumerate(document.names):
        if name == "base" and (href := read_attribute(document, row, "href")):
            base = join_url(document.url, "".join(href.split()))
            return base if base and _is_usable(base, document.url) else document.url
        if name == "body":
            break
    return document.url


def _is_usable(base: str, url: str | None) -> bool:
    scheme = split_url(base).scheme
    return len(base) <= MAX_BASE and (scheme in ("http", "https") or not (scheme or url or base.startswith("//")))
