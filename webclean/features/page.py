"""Features of the whole page, equal for all its blocks: in a card they change how much of a page is kept, not which."""

from __future__ import annotations

import numpy as np

from webclean.features.landmarks import count_articles
from webclean.features.page_columns import PageColumns
from webclean.features.registry import PLAIN_CARD, SCORE_CARD, feature, measure
from webclean.model import Floats


def _all(columns: PageColumns, value: float) -> Floats:
    return np.full(len(columns.blocks), float(value))


@feature("words", "words of the page", learn=())
def page_words(columns: PageColumns) -> Floats:
    return _all(columns, columns.words.sum())


@feature("share", "link words / words of the page", learn=PLAIN_CARD)
def page_link_density(columns: PageColumns) -> Floats:
    return _all(columns, columns.link_words.sum() / columns.n_page_words)


@feature("share", "words in running text / words of the page")
def page_sentence_share(columns: PageColumns) -> Floats:
    return _all(columns, columns.words[columns.is_prose].sum() / columns.n_page_words)


@feature("words", "words of the page's largest block")
def page_largest_block(columns: PageColumns) -> Floats:
    return _all(columns, columns.words.max(initial=0))


@feature("amounts", "amounts of money on the page", learn=PLAIN_CARD)
def page_prices(columns: PageColumns) -> Floats:
    return _all(columns, measure(columns, "n_prices").sum())


@feature("elements", "article elements of the page", learn=SCORE_CARD)
def page_articles(columns: PageColumns) -> Floats:
    return _all(columns, count_articles(columns))


@feature("share", "words in nav, footer and aside / words of the page", learn=SCORE_CARD)
def page_boilerplate_share(columns: PageColumns) -> Floats:
    inside = measure(columns, "inside_boilerplate_landmark") > 0
    return _all(columns, columns.words[inside].sum() / columns.n_page_words)
