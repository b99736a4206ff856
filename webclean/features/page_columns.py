"""`PageColumns`: one page as every stage after the parse sees it; and the expressions that find prices and dates in it.

`PageColumns` is made from a `Document` and its text blocks. Its properties are arrays with one entry for each element
or block, each computed on first use. `cache` holds what functions decorated with `webclean.caching.cached_per_page`
computed of the page.

`PriceDateFinder` has the sections `prices` and `dates` of a rule set as RE2 expressions. Features count matches over
the whole text of a page, as UTF-8: RE2 searches bytes several times as fast as `str`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

import numpy as np

from webclean import core
from webclean.caching import cached_property
from webclean.errors import RuleError
from webclean.features.words import NO_POINTS, CompiledWordPoints
from webclean.matching.expressions import compile_pattern
from webclean.model import Document, Floats, Mask, PageCache, Post, Rows, TextBlocks
from webclean.parse.tags import FORMATTING, HEADING, tag_mask
from webclean.rules.page_schema import Dates, Prices
from webclean.rules.python_expressions import join_templates
from webclean.rules.rule_schema import cached_per_rule_set

CHARS_PER_WORD: Final = 1.7
"""In scripts without spaces every character is counted as a word; with this, lengths compare across languages."""
_LABEL_CHARS: Final = 40
"""Characters of the longest label. A constant, because the shipped cards were learnt with this value."""
_PROSE_LINK_SHARE: Final = 0.3
"""A block with at least this share of link text is a list of links, not running text. Constant for the same reason."""


NO_RANK: Final = 7
RANK: Final = NO_RANK - np.sum([(NO_RANK - rank) * tag_mask(f"h{rank}") for rank in range(1, 7)], axis=0)
"""Rank of a heading by tag code, 7 for other elements."""
_AROUND: Final = {
    "header": "header",
    "footer": "footer",
    "nav": "nav",
    "boilerplate": "nav footer aside",
    "main": "main",
    "article": "article",
    "input": "form button label input select textarea fieldset",
    "control": "button label summary",
}
"""Kinds of elements that features ask for around a block."""
_SENTENCE_ENDS: Final = np.zeros(1 << 16, dtype=np.uint8)
_SENTENCE_ENDS[[ord(sign) for sign in '.!?…。！？．｡؟۔।॥།။។:："”“»«›」』']] = 1
_SETTINGS: Final = core.BlockSettings(
    ends_sentence=_SENTENCE_ENDS,
    heading=HEADING.view(np.uint8),
    emphasis=tag_mask("b strong em i u font big").view(np.uint8),
    field=tag_mask("input select textarea button").view(np.uint8),
    formatting=FORMATTING.view(np.uint8),
    rank=RANK.astype(np.float64),
    kinds=np.bitwise_or.reduce([tag_mask(names) * np.uint16(core.KIND_FLAGS[kind]) for kind, names in _AROUND.items()]),
)


# thousands stand apart by spaces in many languages: `1 399,00 €`
_NUMBER: Final = r"(?:\b\d{1,3}(?:[ \x{a0}\x{2009}\x{202f}]\d{3})+(?:[.,]\d{1,2})?|\d(?:[\d.,]*\d)?)"
_SPACE: Final = r"[ \x{a0}\x{202f}]?"
_NOTHING: Final = r"[^\x{0}-\x{10ffff}]"


@dataclass(frozen=True, eq=False)
class PriceDateFinder:
    """RE2 expressions; without rules they match nothing.

    price: amounts of money. glimpse: what features count as a date: also a year or a time of day. shown: dates as
    entries of lists show them. Only texts with a digit are searched for the first two.
    """

    price: str = _NOTHING
    glimpse: str = _NOTHING
    shown: str = _NOTHING

    @cached_property
    def prices(self) -> Any:
        """Amounts."""
        return _compile(self.price)

    @cached_property
    def glimpses(self) -> Any:
        """Dates, years and times of day."""
        return _compile(self.glimpse)

    @cached_property
    def first_of_line(self) -> Any:
        """The first amount or date of a line; that of group 1 is none for a date."""
        return _compile(f"(?:({self.price})|{self.glimpse}).*")

    @cached_property
    def date_texts(self) -> Any:
        """Dates as entries of lists show them, in text."""
        return _compile(self.shown)


NOTHING_FOUND: Final = PriceDateFinder()


@cached_per_rule_set
def compile_prices_dates(prices: Prices, dates: Dates) -> PriceDateFinder:
    """Build the expressions of a rule set."""
    # a sign may be one of expressions: `$`
    signs = re.escape(prices.signs)
    # whole words only: `kr` is not found in `kraft`; scripts without spaces have no such word boundaries
    words = [(r"\b" if word[:1].isascii() else "") + re.escape(word) for word in prices.words_before]
    before = "|".join([f"[{signs}]", *(f"(?i:{word})" for word in words)])
    words = [re.escape(word) + (r"\b" if word.isascii() else "") for word in prices.words_after]
    after = "|".join([f"[{signs}]", *(f"(?i:{word})" for word in words)])
    # before or behind: `€ 5`, `5 €`, `USD 5`, `5 Kč`
    price = f"(?:{before}){_SPACE}{_NUMBER}|{_NUMBER}{_SPACE}(?:{after})"
    glimpse = f"(?:{join_templates(dates.glimpses, dates)})"
    shown = f"(?i:{join_templates(dates.shown, dates)})"
    return PriceDateFinder(price, glimpse, shown)


def _compile(pattern: str) -> Any:
    try:
        return compile_pattern(pattern)
    except RuleError as error:
        raise RuleError(f"in `prices` or `dates`: {error}") from error


def _column(name: str) -> Any:
    """A column of the page, by its name in `core.COLUMNS`."""
    return cached_property(lambda columns: columns.view(name))


@dataclass(frozen=True, eq=False)
class PageColumns:
    """One page's columns, each computed once.

    word_points: points of words in class names, headings and short texts. prices_dates: finds amounts of money and
    dates as the rule set writes them. list_posts, place_posts: read and find the posts of a thread. cache: what
    functions computed of the page. A cached function that depends on `word_points` takes them as an argument; therefore
    `replace(columns, word_points=...)` may share the cache.

    Of each block: n_text_chars: int64 [n_blocks], its characters, white space included. words: float64 [n_blocks], its
    words, at least 1; in scripts without spaces every character was counted as a word, there 1.7 characters count as
    one, so that lengths are comparable across languages. link_words: float64 [n_blocks], those inside links, scaled
    alike. is_prose: bool [n_blocks], whether it is running text: longer than a label (half as long in scripts without
    spaces), with a sentence end and little link text. n_words_below: float64 [n_elements], words in each subtree.
    """

    n_text_chars: ClassVar[cached_property[Rows]] = _column("n_text_chars")
    words: ClassVar[cached_property[Floats]] = _column("words")
    link_words: ClassVar[cached_property[Floats]] = _column("link_words")
    is_prose: ClassVar[cached_property[Mask]] = _column("is_prose")
    n_words_below: ClassVar[cached_property[Floats]] = _column("n_words_below")

    document: Document
    blocks: TextBlocks
    word_points: CompiledWordPoints = NO_POINTS
    prices_dates: PriceDateFinder = NOTHING_FOUND
    list_posts: Callable[[PageColumns], tuple[Post, ...]] = lambda _: ()
    place_posts: Callable[[PageColumns], Rows] = lambda _: np.zeros((2, 0), dtype=np.int64)
    cache: PageCache = field(default_factory=dict)

    def detach(self) -> PageColumns:
        """The same page with a cache of its own, which has what was computed so far. What refers to it may be cached in
        the original without a reference cycle, so a page is freed as soon as nothing refers to it."""
        copied = object.__new__(PageColumns)
        copied.__dict__.update(self.__dict__, cache=self.cache.copy())
        return copied

    @cached_property
    def post_rows(self) -> Rows:
        """int64 [2, n_posts]: the first rows and the ends of the posts of a thread, in document order."""
        return self.place_posts(self)

    @cached_property
    def posts(self) -> tuple[Post, ...]:
        """The posts of a thread, with what each says of itself, read when records are asked for."""
        return self.list_posts(self)

    @cached_property
    def table(self) -> dict[str, Floats]:
        """Feature name -> float64 [n_blocks], filled on demand by `measure`."""
        return {}

    @cached_property
    def features(self) -> Any:
        """`core.Blocks`: the features of the blocks; `measure` asks it."""
        self.view("words")
        return core.Blocks(self.document.page, _SETTINGS)

    @cached_property
    def provided(self) -> set[str]:
        """Names of what `features` was given."""
        return set()

    def view(self, name: str) -> Any:
        """A column of the page by its name in `core.COLUMNS`; `words`, `is_prose`, `levels` and the like, and sums
        of them over subtrees, are added when asked for (`core.measure_blocks`)."""
        page = self.document.page
        # measured by the first stage that asks: a page of which the type alone is wanted needs some of it only
        if name not in page:
            core.measure_blocks(page, CHARS_PER_WORD, _LABEL_CHARS, _PROSE_LINK_SHARE)
        return page.view(name)

    @cached_property
    def row(self) -> Rows:
        """int64 [n_blocks]: the nearest block element around each text block."""
        return self.blocks.row

    @cached_property
    def tag(self) -> Rows:
        """int64 [n_blocks]: code of the tag of `row`."""
        return self.document.tag[self.row]

    @cached_property
    def is_heading(self) -> Mask:
        """bool [n_blocks]: the block is a heading."""
        return HEADING[self.tag]

    @cached_property
    def heading_above(self) -> Rows:
        """int64 [n_blocks]: the heading whose section the block is in (the block itself if a heading), or -1."""
        return np.maximum.accumulate(np.where(self.is_heading, np.arange(len(self.blocks)), -1))
