"""Merged values -> frozen `RuleSet`, with errors that say file, line, key and what is allowed.

msgspec converts; only when it refuses does this module walk the struct types to find every place that is wrong.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Mapping
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from webclean.errors import RuleError
from webclean.rules.files import Path_, format_path
from webclean.rules.layers import Origin
from webclean.rules.page_type_schema import FourTypes
from webclean.rules.rule_schema import as_tuple
from webclean.rules.schema import RuleSet

_AT = re.compile(r" - at `[^`]*`$")


def convert_rules(values: Mapping[str, Any], find_origin: Callable[[Path_], Origin | None]) -> RuleSet:
    """Check and freeze. Raises `RuleError` for the first wrong value, in the order of the sections."""
    try:
        rules = msgspec.convert(values, RuleSet)
    except (msgspec.ValidationError, ValueError) as error:
        raise _locate(*next(find_faults(values, RuleSet), ((), str(error))), find_origin) from error
    for path, message in find_unknown_types(rules):
        raise _locate(path, message, find_origin)
    return rules


def _locate(path: Path_, message: str, find_origin: Callable[[Path_], Origin | None]) -> RuleError:
    origin = find_origin(path)
    file, line = (str(origin.file), origin.line) if origin else ("", 0)
    return RuleError(message, file=file, line=line, key=format_path(path))


def find_unknown_types(rules: RuleSet) -> Iterator[tuple[Path_, str]]:
    """(path, message) of every name of a page type, subtype or label that `page_type.types` does not have."""
    subtypes = list(rules.page_type.types)
    names = [*get_args(FourTypes), *subtypes]
    given: list[tuple[Path_, str | None, list[str]]] = []
    for rule_id, rule in rules.rules.items():
        given += [(("rules", rule_id, "when", "page_type"), name, names) for name in as_tuple(rule.when.page_type)]
        given.append((("rules", rule_id, "action", "page_type"), rule.effect.page_type, names))
    for label, refinement in rules.page_type.refinements.items():
        given.append((("page_type", "refinements", label), label, subtypes))
        given += [(("page_type", "refinements", label, "of"), name, subtypes) for name in refinement.of]
    given += [(("page_type", "card", "bias", name), name, subtypes) for name in rules.page_type.card.bias]
    for path, name, known in given:
        if name is not None and name not in known:
            yield path, suggest_key(name, known, "page type")


def find_faults(value: Any, kind: Any, path: Path_ = ()) -> Iterator[tuple[Path_, str]]:
    """Every (path, message) that keeps `value` from being a `kind`; the deepest place is named."""
    try:
        msgspec.convert(value, kind)
    except (msgspec.ValidationError, ValueError) as error:
        deeper = list(_find_inside(value, kind, path))
        yield from deeper or [(path, _AT.sub("", str(error)))]


def _find_inside(value: Any, kind: Any, path: Path_) -> Iterator[tuple[Path_, str]]:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        yield from _find_inside(value, arguments[0], path)
    elif origin in (Union, UnionType):
        for option in arguments:
            if isinstance(value, Mapping) == _takes_mapping(option):
                yield from _find_inside(value, option, path)
    elif origin is dict and isinstance(value, Mapping):
        for key, item in value.items():
            yield from find_faults(item, arguments[1], (*path, key))
    elif origin in (tuple, list) and isinstance(value, list):
        for number, item in enumerate(value):
            yield from find_faults(item, arguments[0], (*path, number))
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(value, Mapping):
        yield from _find_in_struct(value, kind, path)


def _find_in_struct(value: Mapping[str, Any], kind: type[msgspec.Struct], path: Path_) -> Iterator[tuple[Path_, str]]:
    hints = get_type_hints(kind, include_extras=True)
    fields = {field.encode_name: field for field in msgspec.structs.fields(kind)}
    for key in value:
        if key not in fields:
            yield (*path, key), suggest_key(str(key), list(fields))
    for name, field in fields.items():
        if name in value:
            yield from find_faults(value[name], hints[field.name], (*path, name))
        elif field.required:
            yield path, f"{name!r} is missing"


def _takes_mapping(kind: Any) -> bool:
    kind = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    return get_origin(kind) is dict or (isinstance(kind, type) and issubclass(kind, msgspec.Struct))


def suggest_key(key: str, allowed: list[str], what: str = "key") -> str:
    """That a name is unknown, the one it looks like, and all there are."""
    close = difflib.get_close_matches(key, allowed, n=1)
    hint = f"did you mean {close[0]!r}? " if close else ""
    return f"unknown {what} {key!r}; {hint}allowed: {', '.join(sorted(allowed))}"
