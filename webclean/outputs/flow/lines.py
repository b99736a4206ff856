"""What a line of a page says: a date, names, a price."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from webclean.outputs.flow import fold

# readers want no seconds and no zone
ISO_DATE: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d))?")
_NUMBER: Final = re.compile(r"\d+")
_WORD: Final = re.compile(r"\w+")
# between the authors of a text, who stand in any order in its by-line
_NAMES: Final = re.compile(r"\s*(?:[,;/&·|]|\band\b)\s*")


def says_date(text: str, date: str) -> bool:
    """Whether a line shows a date: word for word, or the year and day of an ISO 8601 one, in any order."""
    if not date:
        return False
    found = ISO_DATE.match(date)
    if found is None:
        return fold(date) in fold(text)
    numbers = [int(number) for number in _NUMBER.findall(text) if len(number) <= 4]
    year, day = int(found[1]), int(found[3])
    # without the month, which is a word in some language: `6 May 2024`, `06.05.24`, `5/6/24`
    return (year in numbers or year % 100 in numbers) and day in numbers


def says_names(text: str, names: str) -> bool:
    """Whether a line names somebody: all the names, in any order."""
    folded = fold(text)
    parts = [part for part in _NAMES.split(fold(names)) if part]
    return bool(parts) and all(part in folded for part in parts)


AMOUNT: Final = re.compile(r"\d(?:[\d.,' ]*\d)?")
"""An amount of money without its currency, which stands before or behind, as a sign or a word."""
_CENTS: Final = re.compile(r"(?<=\d)[.,]\s?00$")
CURRENCY: Final = 3
"""Letters of the name of a currency (ISO 4217)."""
_MOST_NAMES: Final = 6  # `Original price was`, `Current price is`
_NAMING: Final = re.compile(r"[^\W\d_]{4,}")  # a word, unlike the code of a currency


def is_price(text: str, price: str) -> bool:
    """Whether a line says a price once more and nothing else but a currency: `$1,646.00` for `USD 1646`."""
    found, wanted = AMOUNT.findall(text), AMOUNT.search(price)
    if wanted is None or len(found) != 1 or sum(map(str.isalpha, text)) > CURRENCY:
        return False
    # however thousands are set apart, without cents that are none
    shown, stated = ("".join(filter(str.isdecimal, _CENTS.sub("", amount))) for amount in (found[0], wanted[0]))
    return shown == stated


def says_prices(text: str, prices: tuple[str, str]) -> bool:
    """Whether a line says prices, each as often, and at most names them: `was 299 €, now 179 €`, or `179 € 179 €`.
    prices: now and before, '' if not known."""
    amounts = AMOUNT.findall(text)
    if len(amounts) < 2 and not prices[1]:
        return is_price(text, prices[0])  # `from 20 €` says more
    is_said = bool(amounts) and all(any(is_price(amount, price) for price in prices) for amount in amounts)
    return is_said and len(_NAMING.findall(text)) <= _MOST_NAMES


def count_words(text: str) -> Counter[str]:
    """Words and numbers of a text, case folded."""
    return Counter(_WORD.findall(text.casefold()))


def has_letters(text: str) -> bool:
    """Whether a text is more than digits, signs and bullets."""
    return any(map(str.isalpha, text))
