"""feedparser and Scrapy: the entries of the feeds and sitemaps of a site. Needs the extra `crawl`.

Feeds are RSS and Atom of any version: the address itself, or those that the page links to (`rel=alternate`, HTML
4.6.7.1). Sitemaps (https://www.sitemaps.org/protocol.html) are the address itself, those that robots.txt names, or
`/sitemap.xml`; indexes are followed.
"""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final

import feedparser
from lxml.etree import LxmlError
from scrapy.utils.sitemap import Sitemap, sitemap_urls_from_robots

from webclean.errors import FetchError, InputError
from webclean.model import Limits
from webclean.parse import read_source
from webclean.parse.limits import start_budget
from webclean.parse.snippets import list_attributes
from webclean.parse.url import is_of_web, join_url
from webclean.storage import unpack
from webclean.web.fetch import WANTED, Fetched, FetchLimits, fetch_bytes

FEEDS: Final = WANTED["feeds"]
_LOGGER: Final = logging.getLogger(__name__)
_FEED_TYPES: Final = frozenset(("application/rss+xml", "application/atom+xml", "application/rdf+xml"))
_MAX_FILES: Final = 50
"""Feeds or sitemaps of one site that are read."""
_PAUSE: Final = 1.0
"""Seconds between two of them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A page that a feed or sitemap names. date: ISO 8601, as far as stated. source: the feed or sitemap."""

    url: str
    title: str
    date: str
    source: str


def list_entries(url: str, limits: FetchLimits, *, feeds: bool, sitemaps: bool) -> Iterator[Entry]:
    """What the feeds, the sitemaps, or both name, each address once. Raises as these do."""
    of_feeds = list_feed_entries(url, limits) if feeds else ()
    known: set[str] = set()
    for entry in chain(of_feeds, list_sitemap_entries(url, limits) if sitemaps else ()):
        if is_of_web(entry.url) and entry.url not in known:
            known.add(entry.url)
            yield entry


def list_feed_entries(url: str, limits: FetchLimits) -> Iterator[Entry]:
    """The entries of the feeds of a page, or of the feed at the address. Raises `FetchError`, and `InputError` where
    there is no feed."""
    fetched = fetch_bytes(url, limits, wanted=FEEDS)
    feeds: Iterable[Fetched] = [fetched]
    if not _parse_feed(fetched).version:
        markup = read_source(fetched.body, start_budget(Limits(), "truncate"), fetched.charset).markup
        links = (
            join_url(fetched.url, link.get("href", ""))
            for link in list_attributes(markup, "link")
            if "alternate" in link.get("rel", "").lower().split() and link.get("type", "").lower() in _FEED_TYPES
        )
        linked = deque(dict.fromkeys(filter(None, links)))
        if not linked:
            raise InputError(f"{url}: is no feed and links to none")
        feeds = _fetch_each(linked, limits)
    for feed in feeds:
        for entry in _parse_feed(feed).entries:
            stamp = entry.get("published_parsed") or entry.get("updated_parsed")
            date = time.strftime("%Y-%m-%dT%H:%M:%SZ", stamp) if stamp else ""
            link = entry.get("link", "")
            address = (join_url(feed.url, link) or "") if link else ""
            yield Entry(address, " ".join(entry.get("title", "").split()), date, feed.url)


def _parse_feed(fetched: Fetched) -> Any:
    charset = f"; charset={fetched.charset}" if fetched.charset else ""
    headers = {"content-location": fetched.url, "content-type": f"{fetched.content_type}{charset}"}
    return feedparser.parse(unpack(fetched.body, Limits().max_bytes), response_headers=headers)


def list_sitemap_entries(url: str, limits: FetchLimits) -> Iterator[Entry]:
    """The pages that the sitemaps of a site name, or the sitemap at the address. Raises `FetchError`, and `InputError`
    where there is none."""
    # the largest that the protocol allows
    limits = replace(limits, max_bytes=52_428_800)
    # else it is any page of a site: its robots.txt says where its sitemaps are
    is_sitemap = url.lower().endswith((".xml", ".xml.gz"))
    waiting, n_read = deque([url] if is_sitemap else _find_sitemaps(url, limits)), 0
    known = set(waiting)
    for got in _fetch_each(waiting, limits):
        body = unpack(got.body, limits.max_bytes)
        try:
            sitemap = Sitemap(body) if body.strip() else ()
            is_index = getattr(sitemap, "type", "") == "sitemapindex"
            for row in sitemap:
                found = join_url(got.url, row.get("loc", "")) or ""
                n_read += 1
                if not is_index:
                    yield Entry(found, "", row.get("lastmod", ""), got.url)
                elif found not in known:  # an index that names itself would be read without end
                    known.add(found)
                    waiting.append(found)
        except (LxmlError, StopIteration, ValueError) as error:
            raise InputError(f"{got.url}: is no sitemap: {error}") from error
    if not n_read:
        raise InputError(f"{url}: names no page")


def _find_sitemaps(url: str, limits: FetchLimits) -> list[str]:
    try:
        robots = fetch_bytes(join_url(url, "/robots.txt") or url, limits)
    except FetchError:
        named = []
    else:
        named = list(sitemap_urls_from_robots(robots.body, robots.url))
    return named or [join_url(url, "/sitemap.xml") or url]


def _fetch_each(waiting: deque[str], limits: FetchLimits) -> Iterator[Fetched]:
    """What is at each address, also at those that are added meanwhile, one after the other with a pause. One that fails
    is told in the log; raises `FetchError` where all do."""
    failures: list[FetchError] = []
    n_asked = 0
    while waiting and n_asked < _MAX_FILES:
        time.sleep(_PAUSE if n_asked else 0)
        n_asked += 1
        try:
            fetched = fetch_bytes(waiting.popleft(), limits, wanted=FEEDS)
        except FetchError as error:
            failures.append(error)
            _LOGGER.warning("left out: %s", error)
        else:
            yield fetched
    if waiting:
        _LOGGER.warning("left out: %d more than the %d that are read of a site", len(waiting), _MAX_FILES)
    if failures and len(failures) == n_asked:
        raise failures[0]
