"""The features of the whole page, from which its type is found; `core/pages.py` defines them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import Any, Final

import numpy as np

from webclean import core
from webclean.features import PageColumns
from webclean.features.headline import find_headline
from webclean.features.names import find_repeats
from webclean.features.page_columns import CHARS_PER_WORD
from webclean.model import Floats
from webclean.parse.tags import CODE, HEADING, tag_mask
from webclean.registry import FeatureRegistry
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.page_type_schema import PageTypeRules

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
