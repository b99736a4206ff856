"""The features of text blocks: named columns, whose tables are in the core (`core/features.toml`); and what they are
given that is made outside it, the arguments of the methods `give_NAME` of `core.Blocks`.

Two of these are asked for elsewhere too. **Links**: where each leads, to the same page, the same site, another site, or
a script. **The headline**: the line that shows the page's `<title>`, which on old and on foreign pages is often no
`h1`:

    <title>Floods in Pskov - The Courier</title>
    <h1>The Courier</h1> ... <div class=t>Floods in Pskov</div> <p>The river ...

The headline is the `div`: `<title>` contains its text. On news pages from before 2012 in five languages that line
stands at the beginning of the text on nine pages of ten, the first `h1` on six.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.blocks.text_blocks import list_silent
from webclean.caching import cached_per_page
from webclean.features.page_columns import PageColumns
from webclean.features.page_words import SHORT_TEXT, count_matches, read_names, score_names, score_texts
from webclean.model import Floats, Mask, Rows
from webclean.parse.columns import list_distinct
from webclean.parse.tags import CODE, HEADING
from webclean.parse.url import find_address, find_registered_domain, split_url
from webclean.registry import FeatureRegistry


def _find_shown_headline(columns: PageColumns) -> int:
    """Index of the headline's block, of the first h2 when there is none, or -1."""
    found = find_headline(columns)
    if found < 0:
        # pages without an h1 begin their headings one level down
        second = ((columns.tag == CODE["h2"]) & columns.blocks.visible).nonzero()[0]
        found = int(second[0]) if len(second) else -1
    return found


def _list_links(columns: PageColumns) -> tuple[Any, ...]:
    links, has_directory = find_links(columns), bool(find_directory(find_address(columns.document)))
    return links.row, links.kind, links.length, links.is_own, (SAME_SITE, OTHER_SITE), has_directory


def _find_same(texts: list[str]) -> Rows:
    """int64 [n]: the first text that is the same, in whatever case: labels are written in several."""
    first: dict[str, int] = {}
    return np.fromiter(map(first.setdefault, map(str.lower, texts), range(len(texts))), np.int64, len(texts))


def _list_repeats(columns: PageColumns) -> tuple[Any, ...]:
    read_names(columns)
    return ()


_PROVIDERS: Final[dict[str, Callable[[PageColumns], tuple[Any, ...]]]] = {
    "dates": lambda columns: (count_matches(columns, columns.prices_dates.glimpses),),
    "same": lambda columns: (_find_same(columns.blocks.text),),
    "hidden": lambda columns: (np.array(list_silent(columns.document), dtype=np.int64),),
    "headline": lambda columns: (_find_shown_headline(columns),),
    "links": _list_links,
    "repeats": _list_repeats,
    "names": lambda columns: score_names(columns, columns.word_points)[:1],
    "texts": lambda columns: (*score_texts(columns, columns.word_points), SHORT_TEXT),
}
"""What the features need -> what makes it."""


def provide(columns: PageColumns, things: tuple[str, ...]) -> None:
    """Give the features what some of them need, once a page."""
    # asked again for each card and rule
    if columns.provided.issuperset(things):
        return
    for thing in things:
        if thing not in columns.provided:
            getattr(columns.features, f"give_{thing}")(*_PROVIDERS[thing](columns))
            columns.provided.add(thing)  # not before: what makes it may run out of time, and then the core has nothing


Column = NDArray[np.number[Any] | np.bool_]
"""[n_blocks]: numbers or truth values; `measure` converts them to float64."""

BLOCK_FEATURES: Final = FeatureRegistry[PageColumns, Column](
    "text block",
    "score_card",
    "article_card",
    "plain_card",
    "rules",
    cards=("score_card", "article_card", "plain_card"),
)


def measure(columns: PageColumns, name: str) -> Floats:
    """float64 [n_blocks]: one feature, computed once a page. Raises `RuleError` for an unknown name."""
    # asked for hundreds of names by rules, explanations and learning
    found = columns.table.get(name)
    if found is not None:
        return found
    known = BLOCK_FEATURES.find(name).name
    provide(columns, BLOCK_FEATURES.needs[known])
    made: Floats = columns.features.view(BLOCK_FEATURES.numbers[known])
    columns.table[name] = made
    return made


BLOCK_FEATURES.add_tables(core.BLOCK_TABLES, lambda name: partial(measure, name=name), core.BLOCK_NEEDS)


SAME_SITE: Final = 0
OTHER_SITE: Final = 1
SAME_PAGE: Final = 2
SCRIPT: Final = 3
_SCHEMES: Final = ("javascript:", "mailto:", "tel:", "sms:", "whatsapp:")
"""Targets that open no page."""


class LinkTable(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The links of a page: one row for each `a` with an href.

    row: int64 [n_links], the element. distinct: the different targets, as written; number: int64 [n_links], the target
    of each link among them. kind: int64 [n_links], one of the constants above.
    length: float64 [n_links], segments of the target's path. is_own: bool [n_links], the target's path has the page's
    first directory.
    """

    row: Rows
    distinct: list[str]
    number: Rows
    kind: Rows
    length: Floats
    is_own: Mask


@cached_per_page
def find_links(columns: PageColumns) -> LinkTable:
    """The table of the page's links; each distinct target is described once."""
    document = columns.document
    rows = (document.link == np.arange(len(document))).nonzero()[0]
    distinct, number = list_distinct(document, rows, "href")
    address = find_address(document)
    site = find_registered_domain(address) if address else ""
    hosts, host, length, is_own = core.describe_targets(distinct, find_directory(address), _SCHEMES)
    # hosts of one registered domain are one site: `www.` and `blog.` lead to each other; of a page without URL all
    others = [OTHER_SITE if site and _find_site(name) != site else SAME_SITE for name in hosts]
    # the last two for the negative numbers of scripts and of places in the page
    kind = np.array([SAME_SITE, *others, SCRIPT, SAME_PAGE])[host]
    return LinkTable(
        row=rows,
        distinct=distinct,
        number=number,
        kind=kind[number],
        length=length[number],
        is_own=is_own[number],
    )


@lru_cache(maxsize=8192)
def _find_site(authority: str) -> str:
    """The registered domain of a URL's authority: `www.example.co.uk:80` gives `example.co.uk`."""
    return find_registered_domain(f"//{authority}")


def find_directory(url: str) -> str:
    """The first directory of a page's address, '' when there is none: `shop` of `/shop/tea/1`, '' of `/tea`."""
    first, slash, _ = split_url(url).path.strip("/").partition("/")
    return first if slash else ""


# Constants, for cards are learnt with these values.
_HEADING: Final = HEADING.view(np.uint8)
_LEAST_CHARS: Final = 8
_LEAST_WORDS: Final = 3
_LEAST_SHARE: Final = 0.25
"""Of the title's characters in the line that shows it; what is shorter may be the name of a section or of the site."""
# a longer heading is a text that is set as one
_HEADLINE_CHARS: Final = 200


@cached_per_page
def find_headline(columns: PageColumns) -> int:
    """The block of the line that `<title>` contains, else of the first h1; -1 without."""
    document = columns.document
    named = (document.tag[document.text_owner] == CODE["title"]).nonzero()[0]
    if title := " ".join(document.text[named[0]].split()).lower() if len(named) else "":
        _ = columns.words  # which the core reads
        # the longest heading, else the longest line that is no link, of those that the title contains
        found: int = core.find_contained(document.page, title, _HEADING, _LEAST_CHARS, _LEAST_WORDS, _LEAST_SHARE)
        if found >= 0:
            return found
    heads = (columns.tag == CODE["h1"]) & (columns.n_text_chars < _HEADLINE_CHARS)
    return next(iter(heads.nonzero()[0].tolist()), -1)
