"""Error messages of the YAML parser and of msgspec -> what is wrong, what is allowed, and how to fix it.

Both libraries speak of tokens and types, which authors of rules need not know.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from datetime import date
from enum import Enum
from types import UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

TAB: Final = "a tab: YAML is indented with spaces; put two spaces for each tab"
_SYNTAX: Final = (
    ("cannot start any token", "a text that starts with a sign of YAML, such as @ or %, stands in quotes: 'text'"),
    (
        "mapping values are not allowed",
        "a second `: ` in one line, or a line that is indented further than the one above; "
        "a text that holds `: ` stands in quotes: 'text'",
    ),
    ("unknown escape character", "a backslash inside double quotes; put regular expressions in single quotes: '\\d+'"),
    (
        "end of stream",
        "a quote that is opened in line {opened} is never closed (inside single quotes write it twice: '')",
    ),
    ("could not find expected ':'", "a line without `: `; each line of a mapping is `key: value`, with a space"),
    ("',' or", "a bracket that is opened in line {opened} is not closed, or a comma is missing before this line"),
    ("'-' indicator", "this line is indented like the entries of a list but does not start with `- `"),
    ("expected <block end>", "indented unlike the lines above: the keys of a mapping start in the same column"),
    ("expected key", "indented unlike the lines above: the keys of a mapping start in the same column"),
)
"""(part of a message of the parser, the message to show instead); the first that fits is used."""
_HASH: Final = re.compile(r"\s*(#[^\s,\]}]+)")
_HASH_INSIDE: Final = re.compile(r"[\[{,:]\s*(#[^\s])")
_COLON_INSIDE: Final = re.compile(r"\s*(?:- )?([\w-]+): ([^'\"\[{|>&*].*: .*)")
_AT: Final = re.compile(r" - at `[^`]*`$")
_EXPECTED: Final = re.compile(r"Expected `([a-z| ]+)`(?:, got `(\w+)`| (.*))$")
_TYPES: Final = {
    "float": "a number",
    "int": "a whole number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list, as in [a, b]",
    "object": "a mapping, as in {key: value}",
    "null": "nothing",
}
_N_SHOWN: Final = 40
"""Known names that a message lists; where there are more, as of features, it lists the closest ones."""
_N_CLOSE: Final = 8
_BOUNDS: Final = {">=": "at least", ">": "more than", "<=": "at most", "<": "less than"}


def explain_comment(text: str) -> str:
    """The message where a value is none because it begins with `#`, as selectors of ids do; '' for other texts."""
    found = _HASH.match(text)
    return f"`#` begins a comment of YAML, so there is no value: put it in quotes: '{found[1]}'" if found else ""


def explain_syntax(problem: str, lines: list[str], column: int, opened: int) -> str:
    """The message for a text that is not YAML.

    problem: the parser's message. lines: of the text, up to the one where the parser stopped, at `column`. opened:
    number of the line where the unfinished part begins.
    """
    if lines[-1][column : column + 1] == "\t":
        return TAB
    for line in lines:
        # `[#ads, .other]`: what follows the bracket is a comment, so the bracket is never closed
        at = _HASH_INSIDE.search(line)
        if at and ("flow" in problem or "expected ','" in problem):
            return explain_comment(line[at.start(1) :])
    value = _COLON_INSIDE.match(lines[-1])
    if value and "mapping values are not allowed" in problem:
        key, text = value.groups()
        quoted = text.rstrip().replace("'", "''")
        return f"a text that holds `: ` stands in quotes: {key}: '{quoted}' ({problem})"
    plain = next((plain for sign, plain in _SYNTAX if sign in problem), None)
    return f"{plain.replace('{opened}', str(opened))} ({problem})" if plain else problem


def explain_value(value: Any, kind: Any, problem: str) -> str:
    """The message for one wrong value. problem: msgspec's message."""
    allowed = list(_list_names(kind))
    if isinstance(value, str) and "Invalid enum value" in problem and allowed:
        # the short form of an action is a word, the long one a mapping
        has_mapping = any(hasattr(option, "__struct_fields__") for option in get_args(kind))
        rest = ", or a mapping" if has_mapping else ""
        return suggest(value, allowed, "value") + rest
    problem = _AT.sub("", problem)
    if isinstance(value, list) and _is_mapping_by_name(kind):
        return "a mapping is expected, not a list: each entry has a name; write `name:` in place of `- `"
    found = _EXPECTED.match(problem)
    if found is None:
        return problem
    types, _, bound = found.groups()
    shown = _show(value)
    if bound:
        sign, _, number = bound.rpartition(" ")
        what = "characters" if "length" in sign else ""
        return f"{_BOUNDS.get(sign.split()[-1], sign)} {number} {what}".rstrip() + f" is allowed, not {shown}"
    names = [name for name in types.split(" | ") if name != "null"]
    wanted = " or ".join(_TYPES.get(name, name) for name in names)
    hint = ""
    # the classic of YAML: `language: no` is no Norwegian
    if "str" in names and isinstance(value, bool):
        hint = "; a text that reads yes, no, on, off, true or false stands in quotes: 'no'"
    elif "str" in names and isinstance(value, int | float | date):
        hint = f"; a text that looks like a number or a day stands in quotes: '{value}'"
    return f"{wanted} is expected, not {shown}{hint}"


def _is_mapping_by_name(kind: Any) -> bool:
    """Whether values of this kind are mappings by id, such as the rules."""
    return get_origin(kind) is dict and hasattr(get_args(kind)[1], "__struct_fields__")


def suggest(name: str, allowed: list[str], what: str = "key") -> str:
    """The message for an unknown name, with a similar known name and all known ones (if they are many, the closest)."""
    # a low bar for the list of what is near, the usual one for `did you mean`
    close = difflib.get_close_matches(name, allowed, n=_N_CLOSE, cutoff=0.3)
    hint = f"did you mean {close[0]!r}? " if close and difflib.get_close_matches(name, close[:1]) else ""
    if len(allowed) > _N_SHOWN:
        return f"unknown {what} {name!r}; {hint}allowed: {len(allowed)} names, the closest are {', '.join(close)}"
    return f"unknown {what} {name!r}; {hint}allowed: {', '.join(sorted(allowed))}"


def _show(value: Any) -> str:
    """A value in the words of an author of rules."""
    if isinstance(value, str):
        return f"the text {value[:60]!r}"
    if isinstance(value, bool):
        return str(value).lower()
    if value is None:
        return "nothing"
    return "a list" if isinstance(value, list) else "a mapping" if isinstance(value, dict) else str(value)


def _list_names(kind: Any) -> Iterator[str]:
    """The allowed names of a value of this kind; none if any text is allowed."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        yield from _list_names(arguments[0])
    elif origin in (Union, UnionType):
        for option in arguments:
            yield from _list_names(option)
    elif origin is Literal:
        yield from map(str, arguments)
    elif isinstance(kind, type) and issubclass(kind, Enum):
        yield from (str(member.value) for member in kind)
