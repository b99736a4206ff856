"""Price: what one thing is sold for, on the page of that thing.

Statements come first: the offer of the one product in JSON-LD, meta elements, microdata. Where the page only says that
it is of a product, the first amount shown below its title counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from webclean.fields.json_ld import Thing
from webclean.fields.lists import rank_values
from webclean.fields.product import list_product_parts, list_texts_below, read_property
from webclean.fields.statements import PageStatements
from webclean.model import FieldValue
from webclean.parse.controls import clean_line
from webclean.rules.fields_schema import PriceRules

_MAX_CHARS: Final = 40
"""An amount that is written longer is none."""


def find_price(statements: PageStatements, rules: PriceRules, kinds: Mapping[str, float], title_row: int) -> FieldValue:
    """The amount with its currency, as stated (`EUR 9.50`) or shown (`9,50 €`).

    kinds: what the page is, by `list_page_kinds`. title_row: the row that shows the title, or -1.
    """
    found = [(value, "json-ld price") for value in _list_offers(statements, rules)]
    found += _read_metas(statements, rules)
    found += [(value, "microdata price") for value in _read_properties(statements)]
    if not found and any(kinds.get(name) for name in rules.kinds):
        found += [(value, "first amount in text") for value in _find_shown(statements, rules, title_row)]
    return rank_values(found, rules.confidence)


def _list_offers(statements: PageStatements, rules: PriceRules) -> list[str]:
    """The prices of the offers of the product; none where the page is of several."""
    offers = set(rules.offer_types)
    parts = list_product_parts(statements, rules)
    return [price for part in parts if not offers.isdisjoint(part.types) for price in _read_offer(part)]


def _read_offer(offer: Thing) -> Iterator[str]:
    currency = next(iter(offer.texts("priceCurrency")), "")
    low, high = (_read_amount(offer.values.get(key)) for key in ("lowPrice", "highPrice"))
    price = _read_amount(offer.values.get("price"))
    if not price and low:
        price = f"{low}–{high}" if high and high != low else low
    if price:
        yield _join(currency, price)


def _read_amount(value: Any) -> str:
    """A number of JSON-LD, which may be written as a string or be the first of a list; '' for what is none."""
    if isinstance(value, list):
        value = value[0] if value else None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = str(value)
    text = clean_line(value) if isinstance(value, str) else ""
    return text if len(text) <= _MAX_CHARS and any(sign in "123456789" for sign in text) else ""


def _read_metas(statements: PageStatements, rules: PriceRules) -> Iterator[tuple[str, str]]:
    currency = next((text for _, text in statements.read_meta(rules.currency_metas)), "")
    for name, text in statements.read_meta(rules.metas):
        if amount := _read_amount(text):
            yield _join(currency, amount), f"meta {name}"


def _read_properties(statements: PageStatements) -> Iterator[str]:
    """The first price of microdata, of a page that has not several."""
    currency = next(iter(read_property(statements, "pricecurrency")), "")
    amounts = {amount for text in read_property(statements, "price") if (amount := _read_amount(text))}
    if len(amounts) == 1:
        yield _join(currency, amounts.pop())


def _find_shown(statements: PageStatements, rules: PriceRules, title_row: int) -> Iterator[str]:
    """The first amount in one of the short texts below the title."""
    for text in list_texts_below(statements, title_row, rules.blocks_below, _MAX_CHARS):
        if found := statements.columns.prices_dates.price_texts.search(text):
            yield str(found.group(0)).strip()
            return


def _join(currency: str, amount: str) -> str:
    """An amount after its currency, unless it names one itself."""
    return f"{currency} {amount}" if currency and not any(sign.isalpha() for sign in amount) else amount
