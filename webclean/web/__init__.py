"""What follows links: fetching a page, joining the parts of a text, ranking links for a topic crawler, crawling."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from webclean.web.fetch import FetchLimits


@dataclass(frozen=True, slots=True)
class Crawl:
    """What is crawled: the sites of some addresses, and how. What has a text is an option of `webclean crawl`, which
    says it. rules: files and folders over the shipped rules, for the topic."""

    urls: tuple[str, ...] = ()
    max_pages: Annotated[int, "pages that are taken", "N"] = 100
    max_depth: Annotated[int, "links from the start; 0: any", "N"] = 0
    follow: Annotated[str, "only links in whose URL this matches", "RE"] = ""
    topic: Annotated[str, "words: the links that promise most on it are followed first"] = ""
    minimum: Annotated[float, "0 to 1: links that promise less are not followed", "SHARE"] = 0.0
    delay: Annotated[float, "seconds between two requests, at least", "S"] = 1.0
    rules: tuple[Path, ...] = ()
    limits: FetchLimits = field(default_factory=FetchLimits)
