"""A text that is split over several pages -> one page: the version on a single page if there is one, else page by page.

A link that a rule selects (`single_page`, `next_page`) is followed as it is. A link that only the page itself labels so
is checked: the single page must contain what the first page contains, and more; the next page must have the URL of the
first one with a part number, or its title. Only pages of the same registered domain are read, each once, and the number
of pages, bytes and seconds is limited (`joining` in the rules). What several pages share is kept once.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import partial
from itertools import takewhile
from typing import Any, Final

import numpy as np
from msgspec import structs

from webclean.errors import WebcleanError
from webclean.fields import PageFields
from webclean.model import Block, FieldValue, Reason
from webclean.outputs.dictionary import describe_reasons
from webclean.outputs.flow import Node, TreeOptions
from webclean.outputs.phone import PhoneSource
from webclean.page import CleanPage, count_input
from webclean.parse.url import find_registered_domain
from webclean.pipeline import Cleaner
from webclean.rules.schema import Joining
from webclean.web.fetch import Fetched, FetchLimits, fetch_bytes

Fetch = Callable[[str], Fetched | bytes | str]
"""URL -> the page as served, its bytes or its markup. Raises `FetchError`."""

_DIGITS: Final = re.compile(r"\d+")
_ENDING: Final = re.compile(r"(?:\.[a-z]{1,5})?")
_COUNTS_ON: Final = re.compile(r"\D{0,12}?0{0,3}(\d{1,4})\D{0,12}")


class JoinedPage(CleanPage):
    """Several pages as one. Fields are those of the first page.

    parts: the pages, without what an earlier one (at the end: a later one) has as well. steps: each link, whether it
    was followed, and why.
    """

    parts: tuple[CleanPage, ...]
    steps: tuple[Reason, ...]

    def __init__(self, parts: Sequence[CleanPage], steps: Sequence[Reason] = ()) -> None:
        super().__init__(parts[0].analysis, parts[0].limits, parts[0].on_limit)
        self.parts = tuple(parts)
        self._limit_parts(sum(count_input(part.source) for part in parts))
        self.steps = tuple(steps)

    @property
    def text(self) -> str:
        return self.to_text()

    @property
    def fields(self) -> PageFields:
        """The fields of the first page; the next page is that of the last one."""
        return self.parts[0].fields.replace(next_page=self.parts[-1].fields.next_page)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The semantic blocks of all parts; ids of later parts have the part's number in front."""
        made = list(self.parts[0].blocks)
        for number, part in enumerate(self.parts[1:], start=2):
            before = len(made)
            made += [
                replace(
                    block, id=f"p{number}-{block.id}", parent=None if block.parent is None else before + block.parent
                )
                for block in part.blocks
            ]
        return tuple(made)

    @property
    def confidence(self) -> float:
        return min(part.confidence for part in self.parts)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings of all parts, each once."""
        return tuple(dict.fromkeys(warning for part in self.parts for warning in part.warnings))

    @property
    def empty_because(self) -> str | None:
        """That of the first part where the texts of all parts are empty or next to it."""
        reasons = [part.empty_because for part in self.parts]
        return reasons[0] if all(reasons) else None

    @property
    def truncated(self) -> tuple[str, ...]:
        """The limits that cut any part, each once."""
        return tuple(dict.fromkeys(limit for part in self.parts for limit in part.truncated))

    def to_dict(self, *, include_reasons: bool = False, include_markdown: bool = False) -> dict[str, Any]:
        """As for one page, with `pages`, the URLs of the parts, and `joined`, each link that was followed or not."""
        described = super().to_dict(include_reasons=include_reasons, include_markdown=include_markdown)
        return {**described, "pages": [part.url for part in self.parts], "joined": describe_reasons(self.steps)}

    def _build_flow(self, options: TreeOptions, *, include_comments: bool = True) -> Node:
        flows = [part._build_flow(options, include_comments=include_comments) for part in self.parts]
        attributes = dict(flows[0].attributes) if flows else {}
        return Node("", attributes, [child for flow in flows for child in flow.children])

    def _list_phone_sources(self, images: bool) -> list[PhoneSource]:
        return [source for part in self.parts for source in part._list_phone_sources(images)]


def join_pages(
    page: CleanPage, *, cleaner: Cleaner | None = None, fetch: Fetch | None = None, allow_private: bool = False
) -> JoinedPage:
    """The whole text that `page` is the first part of. Asks the network, or `fetch`; bounded by `joining` of the rules.

    cleaner: cleans the other parts; the page's own rules say what is followed. fetch: by default `fetch_bytes`, which
    refuses private addresses unless `allow_private`. Never raises for what is fetched: a part that fails ends the text,
    and `steps` says so.
    """
    walk = _Walk(page, cleaner or Cleaner(), fetch, allow_private, page.analysis.rules.joining)
    whole = walk.follow("single_page", page.fields.single_page, walk.check_whole)
    parts = [whole or page]
    while not whole and (
        found := walk.follow("next_page", parts[-1].fields.next_page, partial(walk.check_next, parts), len(parts))
    ):
        parts.append(found)
    return JoinedPage(drop_repeats(parts, walk.limits.repeated_words), walk.steps)


@dataclass(slots=True)
class _Walk:
    """Follows the links from the first page; every link is recorded as a step."""

    first: CleanPage
    cleaner: Cleaner
    fetch: Fetch | None
    allow_private: bool
    limits: Joining
    steps: list[Reason] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)  # pages that were read besides the first
    n_bytes: int = 0
    start: float = field(default_factory=time.monotonic)

    def follow(
        self, kind: str, link: FieldValue, check: Callable[[CleanPage, FieldValue], str], n_pages: int = 1
    ) -> CleanPage | None:
        """The page that a link leads to; None if it cannot be read or is not part of the text, as `steps` records."""
        url = link.value
        if not url:
            return None
        try:
            if n_pages >= self.limits.max_pages:
                raise _Refused(f"{n_pages} pages, the most of `joining.max_pages`")
            page = self._read(url)
            why = check(page, link)
        except WebcleanError as error:
            self.steps.append(Reason("join", kind, f"{url}: not joined: {str(error).removeprefix(f'{url}: ')}"))
            return None
        self.steps.append(Reason("join", kind, f"{url}: {link.source}; {why}; {count_kept(page)} words"))
        return page

    def check_whole(self, page: CleanPage, link: FieldValue) -> str:
        # the kept words of the first page in blocks that the other page has too, kept or not
        there, analysis = set(page.analysis.columns.blocks.text), self.first.analysis
        words = np.where(analysis.decisions.kept, analysis.columns.blocks.n_words, 0)
        found = np.array([text in there for text in analysis.columns.blocks.text], dtype=bool)
        share = int(words[found].sum()) / max(1, int(words.sum()))
        if share < self.limits.whole_share or count_kept(page) <= count_kept(self.first):
            raise _Refused(f"holds {share:.0%} of the first page, {count_kept(page)} words")
        return f"holds {share:.0%} of the first page"

    def check_next(self, parts: list[CleanPage], page: CleanPage, link: FieldValue) -> str:
        why = "as the rules say"
        if not link.source.startswith(("rule ", "selector ")):
            likeness = compare_titles(self.first.title, page.title)
            if is_numbered_part(self.first.url or "", link.value or "", len(parts) + 1):
                why = "its URL counts on"
            elif likeness >= self.limits.same_title:
                why = f"likeness of the titles {likeness:.2f}"
            else:
                raise _Refused(f"another text: {page.title!r}")
        # some servers answer any number of a page with the last one
        if set(list_kept_texts(page)) <= {text for part in parts for text in list_kept_texts(part)}:
            raise _Refused("has no new text")
        return why

    def _read(self, url: str) -> CleanPage:
        """Fetch and clean. Raises `WebcleanError`."""
        site = find_registered_domain(self.first.url or "")
        if not site:
            raise _Refused("the address of the first page is not known")
        self._mark(url, site)
        served = self._fetch(url)
        # a redirect may lead to another site, or back to a page that was read
        if _strip_fragment(served.url) != _strip_fragment(url):
            self._mark(served.url, site)
        return self.cleaner.clean(served.body, url=served.url, charset=served.charset)

    def _mark(self, url: str, site: str) -> None:
        if find_registered_domain(url) != site:
            raise _Refused(f"{url} is not on {site}")
        if _strip_fragment(url) in {*self.seen, _strip_fragment(self.first.url)}:
            raise _Refused(f"{url} is read already")
        self.seen.add(_strip_fragment(url))

    def _fetch(self, url: str) -> Fetched:
        """Fetch within the remaining limits. Raises `WebcleanError`."""
        seconds = self.limits.max_seconds - (time.monotonic() - self.start)
        n_bytes = self.limits.max_bytes - self.n_bytes
        if seconds <= 0 or n_bytes <= 0:
            raise _Refused(f"`joining.{'max_seconds' if seconds <= 0 else 'max_bytes'}` is used up")
        if self.fetch is not None:
            served = self.fetch(url)
            if not isinstance(served, Fetched):
                body, charset = (served.encode(), "utf-8") if isinstance(served, str) else (served, None)
                served = Fetched(url, body, "text/html", charset)
        else:
            one = FetchLimits(allow_private=self.allow_private)
            limits = replace(one, max_bytes=min(n_bytes, one.max_bytes), max_seconds=min(seconds, one.max_seconds))
            served = fetch_bytes(url, limits)
        self.n_bytes += len(served.body)
        if self.n_bytes > self.limits.max_bytes:
            raise _Refused(f"more than the {self.limits.max_bytes} bytes of `joining.max_bytes`")
        return served


class _Refused(WebcleanError):  # noqa: N818  no error: a page that is no part of the text
    """The reason why a page is not joined."""


def _strip_fragment(url: str | None) -> str:
    """A URL without its fragment and final slash."""
    return (url or "").partition("#")[0].rstrip("/")


def is_numbered_part(first: str, url: str, number: int) -> bool:
    """Whether `url` is `first` with the number of a part added: `/story` and `/story/2`, `/a.html` and `/a_2.html`.

    A number that is counted up (`/news/123`, `/news/124`) is no proof: so are the articles of a site.
    """
    first, url = _strip_fragment(first), _strip_fragment(url)
    start = count_common(first, url)
    rest = count_common(first[start:][::-1], url[start:][::-1])
    # a number is not parted
    while start and first[start - 1].isdigit() and any(text[start : start + 1].isdigit() for text in (first, url)):
        start -= 1
    while rest and first[len(first) - rest].isdigit():
        rest -= 1
    old, new = first[start : len(first) - rest], url[start : len(url) - rest]
    inside_word = bool(start and new[:1].isalnum() and url[start - 1].isalnum())
    found = _COUNTS_ON.fullmatch(new)
    return found is not None and int(found[1]) == number and not inside_word and _ENDING.fullmatch(old) is not None


def compare_titles(one: str | None, other: str | None) -> float:
    """Similarity of two titles without their numbers, 0 to 1; 0 if one is missing."""
    names = [" ".join(_DIGITS.sub(" ", title or "").lower().split()) for title in (one, other)]
    return SequenceMatcher(None, names[0], names[1], autojunk=False).ratio() if all(names) else 0.0


def list_kept_texts(page: CleanPage) -> list[str]:
    """The texts of the kept blocks, in reading order."""
    kept, texts = page.analysis.decisions.kept, page.analysis.columns.blocks.text
    return [texts[block] for block in np.flatnonzero(kept).tolist()]


def count_kept(page: CleanPage) -> int:
    return int(page.analysis.columns.blocks.n_words[page.analysis.decisions.kept].sum())


def drop_repeats(parts: Sequence[CleanPage], repeated_words: int) -> list[CleanPage]:
    """The parts, with shared texts kept once: those at the top in the first part, those at the end in the last."""
    texts = [list_kept_texts(part) for part in parts]
    found: list[CleanPage] = []
    earlier: set[str] = set()
    for part, own, following in zip(parts, texts, [*texts[1:], []], strict=True):
        own = own[: len(own) - count_common(own[::-1], following[::-1])]  # noqa: PLW2901
        analysis, n_words = part.analysis, part.analysis.columns.blocks.n_words
        kept = np.zeros(len(n_words), dtype=bool)
        at_top = True
        for row, text in zip(np.flatnonzero(analysis.decisions.kept).tolist(), own, strict=False):
            at_top &= text in earlier
            kept[row] = not (text in earlier and (at_top or n_words[row] >= repeated_words))
        earlier.update(own)
        # a page of which nothing is left out stays as it is, for its text and blocks may be computed already
        if not np.array_equal(kept, analysis.decisions.kept):
            analysis = replace(analysis, decisions=structs.replace(analysis.decisions, kept=kept))
            part = CleanPage(analysis, part.limits, part.on_limit, part.truncated)  # noqa: PLW2901
        found.append(part)
    return found


def count_common(one: Sequence[str], other: Sequence[str]) -> int:
    """Number of equal characters, or texts, at the start of both."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
