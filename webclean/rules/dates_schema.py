"""Sections `prices` and `dates`: how amounts of money and dates are written, for every stage that looks for them."""

from typing import Annotated

from msgspec import Meta

from webclean.rules.section import Expression, Section


class Prices(Section, frozen=True, kw_only=True):
    """What makes a number an amount of money. Read by features of blocks, page types and records.

    signs: signs of currencies, which stand before or after the number.
    words_before: what stands before the number, in upper or lower case.
    words_after: what stands after the number, in upper or lower case.
    """

    signs: Annotated[str, Meta(min_length=1)]
    words_before: tuple[str, ...]
    words_after: tuple[str, ...]


class Dates(Section, frozen=True, kw_only=True):
    """How dates are written. Read by features of blocks, page types, records, and the fields of dates.

    Expressions hold placeholders: {year} {year2} {month} {day}, {name} of a month in any of the languages and {name_en}
    in one, {first} {second} (day and month in the order of the page), {day_or_month} {month_or_day} (the day first,
    unless the page says otherwise), {era} {era_year}, {hour} {minute} {sec} {offset} {zone}.

    templates: expressions that read a day.
    yearless: expressions that read a day without its year, for pages that state the year elsewhere.
    times: expressions that read a time of day behind a day.
    months: language -> names of the months in order, spellings separated by spaces.
    afternoon: words that add twelve hours.
    eras: name of a Japanese or Chinese era -> its first year.
    zones: name of a time zone -> its offset.
    relative: expression with a number, as in `3 hours ago` -> seconds of its unit; read only when the time of reading
        is given.
    in_urls: expression that reads a day in a URL.
    glimpses: what looks like a date, a year or a time of day; features count these, so it should hardly need a
        language. More expressions: blocks with dates are told apart in more languages, once the cards are learnt anew.
    shown: dates as entries of lists show them, whole or in part; the text found is the date of a record.
    """

    templates: tuple[str, ...]
    yearless: tuple[str, ...]
    times: tuple[str, ...]
    months: dict[str, tuple[str, ...]]
    afternoon: tuple[str, ...]
    eras: dict[str, int]
    zones: dict[str, str]
    relative: dict[Expression, float]
    in_urls: str
    glimpses: tuple[str, ...]
    shown: tuple[str, ...]
