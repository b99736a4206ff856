"""Dates of posts that are numbers alone (3/4/2024) -> ISO 8601, where the thread or its language tells day from month.

13/4/2024                            one date that can be read in one way only tells how to read all others
3/4/2024, 4/4/2024, 5/4/2024         three days in a row, but months in a leap: posts stand in the order of time
3.4.2024 on a German board           no other date decides, but the language does
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from webclean.fields.date import infer_day_order, is_month_first, prepare_reader
from webclean.fields.date_text import FoundDate, read_dates
from webclean.model import Post
from webclean.rules.features_schema import Dates
from webclean.rules.fields_schema import DateRules

_NUMBERS: Final = re.compile(r"\s*\d{1,2}[-/.] ?\d{1,2}[-/.] ?\d{2,4}\b")


def date_posts(posts: Sequence[Post], rules: DateRules, texts: Dates, language: str, host: str) -> tuple[Post, ...]:
    """The posts; where nothing tells the day from the month, their dates stay as they are written."""
    reader = prepare_reader(rules, texts)
    found = {
        number: date
        for number, post in enumerate(posts)
        if _NUMBERS.match(post.date or "") and (date := next(read_dates(post.date or "", reader), None))
    }
    order = found and _find_order(list(found.values()), rules, language, host)
    if not order:
        return tuple(posts)
    read = {number: _turn(date, order).iso for number, date in found.items()}
    return tuple(post._replace(date=read.get(number, post.date)) for number, post in enumerate(posts))


def _find_order(dates: Sequence[FoundDate], rules: DateRules, language: str, host: str) -> str:
    """`day` or `month`, whichever is first; '' if nothing decides it."""
    told = infer_day_order(dates, ()) or _compare_orders(dates, rules.thread_days)
    # 3.4.2024 has the day first where nothing says otherwise
    return told or ("day" if {date.order for date in dates} == {"day?"} else _ask_language(rules, language, host))


def _compare_orders(dates: Sequence[FoundDate], least: int) -> str:
    """The order in which the posts stand from the first to the last, or from the last to the first, if it is one."""
    # few days may stand in order either way by chance; with a setting of 0 nothing is compared
    if len({date.day for date in dates}) < (least or len(dates) + 1):
        return ""
    in_time = [order for order in ("day", "month") if _is_sorted([_turn(date, order) for date in dates])]
    # both in order: all posts are of one day, or of the first twelve days of their months
    return in_time[0] if len(in_time) == 1 else ""


def _is_sorted(dates: Sequence[FoundDate]) -> bool:
    pairs = list(pairwise(date.day for date in dates))
    return all(one <= other for one, other in pairs) or all(one >= other for one, other in pairs)


def _ask_language(rules: DateRules, language: str, host: str) -> str:
    """English without a region, and a page that says nothing, may be of either."""
    code, _, region = language.replace("_", "-").lower().partition("-")
    if not is_month_first(language, host, rules):
        return "day"
    return "month" if code in rules.month_first_languages and region else ""


def _turn(date: FoundDate, order: str) -> FoundDate:
    """The date, read with the day or the month first where it can be either."""
    return date if not date.order.endswith("?") or date.order.startswith(order) else date.swapped
