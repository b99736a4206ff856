"""The type of a page: `Verdict` while it may still change, `Classification` as the result; and the features of the
whole page from which it is found, lines of `core/features.toml`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final

import msgspec
import numpy as np
from msgspec import structs

from webclean import core
from webclean.caching import cached_property
from webclean.classify.vocabulary import MatchedWords
from webclean.features import PageColumns
from webclean.features.block_features import find_headline
from webclean.features.names import find_repeats
from webclean.features.page_columns import CHARS_PER_WORD
from webclean.model import Decision, Floats, PageType, Reason
from webclean.parse.tags import CODE, HEADING, tag_mask
from webclean.registry import FeatureRegistry
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.page_type_schema import PageTypeRules

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


def classify_other(kind: str) -> Classification:
    """The classification of what is not HTML: type `no_feature`, no subtype, no probabilities."""
    reason = Reason("input", "kind", "nothing in it" if kind == "empty" else f"{kind} is not HTML")
    return Classification(Decision(PageType.NO_FEATURE), Decision(None), None, {}, lambda: (reason,))


class Verdict(msgspec.Struct, frozen=True, eq=False):
    """A type and subtype that later steps may still change.

    whole: `core.WholePage`. matched: the words of the rules that it has. explain: computes the reasons. label: as in
    `Classification`. overruled: the caller or a rule has decided, not the method.
    """

    whole: Any
    matched: MatchedWords
    page_type: str
    page_subtype: str | None
    type_confidence: float
    probabilities: Mapping[str, float]
    explain: Explainer
    label: str | None = None
    overruled: bool = False

    def override(
        self,
        page_type: str,
        subtype: str | None,
        reason: Reason,
        inside: Mapping[str, float] | None = None,
        *,
        label: str | None = None,
    ) -> Verdict:
        """This verdict with another type and subtype, and a reason before those there were.

        inside: subtype -> probability of those that are still possible, scaled here so that they sum to 1.
        """
        total = sum(inside.values()) if inside else 0.0
        if inside and total > 0:
            probabilities = {name: p / total for name, p in inside.items()}
        # the adjustments of the cards weigh by these: what the caller says is taken as sure
        elif subtype is not None and subtype in self.probabilities:
            probabilities = {name: float(name == subtype) for name in self.probabilities}
        else:
            probabilities = dict(self.probabilities)
        return structs.replace(
            self,
            page_type=page_type,
            page_subtype=subtype,
            type_confidence=1.0,
            probabilities=probabilities,
            explain=lambda: (reason, *self.explain()),
            label=label,
            overruled=True,
        )

    def classify(self) -> Classification:
        """The verdict as a result."""
        subtype = self.page_subtype
        # a finer label that is no learnt subtype is as sure as its type
        sure = 1.0 if self.overruled else self.probabilities.get(subtype or "", self.type_confidence)
        return Classification(
            Decision(PageType(self.page_type), self.type_confidence),
            Decision(subtype, sure),
            self.label or subtype,
            self.probabilities,
            self.explain,
        )


_LONG_LINK_SHARE: Final = 0.3
"""Of link words, from which a long block is no running text; constant, because the cards are learnt with it."""


LAST_SPACED: Final = "\u2e7f"
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
    numbers = {
        "long_words": rules.long_block_words,
        "link_share": _LONG_LINK_SHARE,
        "label_chars": rules.label_chars,
        "label_count": rules.label_count,
        "short_chars": rules.short_chars,
        "sample_chars": rules.sample_chars,
        "chars_per_word": CHARS_PER_WORD,
    }
    return core.PageSettings(CODE, HEADING.view(np.uint8), _ITEM.view(np.uint8), numbers, LAST_SPACED)
