"""Strings -> dates: ISO 8601 in machine-readable values, and the templates of section `dates` in text.

Only a complete date with year, month and day is read, nothing is guessed. A time of day that follows the date is read
with the templates `times`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from webclean.fields.scan import FinderSet, compile_finder
from webclean.fields.statements import split_tokens
from webclean.model import Post
from webclean.rules.page_schema import DateRules, Dates
from webclean.rules.python_expressions import make_filler, number_months
from webclean.rules.rule_schema import cached_per_rule_set

# wide digits and signs of Chinese and Japanese pages; digits of Arabic, Persian, and the scripts of India and its east
_ZEROS: Final = "０٠۰०০੦૦௦౦೦൦๐໐၀០"
_DIGITS: Final = str.maketrans("：／．－", ":/.-") | {ord(zero) + i: str(i) for zero in _ZEROS for i in range(10)}
_ISO: Final = re.compile(
    r"((?:19|20)\d\d)-?(0[1-9]|1[0-2])-?([0-2]\d|3[01])"
    r"(?:[T ]\s*([01]\d|2[0-4]):?([0-5]\d)(?::?([0-5]\d)(?:[.,]\d+)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?(?![\d])",
)
_HAS_ZONE: Final = re.compile(r"Z$|[+-]\d\d:\d\d$")
_MONTHS: Final = 12
_DAY_CHARS: Final = len("2024-01-31")
_LABEL_CHARS: Final = 40
"""Before a date: `Last updated on Monday,` fits, and what a sentence says before that does not."""
_BEFORE_LABEL: Final = " ,·|-–(（[【"
"""What stands between a date and a label behind it."""
_LABEL_CHARS_UNSPACED: Final = 16
"""The same where each character is a word: 40 of them are several sentences."""
_UNSPACED: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_NO_LABEL_CHARS: Final = 3
"""Fewer characters before a date (`on`, `| `) say nothing, so the text block before it may."""
_MAX_CHARS: Final = 400
"""Of a text that is read: a date that stands later is in the middle of a story."""
_MAX_NAMES: Final = 4096
"""Names whose kind is remembered."""
_LAST_CENTURY: Final = 70
"""12/31/99 is in 1999, 12/31/24 in 2024: the web has no older dates, and none that far ahead."""
_IRANIAN_DAYS: Final = 356_033
"""From the first day that the reckoning of `read_iranian` counts from to that of `date`."""
_OF_POST: Final = re.compile(r"\s*\d{1,2}[-/.] ?\d{1,2}[-/.] ?\d{2,4}\b")
"""The date of a post in numbers alone."""


class FoundDate(NamedTuple):
    """A date in a text: the day, ISO 8601 with the time if one is written, and the span.

    order: which number of 3/4/2024 was read as the first: `month` or `day` if no other reading is possible, `month?` or
    `day?` if the other would be a date as well; '' if the form of the date leaves no doubt.
    """

    day: date
    iso: str
    start: int
    end: int
    order: str = ""

    @property
    def swapped(self) -> FoundDate:
        """The date with day and month in the other order."""
        day = self.day.replace(month=self.day.day, day=self.day.month)
        order = "day?" if self.order == "month?" else "month?"
        return self._replace(day=day, iso=day.isoformat() + self.iso[10:], order=order)

    @property
    def has_time(self) -> bool:
        """Whether a time was written beside the day."""
        return len(self.iso) > _DAY_CHARS

    @property
    def instant(self) -> datetime | None:
        """The moment in UTC, if a time and a zone are written; else None."""
        if not _HAS_ZONE.search(self.iso, 16):
            return None
        try:
            return datetime.fromisoformat(self.iso).astimezone(UTC)
        except (ValueError, OverflowError):
            return None


class DateReader:
    """The compiled templates of section `dates`, and the words of `fields.date`.

    months, eras: name -> number, first year. zones: name -> offset.
    """

    def __init__(self, rules: DateRules, dates: Dates) -> None:
        fill_in = make_filler(dates)
        self.dates = FinderSet(
            map(compile_finder, map(fill_in, dates.templates)),
            also="[" + "".join(f"{zero}-{chr(ord(zero) + 9)}" for zero in _ZEROS) + "]",
        )
        self.times = [compile_finder(fill_in(template)).exact for template in dates.times]
        self.in_urls = compile_finder(fill_in(dates.in_urls)).exact
        self.months, self.eras = number_months(dates), dict(dates.eras)
        self.group_eras = [era for era in dates.eras if any(f"(?P<{era}>" in template for template in dates.templates)]
        self.zones = {name.casefold(): offset for name, offset in dates.zones.items()}
        self.afternoon = frozenset(dates.afternoon)
        self.earliest = date.fromisoformat(rules.earliest)
        # a name with a word of both was changed: `date-modified`
        self._kinds = {"modified": frozenset(rules.modified_words), "published": frozenset(rules.published_words)}
        self._listed = frozenset(map(str.lower, (*rules.metas_published, *rules.metas_modified)))
        self._of_metas = compile_finder(rules.metas_pattern).exact
        # sites name their classes and meta elements alike on all pages
        self.classify_name = lru_cache(maxsize=_MAX_NAMES)(self._classify_name)
        self.classify_meta = lru_cache(maxsize=_MAX_NAMES)(self._classify_meta)

    def _classify_name(self, name: str) -> str:
        """`published` or `modified` by the words of a class, property or attribute; else ''."""
        words = split_tokens(name)
        return next((kind for kind, own in self._kinds.items() if not own.isdisjoint(words)), "")

    def _classify_meta(self, name: str) -> str:
        """The same by what the name of a meta element holds; '' for one that the rules list."""
        if name in self._listed or not self._of_metas.search(name):
            return ""
        return next((kind for kind, words in self._kinds.items() if any(word in name for word in words)), "")


prepare_reader: Final = cached_per_rule_set(DateReader)


def read_iso(text: str) -> FoundDate | None:
    """A date in ISO 8601 (or RFC 3339 with a space) at the start of a machine-readable value."""
    found = _ISO.match(text.strip())
    if not found:
        return None
    year, month, day, hour, minute, second, zone = found.groups()
    return _make(int(year), int(month), int(day), (hour, minute, second, zone), found.start(), found.end())


MACHINE_CHARS: Final = 40
"""Of a value for programs: a date with time and zone, no text in which one stands."""
_EPOCH: Final = re.compile(r"(?:/Date\()?(1\d{9})(?:\d{3})?(?:\.\d+)?(?:[+-]\d{4})?(?:\)/)?")
"""The forms of JavaScript, and of .NET: `/Date(1638460800000)/`."""


def read_machine_date(value: str) -> FoundDate | None:
    """A date in ISO 8601, or in seconds or milliseconds since 1970."""
    value = value.strip()
    if epoch := _EPOCH.fullmatch(value):
        return read_iso(datetime.fromtimestamp(int(epoch[1]), UTC).isoformat())
    return read_iso(value) if len(value) <= MACHINE_CHARS else None


def read_dates(text: str, reader: DateReader, month_first: Callable[[], bool] = lambda: True) -> Iterator[FoundDate]:
    """The dates of a text in order; their spans do not overlap."""
    text = text[:_MAX_CHARS]
    # replaced one for one, so that positions in the text stay
    text = text if text.isascii() else text.translate(_DIGITS)
    taken = 0
    for match in reader.dates.find_all(text):
        start, end = match.span()
        groups = match.groupdict()
        if start < taken:  # in the time of day of the date before it
            continue
        # a form that is written either way by country: with dots or slashes and no name of a month
        if dotted := groups.get("day_or_month"):
            groups |= {"first": dotted, "second": groups["month_or_day"]}
        first, second = int(groups.get("first") or 0), int(groups.get("second") or 0)
        order = ""
        if max(first, second) > _MONTHS and first != second:
            order = "month" if second > _MONTHS else "day"
        elif first != second:  # 3/3/2024 is one day either way
            order = "month?" if not dotted and month_first() else "day?"
        numbers = _read_numbers(groups, reader, order)
        if numbers is None:
            continue
        # before the date is made: `12.03.2024 10.30` must not give a second date of its time
        clock, end = _read_clock(text, end, reader)
        made = _make(*numbers, clock, start, end, order)
        if made and made.day >= reader.earliest:
            taken = end
            yield made


def read_url(url: str, reader: DateReader) -> FoundDate | None:
    """The first date in a URL."""
    found = reader.in_urls.search(url)
    numbers = _read_numbers(found.groupdict(), reader, "") if found else None
    made = _make(*numbers, (None,) * 4, *found.span()) if found and numbers else None
    return made if made and made.day >= reader.earliest else None


def _read_numbers(found: dict[str, str | None], reader: DateReader, order: str) -> tuple[int, int, int] | None:
    """(year, month, day) of a match."""
    era = found.get("era") or next((name for name in reader.group_eras if found.get(name)), "")
    if era:
        years = found.get("era_year") or found.get(era) or "1"
        year = reader.eras[era] + (1 if years == "元" else int(years)) - 1  # 元 is the first year of an era
    elif short := found.get("year2"):
        year = int(short) + (1900 if int(short) >= _LAST_CENTURY else 2000)
    else:
        year = int(found.get("year") or 0)
    first, second = found.get("first"), found.get("second")
    if first and second:
        month, day = (int(first), int(second)) if order.startswith("month") else (int(second), int(first))
    else:
        name = found.get("name")
        month = reader.months[name.casefold()] if name else int(found.get("month") or 0)
        day = int(found.get("day") or 0)
    # 0 is no month and no day: a date without either is none, and nothing is guessed
    if not (year and month and day):
        return None
    return read_iranian(year, month, day) if found.get("iranian") else (year, month, day)


def read_iranian(year: int, month: int, day: int) -> tuple[int, int, int]:
    """A day of the calendar of Iran in the Gregorian one: six months of 31 days, then of 30; eight leap years in 33.
    Right from 1925 to 2088."""
    eras, of_year = divmod(year + 1595, 33)
    n_days = 365 * (year + 1595) + 8 * eras + (of_year + 3) // 4 + 30 * (month - 1) + min(month - 1, 6) + day
    found = date.fromordinal(n_days - _IRANIAN_DAYS)
    return found.year, found.month, found.day


Clock = tuple[str | None, str | None, str | None, str | None]


def _read_clock(text: str, at: int, reader: DateReader) -> tuple[Clock, int]:
    """The time that follows a date, and the place where it ends."""
    for pattern in reader.times if at < len(text) else ():
        found = pattern.match(text, at)
        if found:
            parts = found.groupdict()
            hour = int(parts["hour"])
            half = (parts.get("half") or "").lower()
            if half:  # 12 pm is noon, 12 am midnight
                hour = hour % 12 + 12 * (half in reader.afternoon)
            zone = parts.get("offset") or reader.zones.get((parts.get("zone") or "").casefold())
            return (f"{hour:02d}", parts.get("minute") or "00", parts.get("sec"), zone), found.end()
    return (None, None, None, None), at


def _make(year: int, month: int, day: int, clock: Clock, start: int, end: int, order: str = "") -> FoundDate | None:
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    iso = found.isoformat()
    hour, minute, second, zone = clock
    if hour is not None and minute is not None and int(hour) < 24:  # 24:00 would be on the day after
        iso += f"T{hour}:{minute}:{second or '00'}"
        if zone in ("Z", "UTC", "GMT"):
            iso += "Z"
        elif zone:  # `+0800` and `+08`; GMT+7 is +07:00
            digits = zone[1:].replace(":", "")
            digits = digits.zfill(len(digits) + len(digits) % 2).ljust(4, "0")
            iso += f"{zone[0]}{digits[:2]}:{digits[2:4]}"
    return FoundDate(found, iso, start, end, order)


def is_month_first(language: str, host: str, rules: DateRules) -> bool:
    """Whether 3/4/2024 is March 4: by the language, unless its region or the host's country writes the day first."""
    code, _, region = language.replace("_", "-").lower().partition("-")
    if not {region, host.rpartition(".")[2]}.isdisjoint(rules.day_first_regions):
        return False
    # a page without a language is read like an English one
    return code in rules.month_first_languages or not code


def infer_day_order(dates: Sequence[FoundDate], stated: Container[date]) -> str:
    """Whether 3/4/2024 is March 4 on this page (`month`) or April 3 (`day`); '' if nothing decides it.

    One date decides for all: one with a number above 12 (13/4/2024), or one that only in one order is a day stated
    elsewhere on the page, in `stated` or with the name of its month.
    """
    named = {found.day for found in dates if not found.order}
    for found in dates:
        if found.order in ("month", "day"):
            return found.order
        if found.order:
            known = [day in stated or day in named for day in (found.day, found.swapped.day)]
            # exactly one reading must be known: both or neither decide nothing
            if known == [False, True]:
                return found.swapped.order.removesuffix("?")
    return ""


def date_posts(posts: Sequence[Post], rules: DateRules, texts: Dates, language: str, host: str) -> tuple[Post, ...]:
    """The posts of a thread with their dates in ISO 8601, where these are numbers alone (3/4/2024) and the thread or
    its language tells day from month; else as they are written.

    13/4/2024                            one date that can be read in one way only tells how to read all others
    3.4.2024 on a German board           no other date decides, but the language does
    """
    reader = prepare_reader(rules, texts)
    found = {
        number: date
        for number, post in enumerate(posts)
        if _OF_POST.match(post.date or "") and (date := next(read_dates(post.date or "", reader), None))
    }
    dates = list(found.values())
    order = infer_day_order(dates, ())
    if dates and not order:
        # 3.4.2024 has the day first where nothing says otherwise
        is_day_first = {date.order for date in dates} == {"day?"} or not is_month_first(language, host, rules)
        code, _, region = language.replace("_", "-").lower().partition("-")
        # English without a region, and a page that says nothing, may be of either
        order = "day" if is_day_first else "month" if code in rules.month_first_languages and region else ""
    if not order:
        return tuple(posts)
    other = "day?" if order == "month" else "month?"
    read = {number: (date.swapped if date.order == other else date).iso for number, date in found.items()}
    return tuple(post._replace(date=read.get(number, post.date)) for number, post in enumerate(posts))


class DateContext(msgspec.Struct, frozen=True):
    """How dates are read.

    reader: compiled templates. month_first: whether 3/4/2024 is March 4; asked where a page has such a date, for
    its language may have to be detected. reference: the time of reading. anchor: row of
    the element that shows the title, or -1.
    """

    reader: DateReader
    month_first: Callable[[], bool]
    reference: datetime
    anchor: int

    def read(self, text: str) -> FoundDate | None:
        """The first date of a value: ISO 8601, else the first template that fits."""
        # first as machines write, for which month and day need no guess
        found = read_machine_date(text) or read_iso(text)
        return found or next(read_dates(text, self.reader, self.month_first), None)


def read_labels(
    above: str, text: str, dates: Iterable[FoundDate], finders: FinderSet
) -> Iterator[tuple[FoundDate, list[int]]]:
    """Each date of a text, and the numbers of the labels that describe it.

    `Posted: 22/05/2018, changed: 23/05/2018`    what stands before a date, up to the one before it
    `2024年3月5日 公開 2024年3月9日 更新`          else what follows it, which is no label of the next one then

    above: the text block before, if that may be a label, else ''.
    """
    begin, labels = 0, [finder.exact for finder in finders.finders]
    for found in dates:
        before = read_label(text, found.start, begin) if begin >= 0 else ""
        if len(before) < _NO_LABEL_CHARS and not begin:
            before = f"{above} {before}"
        matching = [number for number in finders.list_possible(before) if labels[number].search(before)]
        begin = found.end
        if not matching:
            behind = text[found.end : found.end + _LABEL_CHARS].lstrip(_BEFORE_LABEL)
            matching = [number for number in finders.list_possible(behind) if labels[number].match(behind)]
            begin = -1 if matching else begin
        yield found, matching


def read_label(text: str, end: int, begin: int = 0) -> str:
    """The characters before a date that may describe it; fewer in scripts without spaces, where words are shorter.

    begin: end of the date before it.
    """
    before = text[max(begin, end - _LABEL_CHARS) : end]
    return before if before.isascii() or not _UNSPACED.search(before) else before[-_LABEL_CHARS_UNSPACED:]
