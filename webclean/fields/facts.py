"""Rating and availability of the one product that a page is of, where the page shows them.

What JSON-LD, meta elements and microdata state counts if a short text below the title shows it too; else, where the
page says that it is of a product, what that text says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from webclean.fields.lists import rank_values
from webclean.fields.product import list_product_parts, list_texts_below, read_property
from webclean.fields.statements import PageStatements
from webclean.model import FieldValue
from webclean.rules.fields_schema import FactRules, FieldRules

_NUMBER: Final = re.compile(r"\d{1,9}(?:[.,]\d{1,4})?")
_BEST: Final = "5"
"""What a rating is out of where the page does not say (schema.org, bestRating)."""
_MOST: Final = 1e9
_SEPARATORS: Final = str.maketrans("", "", " -_")
_STATES: Final = {
    "".join(words): " ".join(words)
    for words in map(
        str.split,
        (
            *("back order", "discontinued", "in stock", "in store only", "limited availability", "made to order"),
            *("online only", "out of stock", "pre order", "pre sale", "reserved", "sold out"),
        ),
    )
}
"""Members of ItemAvailability (schema.org) -> what they say."""


def find_rating(
    statements: PageStatements, rules: FieldRules, kinds: Mapping[str, float], title_row: int
) -> FieldValue:
    """The rating, out of the best one, and by how many where that is stated: `4.6/5 (128)`.

    kinds: what the page is, by `list_page_kinds`. title_row: the row that shows the title, or -1.
    """
    stated = [*_list_ratings(statements, rules), *_list_rating_properties(statements)]
    if not stated and not _is_of_product(rules, kinds):
        return FieldValue(None)
    shown = _list_shown(statements, rules.rating, title_row)
    numbers = {_normalise(number) for text in shown for number in _NUMBER.findall(text)}
    found = [
        (f"{value}/{best}{f' ({count})' if count else ''}", source)
        for value, best, count, source in stated
        if not numbers.isdisjoint((value, count))
    ]
    if not found and _is_of_product(rules, kinds):
        matches = filter(None, map(re.compile(rules.rating.shown).search, shown))
        found = [(f"{_normalise(match['value'])}/{match['best']}", "text") for match in matches]
    return rank_values(found, rules.rating.confidence)


def find_availability(
    statements: PageStatements, rules: FieldRules, kinds: Mapping[str, float], title_row: int
) -> FieldValue:
    """Whether the product can be had, as stated (`in stock`), else in the words of the page."""
    found, pattern = list(_list_states(statements, rules)), re.compile(rules.availability.shown)
    if not found and not _is_of_product(rules, kinds):
        return FieldValue(None)
    shown = list(filter(None, map(pattern.search, _list_shown(statements, rules.availability, title_row))))
    if not shown:
        return FieldValue(None)
    if _is_of_product(rules, kinds):
        found += [(match[0], "text") for match in shown]
    return rank_values(found, rules.availability.confidence)


def _list_shown(statements: PageStatements, rules: FactRules, title_row: int) -> list[str]:
    return list(list_texts_below(statements, title_row, rules.blocks_below, rules.text_chars))


def _is_of_product(rules: FieldRules, kinds: Mapping[str, float]) -> bool:
    return any(kinds.get(name) for name in rules.price.kinds)


def _list_ratings(statements: PageStatements, rules: FieldRules) -> Iterator[tuple[str, str, str, str]]:
    """Value, best value, number of those who rated ('' if not stated) and source."""
    for thing in list_product_parts(statements, rules.price):
        if "AggregateRating" in thing.types:
            value, best, *counts = (
                read_number(thing.values.get(key))
                for key in ("ratingValue", "bestRating", "reviewCount", "ratingCount")
            )
            if value:
                yield value, best or _BEST, next(filter(None, counts), ""), "json-ld rating"


def _list_rating_properties(statements: PageStatements) -> Iterator[tuple[str, str, str, str]]:
    """The same of microdata, of a page that has one rating, or gives that of all first and then those of reviews."""
    value, best, *counts = (
        next(iter(read_property(statements, name)), "")
        for name in ("ratingvalue", "bestrating", "reviewcount", "ratingcount")
    )
    count = next((read_number(text) for text in counts if text), "")
    if read_number(value) and (count or len(set(read_property(statements, "ratingvalue"))) == 1):
        yield read_number(value), read_number(best) or _BEST, count, "microdata rating"


def _list_states(statements: PageStatements, rules: FieldRules) -> Iterator[tuple[str, str]]:
    """What is stated of the availability, in words."""
    stated = [
        (text, "json-ld availability")
        for thing in list_product_parts(statements, rules.price)
        if not set(rules.price.offer_types).isdisjoint(thing.types)
        for text in thing.texts("availability")[:1]
    ]
    stated += [(text, f"meta {name}") for name, text in statements.read_meta(rules.availability.metas)]
    of_microdata = set(read_property(statements, "availability"))
    stated += [(text, "microdata availability") for text in of_microdata if len(of_microdata) == 1]
    for text, source in stated:
        name = text.rpartition("/")[2].rpartition(":")[2].lower()
        if words := _STATES.get(name.translate(_SEPARATORS)):
            yield words, source


def _normalise(number: str) -> str:
    """A number without zeros at the end of its decimals: `4,50` becomes `4.5`."""
    whole, _, decimals = number.replace(",", ".").partition(".")
    return f"{whole}.{decimals.rstrip('0')}".rstrip(".")


def read_number(value: object) -> str:
    """A number of JSON-LD or microdata, which may be written as a string; '' for what is none, and for 0."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        value = f"{value:.2f}" if value < _MOST else ""
    text = value.strip() if isinstance(value, str) else ""
    return _normalise(text) if _NUMBER.fullmatch(text) and any(sign in "123456789" for sign in text) else ""
