"""A rule file -> every selector, expression and feature name in it that cannot be used, with the file and line.

The schema says which texts are run and how (`check` in its types). They are compiled when they are first used; a file
that somebody wrote is checked as a whole when it is read, so that its faults do not wait for a page that needs them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints

import msgspec

from webclean.decide.passes import AGGREGATES
from webclean.errors import RuleError
from webclean.features import FEATURES
from webclean.matching.match import compile_pattern
from webclean.matching.select import compile_selector
from webclean.rules.expressions import find_expression_fault
from webclean.rules.files import Path_, RuleText, format_path
from webclean.rules.schema import RuleSet
from webclean.rules.validate import suggest_key


def check_text(text: RuleText) -> None:
    """Raises `RuleError` for the first text of a rule file that cannot be used."""
    for path, message in find_unusable(text.values):
        raise RuleError(message, file=str(text.file), line=text.find_line(path), key=format_path(path))


def find_unusable(values: Any, kind: Any = RuleSet, path: Path_ = ()) -> Iterator[tuple[Path_, str]]:
    """(key path, message) of what cannot be used in plain values that have the form of `kind`."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        if isinstance(values, str):
            yield from _try(values, arguments[1:], path)
        yield from find_unusable(values, arguments[0], path)
    elif origin in (Union, UnionType):
        for option in arguments:
            yield from find_unusable(values, option, path)
    elif origin is dict and isinstance(values, Mapping):
        for key, item in values.items():
            yield from find_unusable(key, arguments[0], (*path, key))
            yield from find_unusable(item, arguments[1], (*path, key))
    elif origin in (tuple, list) and isinstance(values, list):
        for number, item in enumerate(values):
            yield from find_unusable(item, arguments[0], (*path, number))
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct) and isinstance(values, Mapping):
        hints = _read_hints(kind)
        for key, item in values.items():
            if key in hints:
                yield from find_unusable(item, hints[key], (*path, key))


@lru_cache(maxsize=256)
def _read_hints(kind: type[msgspec.Struct]) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _try(text: str, metas: tuple[Any, ...], path: Path_) -> Iterator[tuple[Path_, str]]:
    for meta in metas:
        check = _CHECKS.get((getattr(meta, "extra", None) or {}).get("check", ""))
        try:
            message = check(text) if check else ""
        except RuleError as error:
            message = str(error)
        if message:
            yield path, message


def _find_feature_fault(name: str) -> str:
    return "" if name in FEATURES or name in AGGREGATES else suggest_key(name, [*FEATURES, *AGGREGATES], "feature")


def _find_section_fault(path: str) -> str:
    kind: Any = RuleSet
    for name in path.split("."):
        hints = _read_hints(kind) if isinstance(kind, type) and issubclass(kind, msgspec.Struct) else {}
        if name not in hints:
            return suggest_key(name, list(hints), "section") if hints else f"nothing in {path!r} can be replaced"
        kind = hints[name]
    return ""


def _pass(compiler: Callable[[str], Any]) -> Callable[[str], str]:
    """A check that says nothing where the compiler raises nothing."""

    def check(text: str) -> str:
        compiler(text)
        return ""

    return check


_CHECKS: Final[dict[str, Callable[[str], str]]] = {
    "pattern": _pass(compile_pattern),
    "selector": _pass(compile_selector),
    "expression": find_expression_fault,
    "feature": _find_feature_fault,
    "section": _find_section_fault,
}
