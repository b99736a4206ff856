"""A polite crawl of sites by Scrapy, links on a topic first: the topic crawler of the patent (A8).

Needs the extra `crawl`. `TopicMiddleware` is for spiders of others too: docs/adapters.md has its settings.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from email.utils import parsedate_to_datetime
from functools import cache, lru_cache
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final

from scrapy import Request, Spider
from scrapy.crawler import CrawlerProcess
from scrapy.downloadermiddlewares.robotstxt import RobotsTxtMiddleware
from scrapy.exceptions import CloseSpider, IgnoreRequest
from scrapy.extensions.httpcache import FilesystemCacheStorage
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
from webclean.storage import read_table
from webclean.web import Crawl
from webclean.web.fetch import AGENT, is_public, may_be_public
from webclean.web.frontier import rank_links

_get_cleaner: Final = cache(Cleaner)


def clean_response(response: Any, cleaner: Cleaner | None = None) -> CleanPage:
    """The page of a response: of Scrapy, or any object with `body`, `url` and `headers`. Raises what `clean` raises."""
    declared = response.headers.get("Content-Type") or ""
    declared = declared.decode("latin-1") if isinstance(declared, bytes) else declared
    charset = http_content_type_encoding(declared)
    return (cleaner or _get_cleaner()).clean(bytes(response.body), url=str(response.url), charset=charset)


class TopicMiddleware(BaseSpiderMiddleware):
    """Gives each request for a link the priority of its promise on the topic (`webclean.web.frontier`), with the score
    in `meta["webclean_score"]`. Requests that are no link of the page pass as they are."""

    def __init__(self, crawler: Any) -> None:
        super().__init__(crawler)
        settings = crawler.settings
        rules, profile = settings.getlist("WEBCLEAN_RULES"), settings.get("WEBCLEAN_PROFILE", "balanced")
        self.cleaner = Cleaner(rules=rules or None, profile=profile)
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


def crawl_sites(crawl: Crawl, take: Take, cache: Path) -> Counter[str]:
    """Crawl in this process, which can do so once, and hand each page to `take`; why other addresses were not taken,
    and how many. The first interrupt ends the crawl in order. cache: a folder of all answers, of which an earlier run
    may have left some: these are not asked for again.

    robots.txt is obeyed, also its pauses, and `Retry-After`; one page of a host is asked for at a time, a slow server
    less often. Links that are marked `nofollow`, by themselves, their page or its header `X-Robots-Tag`, are not
    followed. Only public addresses are connected to, unless the limits allow private ones.
    """
    settings: dict[str, Any] = {
        **read_table(__file__, "crawl_settings.toml"),
        "USER_AGENT": AGENT,
        "DOWNLOAD_DELAY": crawl.delay,
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": None,
            PoliteMiddleware: 560,  # it hears of an answer before it is asked for again
        },
        # requests that wait at the downloader can no longer be overtaken by a link that promises more
        "CONCURRENT_REQUESTS": len({find_host(url) for url in crawl.urls}),
        "AUTOTHROTTLE_START_DELAY": crawl.delay,
        "DEPTH_LIMIT": crawl.max_depth,
        "DOWNLOAD_MAXSIZE": crawl.limits.max_bytes,
        "DOWNLOAD_TIMEOUT": crawl.limits.max_seconds,
        "REDIRECT_MAX_TIMES": crawl.limits.max_redirects,
        "HTTPCACHE_STORAGE": PageCache,
        "HTTPCACHE_DIR": str(cache.absolute()),
        "HTTPCACHE_IGNORE_HTTP_CODES": [429, *range(500, 600)],
    }
    if not crawl.limits.allow_private:
        settings["DNS_RESOLVER"] = PublicResolver
        settings["DOWNLOADER_MIDDLEWARES"][PublicMiddleware] = 10
    if crawl.topic:
        settings["SPIDER_MIDDLEWARES"] = {TopicMiddleware: 450}
        settings["WEBCLEAN_TOPIC"] = crawl.topic
        settings["WEBCLEAN_TOPIC_MINIMUM"] = crawl.minimum
        settings["WEBCLEAN_TOPIC_WEIGHT"] = _WEIGHT
        settings["WEBCLEAN_RULES"] = [str(path) for path in crawl.rules]
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
        self.n_alike, self.alike = Counter[str](), set[str]()
        self.max_alike = max(5, crawl.max_pages // 10)
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
        if not may_follow(response):
            self.failed["links of pages marked nofollow"] += 1
            return
        # with the number of a session, each page would have a new address on each page
        links = (
            _SESSION.sub("", one.url).rstrip("?&") for one in self.links.extract_links(response) if not one.nofollow
        )
        ends = tuple(f".{domain}" for domain in self.allowed_domains)
        of_site = [url for url in links if f".{find_host(url)}".endswith(ends) and self._is_new(url, response.url)]
        yield from response.follow_all(of_site, errback=self.fail)

    def _is_new(self, url: str, here: str) -> bool:
        """Whether a link may be followed: of addresses like that of its page (`/day/7` on `/day/6`) a few are, for such
        a chain may have no end."""
        shape = name_pattern(url)
        if shape != name_pattern(here) or url in self.alike or url == here:
            return True
        if self.n_alike[shape] >= self.max_alike:
            self.failed["more in chains of addresses alike"] += 1
            return False
        self.n_alike[shape] += 1
        self.alike.add(url)
        return True

    def fail(self, failure: Any) -> None:
        status = getattr(getattr(failure.value, "response", None), "status", None)
        self.failed[f"HTTP {status}" if status else str(failure.value) or failure.type.__name__] += 1


_WEIGHT: Final = 100_000_000
"""Priority of a link of which all the topic is said: a ten-thousandth of it is more than links from the start."""
_VARYING: Final = re.compile(r"(?<![a-z])[\da-f]{8,}(?![a-z])|\d+", re.IGNORECASE)
_REPEATED: Final = re.compile(r"(/[^/]+)\1+")
_VALUES: Final = re.compile(r"=[^&]*")
_SESSION: Final = re.compile(
    r";jsessionid=[^?#;/]*|/\(S\(\w+\)\)|(?<=[?&])(?:\w{0,4}sess(?:ion)?_?id\w*|sid)=[^&#]*&?", re.IGNORECASE
)


def name_pattern(url: str) -> str:
    """What addresses that differ in numbers, in values or in how often a part is repeated have in common."""
    path, _, query = url.partition("#")[0].partition("?")
    shape = _REPEATED.sub(r"\1", _VARYING.sub("0", path))
    return f"{shape}?{_VALUES.sub('', query)}"


def may_follow(response: Any) -> bool:
    """Whether a page lets its links be followed, by its header `X-Robots-Tag` and its meta element `robots`."""
    told = [value.decode("latin-1") for value in response.headers.getlist("X-Robots-Tag")]
    metas = response.xpath("//meta[@name]")
    told += [one.attrib.get("content", "") for one in metas if one.attrib["name"].lower() in ("robots", "webclean")]
    for rules in told:
        agent, colon, words = rules.lower().rpartition(":")
        # `googlebot: nofollow` is for others; `unavailable_after: 25 Jun 2030 15:00` has a colon too
        if (not colon or agent.strip() in ("*", "webclean")) and {"nofollow", "none"} & set(re.split(r"[\s,]+", words)):
            return False
    return True


class PoliteMiddleware(RobotsTxtMiddleware):
    """Obeys robots.txt, also `Crawl-delay` and `Request-rate`, and waits as `Retry-After` says."""

    def __init__(self, crawler: Any) -> None:
        super().__init__(crawler)
        self.waits: dict[str, float] = {}

    def process_request_2(self, rp: Any, request: Any, *rest: Any) -> None:
        """Raises `IgnoreRequest`."""
        super().process_request_2(rp, request, *rest)
        if rp is None:
            return
        rate = rp.rp.request_rate(AGENT)
        asked = max(rp.rp.crawl_delay(AGENT) or 0.0, rate.seconds / max(1, rate.requests) if rate else 0.0)
        if asked > self.crawler.settings.getfloat("DOWNLOAD_DELAY"):
            request.meta["autothrottle_dont_adjust_delay"] = True
            self._set_delay(request, asked, 0.0)

    def process_response(self, request: Any, response: Any) -> Any:
        """The response; the next request of its host waits as it says."""
        told = (response.headers.get("Retry-After") or b"").decode("latin-1").strip()
        if response.status in (429, 503) and told:
            with suppress(ValueError, OverflowError, TypeError):
                date = None if told.isdigit() else parsedate_to_datetime(told).timestamp()
                wait = float(told) if date is None else date - time.time()
                self._set_delay(request, wait, wait)
        return response

    def _set_delay(self, request: Any, seconds: float, wait: float) -> None:
        """Set the pause of a host. wait: before the next of its requests alone."""
        downloader: Any = self.crawler.engine.downloader
        key = downloader.get_slot_key(request)
        before, self.waits[key] = self.waits.get(key, 0.0), wait
        delay = min(max(seconds, before), _LONGEST)
        if key in downloader.slots:
            downloader.slots[key].delay = delay
        downloader.per_slot_settings.setdefault(key, {}).update(delay=delay)


_LONGEST: Final = 120.0
"""Seconds that a host may make a crawl wait between two of its pages."""


class PageCache(FilesystemCacheStorage):
    """Answers that a crawl had, by which it goes on once it was killed. One that was being written is asked for anew:
    the body of its request is written last."""

    def retrieve_response(self, spider: Any, request: Any) -> Any:
        """The response, None where there is none."""
        is_whole = Path(self._get_request_path(spider, request), "request_body").is_file()
        return super().retrieve_response(spider, request) if is_whole else None


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
