"""Plain values of a rule file -> every text in them that a stage runs or looks up, with the check that it needs.

The schema says which texts these are: `check` in the types of `rules/*_schema.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from webclean.rules.files import Path_
from webclean.rules.schema import RuleSet


def find_texts(values: Any, kind: Any = RuleSet, path: Path_ = ()) -> Iterator[tuple[Path_, str, str]]:
    """(key path, text, name of its check) for plain values that have the form of `kind`; keys of mappings count too."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        if isinstance(values, str):
            checks = [(getattr(meta, "extra", None) or {}).get("check", "") for meta in arguments[1:]]
            yield from ((path, values, check) for check in checks if check)
        yield from find_texts(values, arguments[0], path)
    elif origin in (Union, UnionType):
        for option in arguments:
            yield from find_texts(values, option, path)
    elif origin is dict and isinstance(values, Mapping):
        for key, item in values.items():
            yield from find_texts(key, arguments[0], (*path, key))
            yield from find_texts(item, arguments[1], (*path, key))
    elif origin in (tuple, list) and isinstance(values, list):
        for number, item in enumerate(values):
            yield from find_texts(item, arguments[0], (*path, number))
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(values, Mapping):
        hints = read_hints(kind)
        for key, item in values.items():
            if key in hints:
                yield from find_texts(item, hints[key], (*path, key))


@lru_cache(maxsize=256)
def read_hints(kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Key as written in YAML -> type, of a section."""
    hints = get_type_hints(kind, include_extras=True)
    return {field.encode_name: hints[field.name] for field in msgspec.structs.fields(kind)}
