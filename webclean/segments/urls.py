"""Addresses of links: what those of a block have in common (patent A4), and where each leads.

What they have in common is a semantic centre, regularity and marker tokens. In a list of articles the URLs are
generated: they share their directories and differ regularly in the last part (`news.qq.com/a/20080108/000688.htm`,
`news.qq.com/a/20080108/001413.htm`). Those of menus and advertisements do not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Final
from urllib.parse import parse_qsl

import numpy as np

from webclean.caching import cached_per_page
from webclean.features import PageColumns
from webclean.features.block_features import find_links
from webclean.model import Rows
from webclean.parse.url import split_url

_APART: Final = "\0"  # between addresses that are read at once: parsers leave none in a page
SCHEME: Final = re.compile(rf"(?<![^{_APART}])(?:[a-zA-Z][a-zA-Z0-9+.\-]*:)?(?://)?")
_HOST_ALONE: Final = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.\-]*:)?//[^/?#]*/*(?:#.*)?")
_TITLE_IN_URL: Final = re.compile(r"(?<![\w-])[a-z]+(?:(?:-|%20|\+)[a-z]+)+(?![\w-])")
"""Words of letters alone, joined by hyphens."""
_WORDS: Final = re.compile(r"[a-z]{2,}|(?<=/)[a-z](?=/)")
"""Words of an address; a letter is one as the name of a folder alone: `/u/ada`, not `/DK5AC875U.html`."""
_NUMBER: Final = re.compile(r"\d+")
_QUERY_VALUE: Final = re.compile(r"=[^&]*")
NO_PAGES: Final = ("javascript:", "mailto:", "tel:", "data:")
_NO_PAGE_LETTERS: Final = frozenset("#jJmMtTdD")
"""First characters of addresses that may lead to no page."""
MOST_URLS: Final = 50
"""Addresses of a block that are read: those of a list are alike, so that its shares are known by then."""
_GENERATED: Final = re.compile(
    r"""(?sx)
    (?: [^\d%\x80-\U0010ffff]*+ [\d%\x80-\U0010ffff]  # a number, an escape, letters beyond ASCII
      | (?: [^a-z]*+ [a-z]++ ){2} [^a-z]*+ (?! (?<=\.)[a-z]{2,5}$ ) [a-z]  # or the words of a title, at least three
    ) .*? (\.[a-z]{2,5})? $
    """
)
"""The last part of a generated address, in lower case; its end, such as `.html`."""
_SELECTS: Final = re.compile(r"[=\d]")
"""In a query that tells one page from another; a word alone, as in `?print`, does not."""


@dataclass(frozen=True, slots=True)
class UrlStructure:
    """The URLs of one block, summarised.

    centre: the semantic centre, where the method `patent` asks for it (`find_centre`).
    shape: the pattern of the most frequent family of generated URLs, `*` where they vary. regularity: share of the URLs
    in that family, 0 to 1. markers: (marker token, URLs that have it). marker_weight: mean over the URLs of the largest
    weight of a marker. n_urls: distinct URLs.
    """

    centre: tuple[str, ...] = ()
    shape: str = ""
    regularity: float = 0.0
    markers: tuple[tuple[str, int], ...] = ()
    marker_weight: float = 0.0
    n_urls: int = 0


def describe_urls(urls: Iterable[str], weights: Mapping[str, float]) -> UrlStructure:
    """Summarise the URLs of a block, of which the first distinct ones are read.

    urls: that lead to pages. weights: marker token -> weight.
    """
    different = list(islice(dict.fromkeys(urls), MOST_URLS))
    if not different:
        return UrlStructure()
    families = Counter(filter(None, map(generalise_url, different)))
    shape, n_alike = families.most_common(1)[0] if families else ("", 0)
    marked = find_markers(different, weights)
    return UrlStructure(
        shape=shape,
        regularity=n_alike / len(different) if n_alike > 1 else 0.0,  # one of a kind is no family
        markers=tuple(Counter(chain.from_iterable(marked)).most_common()),
        # in a tie the first marker of the address counts
        marker_weight=sum(max(map(weights.__getitem__, own), key=abs) for own in marked) / len(different),
        n_urls=len(different),
    )


def is_page_url(url: str) -> bool:
    """Whether a link leads to a page: not a fragment of this one, a script, or a mail or phone address."""
    if not url:
        return False
    # the first letter decides where it can: this runs for every link of the page
    return url[0] not in _NO_PAGE_LETTERS or not (url[0] == "#" or url.lower().startswith(NO_PAGES))


def links_to_person(url: str, people: frozenset[str]) -> bool:
    """Whether a URL's path or query has one of the words for personal pages. people: such words, lower case.

    A word in the title of a page says nothing: `/tags/first-person`, `/people-management`; in `space-uid-12` it does.
    """
    # the host is left out: `people.com` is nobody's page
    path = SCHEME.sub("", url.lower(), count=1).partition("/")[2] if "//" in url else url.lower()
    if people.isdisjoint(_WORDS.findall(path)):
        return False
    return not people.isdisjoint(_WORDS.findall(_TITLE_IN_URL.sub("", path)))


def generalise_url(url: str) -> str:
    """The family of a generated URL, with `*` for numbers and the last part; '' if that looks written by hand."""
    # `/news/story-1/` and `/News/Story-1` are of one family
    path, _, query = url.partition("#")[0].lower().partition("?")
    head, _, tail = path.rstrip("/").rpartition("/")
    if query and _SELECTS.search(query):
        return f"{_NUMBER.sub('*', head)}/{tail}?{_QUERY_VALUE.sub('=*', query)}"
    found = _GENERATED.match(tail)
    return f"{_NUMBER.sub('*', head)}/*{found[1] or ''}" if found else ""


def is_generated(url: str) -> bool:
    """Whether the address of a page was made from a title or an id. That of a host alone is not, though sites are a
    family, too, where a directory lists them: `http://news.163.com/`."""
    return bool(generalise_url(url)) and not is_host(url)


def is_host(url: str) -> bool:
    """Whether an address is that of a host alone."""
    return _HOST_ALONE.fullmatch(url) is not None


def find_markers(urls: Sequence[str], weights: Mapping[str, float]) -> list[dict[str, None]]:
    """The marker tokens of those URLs that have any, each once, in the order of the URL."""
    words, written = _compile_words(tuple(weights)), SCHEME.sub("", _APART.join(urls).lower())
    # in most blocks no address has any
    if words.search(written) is None:
        return []
    return list(filter(None, map(dict.fromkeys, map(words.findall, written.split(_APART)))))


@lru_cache(maxsize=16)
def _compile_words(words: tuple[str, ...]) -> re.Pattern[str]:
    """What finds whole words."""
    return re.compile(rf"(?<![a-z])(?:{'|'.join(words)})(?![a-z])" if words else r"(?!)")


# an address like `/news.php?id=5` is the page 5 of a program, not a selection from the page `/news.php`
_PROGRAM: Final = re.compile(r"(?i)\.(?:php\d?|aspx?|jspx?|cgi|pl|py|do|cfm|exe|dll)$")
_INDEX_FILE: Final = re.compile(r"(?i)^(?:index|default|home|main)\.\w+$")


def strip_query(url: str) -> str:
    """The address of a page without its query, its fragment and the last slash."""
    return url.partition("#")[0].partition("?")[0].rstrip("/")


def leads_away(url: str, page: str) -> bool:
    """Whether a link leads to another page than the one at `page` and those below its address; false for ''."""
    if not url:
        return False
    target, own = split_url(url), split_url(page)
    # the front page counts alone: all pages of its site are below it
    place, below = own.path.rstrip("/"), target.path.rstrip("/")
    return target.netloc not in ("", own.netloc) or not (below == place or (place and below.startswith(f"{place}/")))


def leads_nowhere(url: str, page: str) -> bool:
    """Whether a link leads to the page itself or to a selection of it, or tells a service the page's address.

    A query after the path of the page selects from it; where the path is that of a program or of the front page, all of
    the page's own query must be in it.
    """
    if url == page or "?" not in url:
        return url == page
    target, own = split_url(url), split_url(page)
    asked = parse_qsl(target.query)
    name = own.path.rstrip("/").rpartition("/")[2]
    is_front = not name or bool(_INDEX_FILE.match(name))
    address = f"{own.netloc}{own.path}".rstrip("/")
    # buttons to share the page: `?u=https://host/story`
    told = (value.partition("//")[2].rstrip("/") for _, value in asked)
    if address and any(value == address or (not is_front and value.startswith(address)) for value in told):
        return True
    if not asked or (target.netloc, target.path) != (own.netloc, own.path) or (is_front and not own.query):
        return False
    return not (is_front or _PROGRAM.search(name)) or set(parse_qsl(own.query)) <= set(asked)


@cached_per_page
def find_folders(page: PageColumns) -> tuple[list[str], Rows]:
    """The distinct targets of the links without white space at their ends; int64 [n_targets], a
    number for the directory of each, -1 for those that lead to no page."""
    written = list(map(str.strip, find_links(page).distinct))
    folders = (url.partition("?")[0].rpartition("/")[0] if is_page_url(url) else None for url in written)
    numbers: dict[str | None, int] = {None: -1}
    return written, np.array([numbers.setdefault(folder, len(numbers)) for folder in folders], dtype=np.int64)
