"""The registry of features: named columns over the text blocks of a page, whose tables are in the core; and what they
are given that is made outside it: the arguments of the methods `give_NAME` of `core.Blocks`, made when a feature needs
them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.features.headline import find_headline
from webclean.features.links import OTHER_SITE, SAME_SITE, find_directory, find_links
from webclean.features.names import find_names, find_repeats
from webclean.features.page_columns import PageColumns
from webclean.features.text import (
    HEADINGS,
    SHORT_TEXT,
    WORDS,
    count_known_names,
    count_matches,
    find_same_text,
    score_distinct_names,
    score_texts,
)
from webclean.model import Floats
from webclean.parse.columns import list_holding
from webclean.parse.tags import CODE
from webclean.registry import FeatureRegistry

_ARIA: Final = "aria-hidden"


def _find_shown_headline(columns: PageColumns) -> int:
    """Index of the headline's block, of the first h2 when there is none, or -1."""
    found = find_headline(columns)
    if found < 0:
        # pages without an h1 begin their headings one level down
        second = ((columns.tag == CODE["h2"]) & columns.blocks.visible).nonzero()[0]
        found = int(second[0]) if len(second) else -1
    return found


def _list_hidden(columns: PageColumns) -> tuple[Any, ...]:
    veiled = [row for row, value in list_holding(columns.document, _ARIA, "true") if value == "true"]
    return columns.blocks.visible, np.array(veiled, dtype=np.int64)


def _list_links(columns: PageColumns) -> tuple[Any, ...]:
    links, has_directory = find_links(columns), bool(find_directory(columns.document.url))
    return links.row, links.kind, links.length, links.is_own, (SAME_SITE, OTHER_SITE), has_directory


def _list_repeats(columns: PageColumns) -> tuple[Any, ...]:
    found = find_repeats(columns)
    return (found.item, found.outer, found.path), found.group, (found.size, found.words, found.spread)


def _score_texts(columns: PageColumns) -> tuple[Any, ...]:
    points = score_texts(columns, columns.word_points)
    return points[WORDS], points[HEADINGS], SHORT_TEXT


GIVEN: Final[dict[str, Callable[[PageColumns], tuple[Any, ...]]]] = {
    "prices": lambda columns: (count_matches(columns, columns.prices_dates.prices),),
    "dates": lambda columns: (count_matches(columns, columns.prices_dates.glimpses),),
    "same": lambda columns: (find_same_text(columns),),
    "hidden": _list_hidden,
    "headline": lambda columns: (_find_shown_headline(columns),),
    "links": _list_links,
    "repeats": _list_repeats,
    "names": lambda columns: (find_names(columns).index, score_distinct_names(columns, columns.word_points)),
    "known_names": lambda columns: (count_known_names(columns),),
    "texts": _score_texts,
}
"""What the features need -> what makes it."""


def give(columns: PageColumns, things: tuple[str, ...]) -> None:
    """Give the features what some of them need, once a page."""
    for thing in things:
        if thing not in columns.given:
            getattr(columns.features, f"give_{thing}")(*GIVEN[thing](columns))
            columns.given.add(thing)  # not before: what makes it may run out of time, and then the core has nothing


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
    give(columns, BLOCK_FEATURES.needs[known])
    made: Floats = columns.features.view(BLOCK_FEATURES.numbers[known])
    columns.table[name] = made
    return made


BLOCK_FEATURES.add_tables(core.BLOCK_TABLES, lambda name: partial(measure, name=name), core.BLOCK_NEEDS)
