"""A polite crawl of sites by Scrapy, links on a topic first: the topic crawler of the patent (A8).

Needs the extra `crawl` or `scrapy`; the settings that spiders of others take are those of `webclean.adapters.scrapy`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from functools import lru_cache
from ipaddress import ip_address
from typing import Any

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import CloseSpider, IgnoreRequest
from scrapy.http import HtmlResponse
from scrapy.linkextractors import LinkExtractor
from scrapy.resolver import CachingThreadedResolver
from scrapy.spidermiddlewares.base import BaseSpiderMiddleware
from twisted.internet.error import DNSLookupError
from w3lib.encoding import http_content_type_encoding
from w3lib.url import safe_url_string

from webclean.errors import WebcleanError
from webclean.page import CleanPage
from webclean.parse.url import find_host, find_registered_domain
from webclean.pipeline import Cleaner
from webclean.web import Crawl
from webclean.web.fetch import AGENT, is_public, may_be_public
from webclean.web.frontier import rank_links


@lru_cache(maxsize=1)
def _get_cleaner() -> Cleaner:
    return Cleaner()


def clean_response(response: Any, cleaner: Cleaner | None = None) -> CleanPage:
    """The page of a response: of Scrapy, or any object with `body`, `url` and `headers`. Raises what `clean` raises."""
    declared = response.headers.get("Content-Type") or ""
    declared = declared.decode("latin-1") if isinstance(declared, bytes) else declared
    charset = http_content_type_encoding(declared)
    return (cleaner or _get_cleaner()).clean(bytes(response.body), url=str(response.url), charset=charset)


def read_cleaner(settings: Any) -> Cleaner:
    return Cleaner(
        rules=settings.getlist("WEBCLEAN_RULES") or None, profile=settings.get("WEBCLEAN_PROFILE", "balanced")
    )


class TopicMiddleware(BaseSpiderMiddleware):
    """Gives each request for a link the priority of its promise on the topic (`webclean.web.frontier`), with the score
    in `meta["webclean_score"]`. Requests that are no link of the page pass as they are."""

    def __init__(self, crawler: Any) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        self.cleaner = read_cleaner(settings)
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


Take = Callable[[str, str, bytes], None]
"""Takes the URL of a page, its header Content-Type, and the page as served."""


def crawl_sites(crawl: Crawl, take: Take) -> Counter[str]:
    """Crawl in this process, which can do so once, and hand each page to `take`; why other addresses were not taken,
    and how many. The first interrupt ends the crawl in order.

    robots.txt is obeyed, one page of a host is asked for at a time, a slow server less often, links marked `nofollow`
    are not followed, and only public addresses are connected to unless the limits allow private ones.
    """
    settings: dict[str, Any] = {
        "USER_AGENT": AGENT,
        "ROBOTSTXT_OBEY": True,
        "DOWNLOAD_DELAY": crawl.delay,
        # requests that wait at the downloader can no longer be overtaken by a link that promises more
        "CONCURRENT_REQUESTS": len({find_host(url) for url in crawl.urls}),
        "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
        "AUTOTHROTTLE_ENABLED": True,
        "AUTOTHROTTLE_START_DELAY": crawl.delay,
        "DEPTH_LIMIT": crawl.max_depth,
        "DOWNLOAD_MAXSIZE": crawl.limits.max_bytes,
        "DOWNLOAD_TIMEOUT": crawl.limits.max_seconds,
        "REDIRECT_MAX_TIMES": crawl.limits.max_redirects,
        "COOKIES_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_LEVEL": "ERROR",
    }
    if not crawl.limits.allow_private:
        settings["DNS_RESOLVER"] = PublicResolver
        settings["DOWNLOADER_MIDDLEWARES"] = {PublicMiddleware: 10}
    if crawl.topic:
        settings["SPIDER_MIDDLEWARES"] = {TopicMiddleware: 450}
        settings["WEBCLEAN_TOPIC"] = crawl.topic
        settings["WEBCLEAN_TOPIC_MINIMUM"] = crawl.minimum
        settings["WEBCLEAN_RULES"] = [str(path) for path in crawl.rules]
    else:
        settings["DEPTH_PRIORITY"] = 1
        settings["SCHEDULER_DISK_QUEUE"] = "scrapy.squeues.PickleFifoDiskQueue"
        settings["SCHEDULER_MEMORY_QUEUE"] = "scrapy.squeues.FifoMemoryQueue"
    failed: Counter[str] = Counter()
    process = CrawlerProcess(settings)
    process.crawl(SiteSpider, crawl=crawl, take=take, failed=failed)
    process.start()
    return failed


class SiteSpider(Spider):
    """Takes the pages of some sites and follows their links, until there are as many as are wanted."""

    name = "webclean"

    def __init__(self, crawl: Crawl, take: Take, failed: Counter[str]) -> None:
        super().__init__()
        self.starts = crawl.urls
        # the registered domain: a site has its parts on several hosts
        self.allowed_domains = [find_registered_domain(url) or find_host(url) for url in crawl.urls]
        self.left, self.take, self.failed = crawl.max_pages, take, failed
        self.links = LinkExtractor(allow=crawl.follow or ())

    async def start(self) -> AsyncIterator[Any]:
        for url in self.starts:
            yield Request(url, errback=self.fail)

    def parse(self, response: Any) -> Iterator[Any]:
        if not isinstance(response, HtmlResponse):
            self.failed["no page"] += 1
            return
        if self.left > 0:
            self.left -= 1
            declared = (response.headers.get("Content-Type") or b"text/html").decode("latin-1")
            self.take(response.url, declared, response.body)
        if not self.left:
            raise CloseSpider("max_pages")
        links = (link.url for link in self.links.extract_links(response) if not link.nofollow)
        ends = tuple(f".{domain}" for domain in self.allowed_domains)
        of_site = [url for url in links if f".{find_host(url)}".endswith(ends)]
        yield from response.follow_all(of_site, errback=self.fail)

    def fail(self, failure: Any) -> None:
        status = getattr(getattr(failure.value, "response", None), "status", None)
        self.failed[f"HTTP {status}" if status else str(failure.value) or failure.type.__name__] += 1


class PublicMiddleware:
    """Refuses addresses that are written as numbers or as names of a private network."""

    def process_request(self, request: Any) -> None:
        """Raises `IgnoreRequest`."""
        if not may_be_public(request.url):
            raise IgnoreRequest(f"{request.url}: not a public address")


class PublicResolver(CachingThreadedResolver):
    """Finds addresses of names, of which those that are not public are refused: the connection goes to the address that
    was checked."""

    def getHostByName(self, name: str, timeout: Any = ()) -> Any:  # noqa: N802  the name that Twisted has
        """A deferred address, which fails for one that is not public."""
        return super().getHostByName(name, timeout).addCallback(_check_address, name)


def _check_address(address: str, name: str) -> str:
    if not is_public(ip_address(address)):
        raise DNSLookupError(f"{name} is {address}, which is not a public address")
    return address
