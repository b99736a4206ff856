"""A rule file -> the same file with a comment above each value: what it does, and in which direction to change it.

The comments are the entries of the schema's docstrings (`rules.published`), so that files and schema agree. They start
with `#:`. Existing comments of that form are replaced; everything else in the file stays as it is.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec

from webclean.errors import RuleError
from webclean.rules.files import Path_, RuleText, read_rule_text
from webclean.rules.published import SectionText, read_docstring
from webclean.rules.schema import RuleSet

MARK: Final = "#:"
HEADING: Final = "What a value does and in which direction to change it; written by `webclean rules annotate`."
_WIDTH: Final = 120


def annotate_text(text: RuleText) -> str:
    """The text of a rule file with new comments. Raises `RuleError` if they would change a value."""
    bare = read_rule_text(_drop_comments(text.text), text.file)
    comments: dict[int, list[tuple[Path_, str]]] = {}
    for path, comment in explain_values(bare.values):
        comments.setdefault(bare.lines[path], []).append((path, comment))
    lines: list[str] = []
    for number, line in enumerate(bare.text.splitlines(), start=1):
        explained = comments.get(number, [])
        if explained and number == min(comments):
            lines += _wrap(HEADING, "")
        lines += _write_comments(line, explained)
        lines.append(line)
    written = "".join(f"{line}\n" for line in lines)
    if read_rule_text(written, text.file).values != text.values:
        raise RuleError(f"a value holds a line that starts with `{MARK}`, as comments do", file=str(text.file))
    return written


def _drop_comments(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.lstrip().startswith(MARK))


def _write_comments(line: str, explained: list[tuple[Path_, str]]) -> Iterator[str]:
    """The comments above a line. A value that is not the first of its line is named."""
    indent = re.match(r" *", line)
    margin = indent[0] if indent else ""
    for path, comment in explained:
        is_first = line[len(margin) :].startswith(f"{path[-1]}:")
        yield from _wrap(comment if is_first else f"{path[-1]}: {comment}", margin)


def _wrap(text: str, margin: str) -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=f"{margin}{MARK} ",
        subsequent_indent=f"{margin}{MARK}   ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def explain_values(values: Mapping[str, Any]) -> Iterator[tuple[Path_, str]]:
    """(key path, what it does) of the values of a rule file, in order.

    In the entries of a mapping or list, such as `rules`, each key is explained where it first occurs.
    """
    yield from _explain(values, RuleSet, (), None)


def _explain(value: Any, kind: Any, path: Path_, seen: set[Any] | None) -> Iterator[tuple[Path_, str]]:
    """seen: settings that are explained already; None outside mappings and lists."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        for option in arguments:
            yield from _explain(value, option, path, seen)
    elif origin is dict and isinstance(value, Mapping):
        seen = set() if seen is None else seen
        for key, item in value.items():
            yield from _explain(item, arguments[1], (*path, key), seen)
    elif origin is tuple and isinstance(value, list):
        seen = set() if seen is None else seen
        for number, item in enumerate(value):
            yield from _explain(item, arguments[0], (*path, number), seen)
    elif _is_section(kind) and isinstance(value, Mapping):
        yield from _explain_section(value, kind, path, seen)


def _explain_section(
    value: Mapping[str, Any], kind: type[msgspec.Struct], path: Path_, seen: set[Any] | None
) -> Iterator[tuple[Path_, str]]:
    hints = get_type_hints(kind)  # without the limits of `Annotated`
    for key, item in value.items():
        if key not in hints:
            continue
        text = explain_setting(kind, key, hints[key])
        if text and (seen is None or (kind, key) not in seen):
            yield (*path, key), text
        if seen is not None:
            seen.add((kind, key))
        yield from _explain(item, hints[key], (*path, key), seen)


def explain_setting(kind: type[msgspec.Struct], name: str, hint: Any) -> str:
    """What a setting of a section does; for a nested section without an entry, what that section is for."""
    effect = _read_section(kind).effects.get(name, "")
    return effect or (_read_section(hint).summary if _is_section(hint) else "")


@lru_cache(maxsize=256)
def _read_section(kind: type[msgspec.Struct]) -> SectionText:
    return read_docstring(kind.__doc__ or "", kind.__struct_fields__)


def _is_section(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)
