"""The type of a page, and what it is found by: features of the whole page (lines of `core/features.toml`) and the words
of five channels. A word counts once in each channel.

url    words of host, path and names in the query, each with its place: host:docs, in:blog, at:pricing, query:page
head   names of meta elements, the values of og:type and the like, and types of JSON-LD
title  words of the title element
label  words of short texts: buttons, menus, bylines, headings
names  words of the tags, classes, ids and roles of elements with text: `relatedPosts` is related, posts

Learning needs all words of a channel (`list_channel_words`). Classifying needs only those that the rules name:
`compile_vocabulary` numbers them, and the core says which of them a page has (`PageView.flags`).
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from typing import Any, Final, NamedTuple, cast
from urllib.parse import unquote

import msgspec
import numpy as np

from webclean import core
from webclean.caching import cached_per_page, cached_property
from webclean.errors import RuleError
from webclean.features import PageColumns
from webclean.features.block_features import find_headline
from webclean.features.page_columns import CHARS_PER_WORD
from webclean.features.page_words import find_name_words, find_names, find_words, read_names
from webclean.features.words import LETTERS, make_lexicon, split_name
from webclean.model import Decision, Document, Floats, PageType, Reason
from webclean.parse.columns import read_attribute, read_attributes, read_raw
from webclean.parse.tags import CODE, HEADING, tag_mask
from webclean.parse.url import find_address
from webclean.registry import FeatureRegistry
from webclean.rules.page_schema import PageTypeRules
from webclean.rules.rule_schema import cached_per_rule_set

Explainer = Callable[[], tuple[Reason, ...]]


def choose_subtype(probabilities: Mapping[str, float], types: Mapping[str, str]) -> str:
    """The most probable subtype of the most probable type, so that type and subtype always agree."""
    sums = sum_types(probabilities, types)
    best = max(sums, key=sums.__getitem__)
    return max((name for name in probabilities if types[name] == best), key=probabilities.__getitem__)


def sum_types(probabilities: Mapping[str, float], types: Mapping[str, str]) -> dict[str, float]:
    """Type -> probability, from the probabilities of its subtypes."""
    sums: dict[str, float] = {}
    for name, probability in probabilities.items():
        sums[types[name]] = sums.get(types[name], 0.0) + probability
    return sums


class Classification(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The type and subtype of a page.

    page_type: a `PageType`; page_subtype: a name of `page_type.types`, or None. Their confidence is a probability.
    label: the most specific name, such as `blog`; the subtype if no refinement applies. probabilities: subtype ->
    probability; they sum to 1. explain: computes the reasons, which `reasons` caches.
    """

    page_type: Decision
    page_subtype: Decision
    label: str | None
    probabilities: Mapping[str, float]
    explain: Explainer

    @cached_property
    def reasons(self) -> tuple[Reason, ...]:
        """Why, the most important first."""
        return self.explain()

    @cached_property
    def ranking(self) -> tuple[tuple[str, float], ...]:
        """(subtype, probability), the most probable first: the second is the runner-up."""
        return tuple(sorted(self.probabilities.items(), key=lambda item: -item[1]))


def make_classification(
    page_type: str, subtype: str | None, sure: float, probabilities: Mapping[str, float], explain: Explainer
) -> Classification:
    """The classification that a method found. sure: the probability of the type."""
    of_subtype = decide_subtype(subtype, sure, probabilities)
    return Classification(Decision(PageType(page_type), sure), of_subtype, None, probabilities, explain)


def decide_subtype(subtype: str | None, sure: float, probabilities: Mapping[str, float]) -> Decision:
    """A subtype with its probability; one that was not learnt has the probability of its type."""
    return Decision(subtype, probabilities.get(subtype or "", sure))


def classify_other(kind: str) -> Classification:
    """The classification of what is not HTML: type `no_feature`, no subtype, no probabilities."""
    reason = Reason("input", "kind", "nothing in it" if kind == "empty" else f"{kind} is not HTML")
    return Classification(Decision(PageType.NO_FEATURE), Decision(None), None, {}, lambda: (reason,))


_LONG_LINK_SHARE: Final = 0.3
"""Of link words, from which a long block is no running text; constant, because the cards are learnt with it."""
_UNSPACED: Final = re.compile("[\u2e80-\U0010ffff]")
"""A character of the scripts that are mostly written without spaces."""
_ITEM: Final = tag_mask("li dt dd")
PAGE_FEATURES: Final = FeatureRegistry[Any, float](
    "page", "page_type.card", "page_type.refinements", cards=("page_type.card",)
)
"""Of `core.WholePage`."""
NUMBERS: Final = {name: number for number, (name, *_) in enumerate(chain(*core.PAGE_TABLES.values()))}
"""Name of a feature -> its number in the order of the tables, by which the core knows it."""


def measure_feature(whole: Any, name: str) -> float:
    """A feature of a page (`core.WholePage`); NaN where the page has no value of it."""
    value: float = whole.read(NUMBERS[name])
    return value


PAGE_FEATURES.add_tables(core.PAGE_TABLES, lambda name: partial(measure_feature, name=name))


def measure_page(whole: Any, names: Sequence[str]) -> Floats:
    """float64 [n]: the named features of a page (`core.WholePage`)."""
    return np.array([PAGE_FEATURES.find(name).compute(whole) for name in names], dtype=np.float64)


class Address(NamedTuple):
    """The parts of a page's address as RFC 3986, appendix B, divides it; '' for what it has not.

        http://example.org:80/a/b/Red-Shoes.html?page=2#top
               host           path              query

    folders, slug: the steps of the path but for the last one, and that in lower case without a file extension.
    """

    host: str
    path: str
    query: str
    folders: list[str]
    slug: str


_ADDRESS: Final = re.compile(r"(?:[^:/?#]+:)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?")
_EXTENSION: Final = re.compile(r"\.[a-z]{2,5}$")
_SLUG_SIGNS: Final = re.compile(r"%20|[-_+.]")


@lru_cache(maxsize=64)  # features and words of a page ask for the same one
def read_address(url: str | None) -> Address:
    """The parts of an address."""
    host, path, query = (part or "" for part in cast("re.Match[str]", _ADDRESS.match(url or "")).groups())
    *folders, last = [unquote(step) for step in path.split("/") if step] or [""]
    return Address(host, path, query, folders, _EXTENSION.sub("", last.lower()))


def measure_address(url: str | None) -> tuple[float, float, float, float]:
    """What features say of an address: steps of its path, digits in it, words of its last step (`how-to_bake+bread` has
    four), and whether the last of these is plural; NaN where it is not known."""
    if not url:
        return (math.nan,) * 4
    address = read_address(url)
    n_digits = sum(map(str.isdigit, address.path))
    # `/show.asp?id=12` is the address of a program: what page it shows stands in the query
    if address.query and _EXTENSION.search(address.path.lower()):
        return math.nan, n_digits, math.nan, math.nan
    words = [word for word in _SLUG_SIGNS.split(address.slug) if word]
    last = words[-1] if words else ""
    # `glass` ends in two, and `gas` is too short to tell
    is_plural = len(last) > 3 and last.endswith("s") and not last.endswith("ss")
    return sum(map(bool, address.path.split("/"))), n_digits, len(words), is_plural


@cached_per_page
def read_title(document: Document) -> str:
    """The text of the first title element, which holds text alone: what starts right after it is its own."""
    if "title" not in document.names:
        return ""
    row = document.names.index("title")
    return " ".join(document.text[slice(*map(document.text_next.searchsorted, (row + 1, row + 2)))])


_GOLDEN_RATIO: Final = (1 + 5**0.5) / 2
"""The fractional parts of its multiples are evenly spread over 0..1 and have no period, so that a sample chosen by them
never takes only the names of a list in which names and prices alternate."""
_MOST_SAMPLED: Final = 1 << 14
"""Short texts that are sampled from, from the top."""


def sample_short(columns: PageColumns, rules: PageTypeRules) -> list[str]:
    """A sample of about `sample_chars` characters of the texts of at most `short_chars`, spread over the page."""
    is_short = columns.n_text_chars <= rules.short_chars
    short, n_chars = is_short.nonzero()[0], int(columns.n_text_chars.dot(is_short))
    if n_chars > rules.sample_chars:
        short = short[:_MOST_SAMPLED]
        short = short[np.arange(len(short)) * _GOLDEN_RATIO % 1.0 < rules.sample_chars / n_chars]
    return list(map(columns.blocks.text.__getitem__, short.tolist()))


def share_prices_and_dates(columns: PageColumns, rules: PageTypeRules) -> tuple[float, float]:
    """Shares of the short texts in which an amount of money comes first, and in which a date does."""
    sampled = sample_short(columns, rules)
    n, finder = max(1, len(sampled)), columns.prices_dates
    # either has a digit
    texts = [sampled[at] for at in core.list_numbered(sampled, 0, len(sampled), sys.maxsize)]
    # one search over all texts: a call for each costs more than the search
    found = finder.first_of_line.list_spans("\n".join(texts).encode("utf-8", "surrogatepass")) if texts else []
    n_prices = sum([first < end for _, (first, end) in found])
    return n_prices / n, (len(found) - n_prices) / n


def view_page(columns: PageColumns, rules: PageTypeRules) -> Any:
    """`core.WholePage`: what the features of a page are made of; each is computed when it is asked for."""
    document = columns.document
    title = read_title(document)
    read_names(columns)
    # the core reads the columns of the page itself, and does not ask whether they are there
    columns.view("words")  # and all that `measure_blocks` adds
    return core.WholePage(
        document.page,
        _make_settings(rules),
        document.attrs.found,
        measure_address(find_address(document)),
        (title, len(title.split()) + len(_UNSPACED.findall(title)) / CHARS_PER_WORD),
        find_headline(columns),
        share_prices_and_dates(columns, rules),
    )


@cached_per_rule_set
def _make_settings(rules: PageTypeRules) -> Any:
    return core.PageSettings(
        long_words=rules.long_block_words,
        link_share=_LONG_LINK_SHARE,
        label_chars=rules.label_chars,
        label_count=rules.label_count,
        is_heading=HEADING.view(np.uint8),
        is_item=_ITEM.view(np.uint8),
        **{tag: CODE[tag] for tag in ("p", "img", "button", "input", "h2", "code", "pre")},
    )


@dataclass(frozen=True, eq=False)
class PageView:
    """A page as its type is found: its features and its words."""

    columns: PageColumns
    rules: PageTypeRules

    @cached_property
    def whole(self) -> Any:
        """`core.WholePage`."""
        return view_page(self.columns, self.rules)

    @cached_property
    def flags(self) -> bytearray:
        """uint8 [n_words]: the words of the rules that the page has, by their numbers."""
        words, names, known = (
            find_words(self.columns),
            find_name_words(self.columns).key,
            compile_vocabulary(self.rules),
        )
        found: bytearray = known.compiled.match(self.whole, names, words.text, words.key)
        for channel in _OF_STRINGS:
            if numbers := known.number[channel]:
                for word in numbers.keys() & CHANNELS[channel](self):
                    found[numbers[word]] = 1
        return found

    def has_word(self, written: str) -> bool:
        """Whether the page has a word, written `channel:word` as in refinements."""
        return bool(self.flags[compile_vocabulary(self.rules).find(written)])


_TELLING: Final = frozenset(("og:type", "generator", "twitter:card", "twitter:label1", "twitter:label2"))
"""Meta elements of which the first word of the content is a word too: `og:type=article`."""


_NAMING: Final = ("property", "name", "itemprop")
"""Attributes that name a meta element; the first that is there counts."""
_TYPED: Final = re.compile(r'"@type"\s*:\s*(?:\[\s*)?"([A-Za-z]+)(?=")')
"""A type in JSON-LD, of a list of them the first. Read as text: invalid JSON names its types all the same."""


def list_url_words(url: str | None) -> list[str]:
    """Words of an address, each with its place: `host:docs`, `in:blog`, `at:pricing`, and `query:page` for a name in
    the query."""
    address = read_address(url)
    # without the last label: of `docs.example.org` the country or `org` says nothing of the page
    host, folders = address.host.lower().rpartition(".")[0], "/".join(address.folders).lower()
    places = (("host", host), ("in", folders), ("at", address.slug))
    words = [f"{place}:{word}" for place, text in places for word in LETTERS.findall(text)]
    return words + [f"query:{part.partition('=')[0].lower()}" for part in address.query.split("&") if part]


def list_head_words(document: Document, scripts: Iterable[str]) -> list[str]:
    """Names of meta elements, and types of structured data as `schema:Article`. scripts: texts of JSON-LD."""
    rows = (document.tag == CODE["meta"]).nonzero()[0].tolist()
    named = zip(*(read_attributes(document, rows, name) for name in _NAMING), strict=True)
    words = [(one or other or third).lower() for one, other, third in named]
    for row, word in zip(rows, tuple(words), strict=True) if not _TELLING.isdisjoint(words) else ():
        if word in _TELLING:
            said = LETTERS.search((read_attribute(document, row, "content") or "").lower())
            words.append(f"{word}={said[0] if said else ''}")
    typed = (script for script in scripts if '"@type"' in script)  # sooner told than searched for: scripts are long
    return [*filter(None, words), *(f"schema:{name}" for script in typed for name in _TYPED.findall(script))]


def _list_label_words(page: PageView) -> Iterable[str]:
    """Words of labels; for words of other languages also the English word of the rules that means the same."""
    short = (page.columns.n_text_chars <= page.rules.label_chars).nonzero()[0][: page.rules.label_count]
    words = [word for at in short for word in LETTERS.findall(page.columns.blocks.text[at].lower())]
    same = _index_by_word(tuple(page.rules.same_words.items()))
    return words + [same[word] for word in words if word in same]


CHANNELS: Final[Mapping[str, Callable[[PageView], Iterable[str]]]] = {
    "url": lambda page: list_url_words(find_address(page.columns.document)),
    "head": lambda page: list_head_words(page.columns.document, read_raw(page.columns.document, "script")),
    "title": lambda page: LETTERS.findall(read_title(page.columns.document).lower()),
    "label": _list_label_words,
    "names": lambda page: chain.from_iterable(map(split_name, find_names(page.columns).names)),
}


_OF_STRINGS: Final = ("url", "head", "title")
"""Channels of a few dozen words; those of others are hashes, which the core made of the whole page."""


def list_channel_words(page: PageView, channel: str) -> set[str]:
    """The words of one channel."""
    return set(CHANNELS[channel](page))


@lru_cache(maxsize=64)
def _index_by_word(same_words: tuple[tuple[str, str], ...]) -> Mapping[str, str]:
    """Word -> the English word that means the same."""
    return {word: meaning for meaning, words in same_words for word in words.split()}


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """The words in the rules of page types, numbered: those of the card in its order, then the others.

    number: channel -> word -> number; label words that mean the same share a number. compiled: `core.PageWords`.
    """

    number: Mapping[str, Mapping[str, int]]
    compiled: Any

    def find(self, written: str) -> int:
        """The number of a word, written `channel:word` as in refinements."""
        channel, _, word = written.partition(":")
        return self.number[channel][word]


@cached_per_rule_set
def compile_vocabulary(rules: PageTypeRules) -> Vocabulary:
    """Number the words of a rule set. Raises `RuleError` for a channel that does not exist."""
    number: dict[str, dict[str, int]] = {channel: {} for channel in CHANNELS}
    # words of the card first: its points are rows of a table in that order
    of_card = [(channel, word) for channel, words in rules.card.words.items() for word in words]
    of_refinements = [written.partition(":")[::2] for one in rules.refinements.values() for written in one.words]
    known = dict.fromkeys([*of_card, *of_refinements])
    for place, (channel, word) in enumerate(known):
        # `tilte:login` in a rule file would match no page
        if channel not in CHANNELS:
            raise RuleError(f"no words of {channel!r}: one of {', '.join(CHANNELS)}", key="page_type")
        number[channel][word] = place
    labels = number["label"]
    # a word of another language has the number of the English one: the card knows `reply`, the page says `antworten`
    same = _index_by_word(tuple(rules.same_words.items()))
    meant = {word: labels[meaning] for word, meaning in same.items() if meaning in labels}
    (in_names, of_names), (in_labels, of_labels) = map(_make_table, (number["names"], {**labels, **meant}))
    tables = {"in_names": in_names, "in_labels": in_labels, "name_numbers": of_names, "label_numbers": of_labels}
    return Vocabulary(number, core.PageWords(n=len(known), **tables))


def _make_table(numbers: Mapping[str, int]) -> tuple[Any, Any]:
    """`core.WordSet` of some words, and int64 [n_words], the number of each of its places."""
    lexicon = make_lexicon(numbers)
    return lexicon.compiled, np.array([numbers[word] for word in lexicon.words], dtype=np.int64)
