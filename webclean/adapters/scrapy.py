"""Scrapy: cleaned responses, an item pipeline, and a middleware that follows links on a topic first.

Needs the extra `scrapy`. Settings: `WEBCLEAN_RULES` (a rule file or folder, or several), `WEBCLEAN_PROFILE`,
`WEBCLEAN_TOPIC` (words; or the spider's attribute `topic`, also example texts), `WEBCLEAN_TOPIC_MINIMUM` (0 to 1: links
below it are not followed; 0 by default) and `WEBCLEAN_TOPIC_WEIGHT` (priority of the best link of a page; 100 by
default).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, Self

from itemadapter import ItemAdapter
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware
from w3lib.encoding import http_content_type_encoding
from w3lib.url import safe_url_string

from webclean.errors import WebcleanError
from webclean.page import CleanPage
from webclean.pipeline import Cleaner
from webclean.web.frontier import rank_links

FIELDS: Final = ("title", "date", "author", "language", "page_type", "text")
"""What `CleanPipeline` adds to an item that does not have it."""


@lru_cache(maxsize=1)
def _get_cleaner() -> Cleaner:
    return Cleaner()


def clean_response(response: Any, cleaner: Cleaner | None = None) -> CleanPage:
    """The page of a response: of Scrapy, or any object with `body`, `url` and `headers`. Raises what `clean` raises."""
    declared = response.headers.get("Content-Type") or ""
    declared = declared.decode("latin-1") if isinstance(declared, bytes) else declared
    charset = http_content_type_encoding(declared)
    return (cleaner or _get_cleaner()).clean(bytes(response.body), url=str(response.url), charset=charset)


def parse_blocks(response: Any, cleaner: Cleaner | None = None) -> Iterator[dict[str, Any]]:
    """An item for each semantic block: the row of `CleanPage.block_rows`, with `link`, which opens the page there."""
    page = clean_response(response, cleaner)
    for row in page.block_rows():
        yield {**row, "link": f"{str(response.url).partition('#')[0]}{row['fragment']}"}


def _read_cleaner(settings: Any) -> Cleaner:
    return Cleaner(
        rules=settings.getlist("WEBCLEAN_RULES") or None, profile=settings.get("WEBCLEAN_PROFILE", "balanced")
    )


class CleanPipeline:
    """Cleans the `html` of items, with their `url`, and puts in its place what is in `FIELDS`.

    An item without `html` passes as it is; one that cannot be cleaned has `error` with the reason.
    """

    def __init__(self, cleaner: Cleaner) -> None:
        self.cleaner = cleaner

    @classmethod
    def from_crawler(cls, crawler: Any) -> Self:
        """Made by Scrapy."""
        return cls(_read_cleaner(crawler.settings))

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


class TopicMiddleware(BaseSpiderMiddleware):
    """Gives each request for a link the priority of its promise on the topic (`webclean.web.frontier`), with the score
    in `meta["webclean_score"]`. Requests that are no link of the page pass as they are."""

    def __init__(self, crawler: Any) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        self.cleaner = _read_cleaner(settings)
        self.topic = getattr(crawler.spider, "topic", None) or settings.get("WEBCLEAN_TOPIC", "")
        self.minimum = settings.getfloat("WEBCLEAN_TOPIC_MINIMUM", 0.0)
        self.weight = settings.getint("WEBCLEAN_TOPIC_WEIGHT", 100)
        self._rank = lru_cache(maxsize=1)(self._rank_links)

    def get_processed_request(self, request: Any, response: Any) -> Any:
        """The request with its priority; None for a link below the minimum."""
        score = None if response is None or not self.topic else self._rank(response).get(_name(request.url))
        if score is None:
            return request
        if score < self.minimum:
            self.crawler.stats.inc_value("webclean/off_topic")
            return None
        priority = request.priority + round(self.weight * score)
        return request.replace(priority=priority, meta={**request.meta, "webclean_score": score})

    def _rank_links(self, response: Any) -> dict[str, float]:
        """URL -> score, of the links of a page; none for what is no page."""
        try:
            ranked = rank_links(clean_response(response, self.cleaner), self.topic)
        except WebcleanError:
            self.crawler.stats.inc_value("webclean/not_ranked")
            return {}
        return {_name(link.url): link.score for link in ranked}


def _name(url: str) -> str:
    """A URL as requests have it, without its fragment."""
    return str(safe_url_string(url)).partition("#")[0]
