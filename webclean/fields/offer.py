"""Which text blocks show what the one thing that a page sells costs, whether it can be had and how it is rated.

Cards are learnt from texts of which most leave the price out; a reader of a page of goods asks for it first. So the
blocks that show it are told to the stage that decides, which keeps them.

Amounts are compared as numbers: `EUR 1299` of JSON-LD is shown by `1.299,00 €`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from webclean import core
from webclean.features import PageColumns
from webclean.features.headline import find_headline
from webclean.fields.product import choose_amount, list_near, list_numbers, list_stated_prices, list_stated_ratings
from webclean.fields.statements import PageStatements
from webclean.model import Mask
from webclean.rules.fields_schema import FactRules, FieldRules, PriceRules

_AMOUNT: Final = re.compile(r"\d[\d.,' \u00a0\u202f]*\d|\d")
_SPACES: Final = re.compile(r"['\s]")
_DECIMALS: Final = re.compile(r"[.,](\d{1,2})$")


def find_offer_blocks(columns: PageColumns, rules: FieldRules, kept: Mask) -> dict[int, str]:
    """Text block -> what it shows of the offer; only of what no kept block shows.

    kept: bool [n_blocks], what is kept so far.
    """
    headline, statements = max(0, find_headline(columns)), PageStatements(columns)
    showing = {
        "price": _list_price_blocks(statements, rules.price, headline),
        "availability": _list_matching(columns, headline, rules.availability),
        "rating": _list_rating_blocks(statements, rules, headline),
    }
    found: dict[int, str] = {}
    for name, blocks in showing.items():
        # one of them is enough: a price stands at the title, the button and the foot
        if blocks and not kept[blocks].any():
            found.setdefault(blocks[0], name)
    return found


def _list_price_blocks(statements: PageStatements, rules: PriceRules, headline: int) -> list[int]:
    """The blocks that show the stated price, the visible ones first, of them the nearest; without a stated price the
    block with the amount near the headline."""
    columns = statements.columns
    stated = list_stated_prices(statements, rules)
    if not stated:
        chosen = choose_amount(columns, headline, rules)
        return [] if chosen is None else [chosen[0]]
    wanted, blocks = set(read_amounts(stated[0][0])), columns.blocks
    shown = [
        at
        for at in core.list_numbered(blocks.text, 0, len(blocks), rules.text_chars)
        if len(blocks.text[at]) <= rules.text_chars
        and not wanted.isdisjoint(read_amounts(blocks.text[at]))
        # last, for few numbers are the one that is stated
        and columns.prices_dates.price_texts.search(blocks.text[at])
    ]
    # scripts show the price of the version that is chosen: what is hidden until then is the price all the same
    return sorted(shown, key=lambda at: (not blocks.visible[at], abs(at - headline)))


def _list_rating_blocks(statements: PageStatements, rules: FieldRules, headline: int) -> list[int]:
    """The blocks near the headline that show the stated rating as a decimal, or any rating out of a best one."""
    columns = statements.columns
    # a whole number near the headline is any number: 4 stars, 4 pieces
    values = {value for value, *_ in list_stated_ratings(statements, rules)[:1] if "." in value}
    below, _ = list_near(columns, headline, rules.rating.text_chars, rules.rating.blocks_below)
    stated = [at for at in below if not values.isdisjoint(list_numbers(columns.blocks.text[at]))]
    return stated or _list_matching(columns, headline, rules.rating)


def _list_matching(columns: PageColumns, headline: int, rules: FactRules) -> list[int]:
    shown = re.compile(rules.shown)
    below, _ = list_near(columns, headline, rules.text_chars, rules.blocks_below)
    return [at for at in below if shown.search(columns.blocks.text[at])]


def read_amounts(text: str) -> Iterable[float]:
    """The numbers of a text: `1.299,00 €` and `1,299` are 1299, `9,5` is 9.5."""
    return [read_amount(found) for found in _AMOUNT.findall(text)]


def read_amount(written: str) -> float:
    """A number whose decimals are its last one or two digits behind a sign; other signs separate thousands."""
    text = _SPACES.sub("", written)
    decimals = _DECIMALS.search(text)
    whole = text[: decimals.start()] if decimals else text
    return float(f"{re.sub(r'[.,]', '', whole)}.{decimals[1] if decimals else '0'}")
