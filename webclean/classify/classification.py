"""The type of a page, and what it is found by: features of the whole page (lines of `core/features.toml`), and words by
the channel in which they occur. A word counts once a channel.

url    words of host, path and names in the query, each with its place: host:docs, in:blog, at:pricing, query:page
head   names of meta elements, the values of og:type and the like, and types of JSON-LD
title  words of the title element
label  words of short texts: buttons, menus, bylines, headings
names  words of the tags, classes, ids and roles of elements with text: `relatedPosts` is related, posts

`list_channel_words` gives all words of a channel, for learning. For finding a type only the words in the rules matter:
`compile_vocabulary` numbers them, and the core says which of them a page has (`PageView.flags`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain
from typing import Any, Final

import msgspec
import numpy as np

from webclean import core
from webclean.caching import cached_property
from webclean.errors import RuleError
from webclean.features import PageColumns
from webclean.features.block_features import find_headline
from webclean.features.page_columns import CHARS_PER_WORD
from webclean.features.page_words import find_name_words, find_names, find_repeats, find_words
from webclean.features.words import LETTERS, make_lexicon, split_name
from webclean.model import Decision, Floats, PageType, Reason
from webclean.parse import read_raw
from webclean.parse.tags import CODE, HEADING, tag_mask
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

    page_type: a `PageType`. page_subtype: a name of `page_type.types`, or None. Their confidence is the probability.
    label: the most specific name, such as `blog`; the subtype where no refinement applies. probabilities: subtype ->
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
    """What a method found. sure: the probability of the type."""
    of_subtype = decide_subtype(subtype, sure, probabilities)
    return Classification(Decision(PageType(page_type), sure), of_subtype, None, probabilities, explain)


def decide_subtype(subtype: str | None, sure: float, probabilities: Mapping[str, float]) -> Decision:
    """A subtype with its probability; one that is not learnt is as sure as its type."""
    return Decision(subtype, probabilities.get(subtype or "", sure))


def classify_other(kind: str) -> Classification:
    """The classification of what is not HTML: type `no_feature`, no subtype, no probabilities."""
    reason = Reason("input", "kind", "nothing in it" if kind == "empty" else f"{kind} is not HTML")
    return Classification(Decision(PageType.NO_FEATURE), Decision(None), None, {}, lambda: (reason,))


_LONG_LINK_SHARE: Final = 0.3
"""Of link words, from which a long block is no running text; constant, because the cards are learnt with it."""
_LAST_SPACED: Final = "\u2e7f"
"""Most scripts after this character are written without spaces."""
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


def view_page(columns: PageColumns, rules: PageTypeRules) -> Any:
    """`core.WholePage`: what the features of a page are made of; each is computed when it is asked for."""
    document, repeats, finder = columns.document, find_repeats(columns), columns.prices_dates
    # the core reads the columns of the page itself, and does not ask whether they are there
    columns.view("words")  # and all that `measure_blocks` adds
    return core.WholePage(
        document.page,
        _make_settings(rules),
        document.attrs.found,
        document.url or "",
        (repeats.outer, repeats.group),
        find_headline(columns),
        (finder.first_of_line, finder.needs_digit),
    )


@cached_per_rule_set
def _make_settings(rules: PageTypeRules) -> Any:
    return core.PageSettings(
        long_words=rules.long_block_words,
        link_share=_LONG_LINK_SHARE,
        label_chars=rules.label_chars,
        label_count=rules.label_count,
        short_chars=rules.short_chars,
        sample_chars=rules.sample_chars,
        chars_per_word=CHARS_PER_WORD,
        last_spaced=_LAST_SPACED,
        is_heading=HEADING.view(np.uint8),
        is_item=_ITEM.view(np.uint8),
        **{tag: CODE[tag] for tag in ("title", "meta", "p", "img", "button", "input", "h2", "code", "pre")},
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
        words, names = find_words(self.columns), find_name_words(self.columns).key
        scripts, compiled = self.read_scripts(), compile_vocabulary(self.rules).compiled
        found: bytearray = compiled.match(self.whole, scripts, names, words.text, words.key)
        return found

    def read_scripts(self) -> list[str]:
        """The scripts, of which those of JSON-LD have words."""
        return read_raw(self.columns.document, "script") if self.columns.document.raw else []

    def has_word(self, written: str) -> bool:
        """Whether the page has a word, written `channel:word` as in refinements."""
        return bool(self.flags[compile_vocabulary(self.rules).find(written)])


_TELLING: Final = frozenset(("og:type", "generator", "twitter:card", "twitter:label1", "twitter:label2"))
"""Meta elements of which the first word of the content is a word too: `og:type=article`."""


def _list_label_words(page: PageView) -> Iterable[str]:
    """Words of labels; for words of other languages also the English word of the rules that means the same."""
    labels = map(page.columns.blocks.text.__getitem__, np.flatnonzero(core.mark_labels(page.whole)))
    words = [word for label in labels for word in LETTERS.findall(label.lower())]
    same = _index_by_word(tuple(page.rules.same_words.items()))
    return words + [same[word] for word in words if word in same]


CHANNELS: Final[Mapping[str, Callable[[PageView], Iterable[str]]]] = {
    "url": lambda page: core.list_url_words(page.whole),
    "head": lambda page: core.list_head_words(page.whole, _TELLING, page.read_scripts()),
    "title": lambda page: core.list_title_words(page.whole),
    "label": _list_label_words,
    "names": lambda page: chain.from_iterable(map(split_name, find_names(page.columns).names)),
}


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
    of_channels = {f"of_{channel}": number[channel] for channel in ("url", "head", "title")}
    (in_names, of_names), (in_labels, of_labels) = map(_make_table, (number["names"], {**labels, **meant}))
    tables = {"in_names": in_names, "in_labels": in_labels, "name_numbers": of_names, "label_numbers": of_labels}
    return Vocabulary(number, core.PageWords(n=len(known), telling=_TELLING, **of_channels, **tables))


def _make_table(numbers: Mapping[str, int]) -> tuple[Any, Any]:
    """`core.WordSet` of some words, and int64 [n_words], the number of each of its places."""
    lexicon = make_lexicon(numbers)
    return lexicon.compiled, np.array([numbers[word] for word in lexicon.words], dtype=np.int64)
