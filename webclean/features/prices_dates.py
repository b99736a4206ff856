"""Sections `prices` and `dates` of a rule set -> the RE2 expressions that find amounts of money and dates in texts.

Features count matches over the whole text of a page, as UTF-8: RE2 searches bytes several times as fast as `str`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import re2

from webclean.errors import RuleError
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.features_schema import Dates, Prices
from webclean.rules.python_expressions import join_templates, needs_digit

_NUMBER: Final = r"\d(?:[\d.,]*\d)?"
_SPACE: Final = r"[ \x{a0}]?"
_NOTHING: Final = r"[^\x{0}-\x{10ffff}]"


@dataclass(frozen=True, eq=False)
class PriceDateFinder:
    """RE2 expressions; without rules they match nothing.

    price: amounts of money. glimpse: what features count as a date: also a year or a time of day. shown: dates as
    entries of lists show them. needs_digit: whether all that `price` and `glimpse` match has a digit.
    """

    price: str = _NOTHING
    glimpse: str = _NOTHING
    shown: str = _NOTHING
    needs_digit: bool = True

    @cached_property
    def prices(self) -> Any:
        """Amounts, in bytes of UTF-8."""
        return _compile(self.price.encode())

    @cached_property
    def glimpses(self) -> Any:
        """Dates, years and times of day, in bytes of UTF-8."""
        return _compile(self.glimpse.encode())

    @cached_property
    def first_of_line(self) -> Any:
        """The first amount or date of a line, in bytes of UTF-8; group 1 is empty for a date."""
        return _compile(f"(?:({self.price})|{self.glimpse}).*".encode())

    @cached_property
    def price_texts(self) -> Any:
        """Amounts, in text."""
        return _compile(self.price)

    @cached_property
    def date_texts(self) -> Any:
        """Dates as entries of lists show them, in text."""
        return _compile(self.shown)


NOTHING_FOUND: Final = PriceDateFinder()


@cached_per_rule_set
def compile_prices_dates(prices: Prices, dates: Dates) -> PriceDateFinder:
    """Build the expressions of a rule set."""
    # a sign may be one of expressions: `$`
    signs = re.escape(prices.signs)
    before = "|".join([f"[{signs}]", *(f"(?i:{_start_word(word)})" for word in prices.words_before)])
    after = "|".join([f"[{signs}]", *(f"(?i:{_end_word(word)})" for word in prices.words_after)])
    # before or behind: `€ 5`, `5 €`, `USD 5`, `5 Kč`
    price = f"(?:{before}){_SPACE}{_NUMBER}|{_NUMBER}{_SPACE}(?:{after})"
    glimpse = f"(?:{join_templates(dates.glimpses, dates)})"
    shown = f"(?i:{join_templates(dates.shown, dates)})"
    return PriceDateFinder(price, glimpse, shown, needs_digit(glimpse))


def _start_word(word: str) -> str:
    """A word that does not go on before it; scripts without spaces have no such start."""
    return (r"\b" if word[:1].isascii() else "") + re.escape(word)


def _end_word(word: str) -> str:
    """A word that ends where it ends, so that `kr` is not found in `kraft`; scripts without spaces have no such end."""
    return re.escape(word) + (r"\b" if word.isascii() else "")


def _compile(pattern: str | bytes) -> Any:
    options = re2.Options()
    # RE2 writes faults to standard error, where they would stand in the output of a command
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        raise RuleError(f"not a regular expression of RE2 in `prices` or `dates`: {error}") from error
