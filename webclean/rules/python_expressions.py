r"""Regular expressions in rules: which of them are rejected, for they could take for ever; templates of dates.

Most expressions in rules are matched by RE2 in linear time. Those of fields need lookaround and words in every script,
which RE2 does not support. They must have a form in which backtracking is bounded: an unbounded repetition contains
neither another unbounded repetition nor a choice (`(a+)+` and `(a|aa)*` are rejected), and there are no references.

A template of section `dates` becomes an expression once its placeholders are filled in. The same templates are used to
read the parts of a date (named groups) and to find only its place: `{month}/{year}` becomes
`(?P<month>1[0-2]|0?[1-9])/(?P<year>(?:19|20)\d\d)`, and the same without group names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, Final

from webclean.rules.page_schema import Dates

MANY: Final = 20
"""A repetition that may be longer counts as unbounded."""
_SHOWN: Final = 80  # characters of an expression in a message
_parser, _codes = import_module("re._parser"), import_module("re._constants")


def find_expression_fault(pattern: str) -> str:
    """Why an expression is rejected; '' if it is accepted."""
    try:
        re.compile(pattern)
        fault = next(_list_faults(_parser.parse(pattern), False), "")
    except (re.error, OverflowError) as error:
        return f"not a regular expression: {pattern!r} ({error})"
    except RecursionError:
        return f"groups within groups, too deep to be read: {pattern[:_SHOWN]!r}..."
    return f"{fault}, which may take for ever: {pattern!r}" if fault else ""


def _list_faults(items: Iterable[tuple[Any, Any]], is_repeated: bool) -> Iterator[str]:
    """Why backtracking in a group is not bounded. items: what is in it, as Python parses it. is_repeated: the group, or
    one around it, without bound."""
    for kind, about in items:
        is_many = kind in (_codes.MAX_REPEAT, _codes.MIN_REPEAT) and about[1] > MANY
        # a reference is compared at every place
        if kind is _codes.GROUPREF:
            yield "refers back"
        if is_repeated and (is_many or kind is _codes.BRANCH):
            yield "repeats a group that holds a repetition or a choice"
        # choices; what is repeated; a group, also one that looks around
        inside = about[1] if kind is _codes.BRANCH else about[-1:] if isinstance(about, tuple) else ()
        for part in inside:
            if isinstance(part, _parser.SubPattern):
                yield from _list_faults(part, is_repeated or is_many)


_DAY: Final = r"3[01]|[12]\d|0?[1-9]"
_PARTS: Final = {
    "year": r"(?:19|20)\d\d",
    "year2": r"\d\d",
    "month": r"1[0-2]|0?[1-9]",
    **dict.fromkeys(("day", "first", "second", "day_or_month", "month_or_day"), _DAY),
    "era_year": r"元|\d{1,3}",
    "hour": r"2[0-3]|[01]?\d",
    "minute": r"[0-5]\d",
    "sec": r"[0-5]\d",
    "offset": r"[+-](?:0\d|1[0-4]):?[0-5]\d|(?<=utc|gmt)[+-](?:1[0-4]|\d)(?::[0-5]\d)?(?!\d)",
}
"""Name of a placeholder and of its group -> what stands there."""
_PLACEHOLDER: Final = re.compile(r"\{[a-z_]+\d?\}")
_GROUP: Final = re.compile(r"\(\?P<\w+>")


def number_months(dates: Dates) -> dict[str, int]:
    """Name of a month in lower case -> its number, in all languages."""
    months: dict[str, int] = {}
    for names in dates.months.values():
        for number, spellings in enumerate(names, start=1):
            for name in spellings.split():
                # a name that two languages share means the same month in both, but for false friends: the first stays
                months.setdefault(name.casefold().replace("_", " "), number)
    return months


def make_filler(dates: Dates) -> Callable[[str], str]:
    """A function that fills the placeholders of a template with named groups."""
    words = {"name": number_months(dates), "era": dates.eras, "zone": map(str.casefold, dates.zones)}
    named = _PARTS | {name: _any_of(known) for name, known in words.items()}
    parts = {f"{{{name}}}": f"(?P<{name}>{pattern})" for name, pattern in named.items()}
    for language, names in dates.months.items():
        parts[f"{{name_{language}}}"] = f"(?P<name>{_any_of(' '.join(names).split())})"

    def fill_in(template: str) -> str:
        return _PLACEHOLDER.sub(lambda found: parts.get(found[0], found[0]), template)

    return fill_in


def join_templates(templates: Iterable[str], dates: Dates) -> str:
    """One expression without groups that matches what any of the templates matches."""
    fill_in = make_filler(dates)
    return "|".join(f"(?:{_GROUP.sub('(?:', fill_in(template))})" for template in templates)


def _any_of(words: Iterable[str]) -> str:
    # the longest first: `|` takes the first that fits, and `sept` begins `september`
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))
