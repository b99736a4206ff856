"""A rule file -> every selector, expression and feature name in it that cannot be used, with the file and line.

The schema marks which texts are selectors, expressions or names (`check` in its types). These are compiled on first
use. A file written by a user is checked completely when it is read, so that errors are reported at once and not only
when a page needs the faulty rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from webclean.checks.catalogue import find_registry
from webclean.checks.texts import find_texts, read_hints
from webclean.errors import RuleError
from webclean.matching.expressions import compile_pattern
from webclean.matching.select import compile_selector
from webclean.rules.decision_tree import parse_test
from webclean.rules.expressions import find_expression_fault
from webclean.rules.files import Path_, RuleText, format_path
from webclean.rules.schema import RuleSet
from webclean.rules.wording import suggest

__all__ = ["check_text", "find_unusable"]


def check_text(text: RuleText) -> None:
    """Raises `RuleError` for the first text of a rule file that cannot be used."""
    for path, message in find_unusable(text.values):
        raise RuleError(message, file=str(text.file), line=text.find_line(path), key=format_path(path))


def find_unusable(values: Any) -> Iterator[tuple[Path_, str]]:
    """(key path, error message) of each unusable text in the plain values of a rule file."""
    for path, text, check in find_texts(values):
        try:
            message = _CHECKS[check](text, path)
        except RuleError as error:
            message = str(error)
        if message:
            yield path, message


def _find_section_fault(name: str, _: Path_) -> str:
    kind: Any = RuleSet
    for part in name.split("."):
        hints = read_hints(kind) if isinstance(kind, type) and issubclass(kind, msgspec.Struct) else {}
        if part not in hints:
            return suggest(part, list(hints), "section") if hints else f"nothing in {name!r} can be replaced"
        kind = hints[part]
    return ""


def _pass(compiler: Callable[[str], Any]) -> Callable[[str, Path_], str]:
    """A check that says nothing where the compiler raises nothing."""

    def check(text: str, _: Path_) -> str:
        compiler(text)
        return ""

    return check


def _check_feature(name: str, path: Path_) -> str:
    find_registry(path).find(name)
    return ""


_CHECKS: Final[dict[str, Callable[[str, Path_], str]]] = {
    "pattern": _pass(compile_pattern),
    "selector": _pass(compile_selector),
    "expression": lambda text, _: find_expression_fault(text),
    "feature": _check_feature,
    "tree test": lambda test, path: _check_feature(parse_test(test).name, path),
    "section": _find_section_fault,
}
