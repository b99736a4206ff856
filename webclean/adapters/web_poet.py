"""web-poet, and Scrapy by scrapy-poet: a page object with the fields of a cleaned page. Needs the extra `scrapy`.

A page object for a site inherits from `CleanWebPage` and overrides the fields that it knows better.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from web_poet import WebPage, field

from webclean.page import CleanPage
from webclean.pipeline import Cleaner


def _take(name: str) -> Any:
    """A field that is an attribute of the cleaned page."""
    return field(lambda page: getattr(page.page, name))


class CleanWebPage(WebPage[dict[str, Any]]):
    """A page; its item is a dictionary. `cleaner` may be another one, with rules of its own, in a class for a site."""

    cleaner: Cleaner | None = None

    @cached_property
    def page(self) -> CleanPage:
        """The page as webclean knows it."""
        declared = self.response.headers.declared_encoding()
        cleaner = self.cleaner or Cleaner()
        return cleaner.clean(bytes(self.response.body), url=str(self.response.url), charset=declared)

    @field
    def url(self) -> str:
        """The URL after redirects."""
        return str(self.response.url)

    title, date, author = map(_take, ("title", "date", "author"))

    @field
    def page_type(self) -> str:
        """One of `webclean.PageType`."""
        return str(self.page.page_type)

    text = _take("text")

    @field
    def blocks(self) -> list[dict[str, Any]]:
        """A row for each semantic block."""
        return self.page.block_rows()
