"""JSON-LD scripts -> schema.org objects. Never raises: common mistakes are repaired, other scripts are skipped.

https://www.w3.org/TR/json-ld11/#embedding-json-ld-in-html-documents; the vocabulary is https://schema.org.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

import msgspec

from webclean.parse.controls import clean_line

# A hostile page may hold any amount of JSON; real ones have up to some hundred objects, five deep.
_MAX_CHARS: Final = 2_000_000
_MAX_THINGS: Final = 2_000
_MAX_DEPTH: Final = 30
_HOLDERS: Final = frozenset((dict, list))
_WRAPPING: Final = re.compile(
    r"^\s*(?:<!--|//\s*<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/|<!\[CDATA\[)|(?:-->|(?://|/\*)?\s*\]\]>(?:\s*\*/)?)\s*;?\s*$"
)
_VOCABULARY: Final = re.compile(r".*[/#:]", re.DOTALL)
_LONE_SURROGATE: Final = re.compile(
    r"\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][\da-fA-F]{2})\\u[dD][c-fC-F][\da-fA-F]{2}"
)
"""An escape of a lone surrogate, which is not a character."""
_TRAILING_COMMA: Final = re.compile(r",(\s*[}\]])")


class Thing(msgspec.Struct, frozen=True):
    """One object: its types without the vocabulary's URL, its values, the key it is the value of and its depth."""

    types: tuple[str, ...]
    values: dict[str, Any]
    role: str = ""
    depth: int = 0

    def texts(self, key: str) -> list[str]:
        """The strings of a key: its literals, or the names of its objects."""
        value = self.values.get(key)
        return [] if value is None else list(read_names(value))


def read_things(scripts: Iterable[str]) -> tuple[Thing, ...]:
    """The objects of all scripts; nested ones follow the one that contains them."""
    found: list[Thing] = []
    for script in scripts:
        if len(script) <= _MAX_CHARS:
            for value in parse_script(script):
                found.extend(walk_things(value, _MAX_THINGS - len(found)))
    return tuple(found)


def parse_script(script: str) -> Iterator[Any]:
    """The JSON values of a script. Comments around it, trailing commas, control characters and lone surrogates are
    tolerated."""
    try:
        yield msgspec.json.decode(script)  # most scripts are right, and this is ten times as fast as `json`
        return
    except (ValueError, RecursionError):
        pass
    text = _LONE_SURROGATE.sub(r"\\ufffd", _WRAPPING.sub("", script).strip())
    decoder = json.JSONDecoder(strict=False)
    at = 0
    try:
        while at < len(text):
            value, at = decoder.raw_decode(text, at)
            yield value
            # several objects in one script, with or without a comma between: no JSON, and common
            while at < len(text) and text[at] in " \t\r\n;,":
                at += 1
    except (ValueError, RecursionError):
        if at:  # a value was read: what follows it is no JSON
            return
        try:
            yield decoder.decode(_TRAILING_COMMA.sub(r"\1", text))
        except (ValueError, RecursionError):
            return


def walk_things(root: Any, room: int) -> Iterator[Thing]:
    """The objects of a value of JSON, at most `room`; nested ones follow the one that contains them."""
    todo: list[tuple[Any, str, int]] = [(root, "", 0)]
    while todo and room > 0:
        value, role, depth = todo.pop()
        if type(value) is list:
            # reversed, for the last one added is taken first; no recursion, for a page may nest as deep as it likes
            todo += [(item, role, depth) for item in reversed(value[:room])]
        elif type(value) is dict and depth <= _MAX_DEPTH:
            types = _read_types(value.get("@type"))
            if types:
                room -= 1
                yield Thing(types, value, role, depth)
            below = [(item, key, depth + 1) for key, item in value.items() if type(item) in _HOLDERS]
            below.reverse()
            todo += below


def _read_types(written: Any) -> tuple[str, ...]:
    """The types of an object, one or a list, without the URL of the vocabulary."""
    if type(written) is str:
        return _read_type(written)
    kinds = written if type(written) is list else ()
    return tuple([name for kind in kinds if type(kind) is str for name in _read_type(kind)])


@lru_cache(maxsize=1024)
def _read_type(written: str) -> tuple[str]:
    """A type without the URL of the vocabulary."""
    return (_VOCABULARY.sub("", written),)


def read_names(value: Any) -> Iterator[str]:
    """The strings of a value: literals; `name`, `@value` or `url` of an object; those of each item of a list."""
    if isinstance(value, str):
        text = clean_line(html.unescape(value))
        if text:
            yield text
    elif isinstance(value, list):
        for item in value[:50]:  # a list of names with more is one of members or readers
            yield from read_names(item) if not isinstance(item, list) else ()
    elif isinstance(value, dict):
        for key in ("name", "@value", "url"):
            if value.get(key):
                yield from read_names(value[key]) if not isinstance(value[key], dict) else ()
                return
