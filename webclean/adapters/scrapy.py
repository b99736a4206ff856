"""Scrapy: cleaned responses, an item pipeline, and a middleware that follows links on a topic first.

Needs the extra `scrapy`. Settings: `WEBCLEAN_RULES` (a rule file or folder, or several), `WEBCLEAN_PROFILE`,
`WEBCLEAN_TOPIC` (words; or the spider's attribute `topic`, also example texts), `WEBCLEAN_TOPIC_MINIMUM` (0 to 1: links
below it are not followed; 0 by default) and `WEBCLEAN_TOPIC_WEIGHT` (priority of a link that says all of it; 100 by
default).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Self

from itemadapter import ItemAdapter

from webclean.errors import WebcleanError
from webclean.pipeline import Cleaner
from webclean.web.crawl import TopicMiddleware, clean_response, read_cleaner

__all__ = ["CleanPipeline", "TopicMiddleware", "clean_response", "parse_blocks"]

FIELDS: Final = ("title", "date", "author", "language", "page_type", "text")
"""What `CleanPipeline` adds to an item that does not have it."""


def parse_blocks(response: Any, cleaner: Cleaner | None = None) -> Iterator[dict[str, Any]]:
    """An item for each semantic block: the row of `CleanPage.block_rows`, with `link`, which opens the page there."""
    page = clean_response(response, cleaner)
    for row in page.block_rows():
        yield {**row, "link": f"{str(response.url).partition('#')[0]}{row['fragment']}"}


class CleanPipeline:
    """Cleans the `html` of items, with their `url`, and puts in its place what is in `FIELDS`.

    An item without `html` passes as it is; one that cannot be cleaned has `error` with the reason.
    """

    def __init__(self, cleaner: Cleaner) -> None:
        self.cleaner = cleaner

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        """Made by Scrapy."""
        return cls(read_cleaner(crawler.settings))

    def process_item(self, item: Any) -> Any:
        """The item without `html`, with the fields."""
        found = ItemAdapter(item)
        html = found.get("html")
        if html is None:
            return item
        del found["html"]
        try:
            page = self.cleaner.clean(html, url=found.get("url"))
            for name in FIELDS:
                found.setdefault(name, getattr(page, name))
        except WebcleanError as error:
            found["error"] = str(error)
        return item
