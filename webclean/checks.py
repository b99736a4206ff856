"""A rule file -> every selector, expression and feature name in it that cannot be used, with the file and line.

The schema marks which texts are selectors, expressions or names (`check` in the types of `rules/*_schema.py`). These
are compiled on first use. A file written by a user is checked completely when it is read, so that errors are reported
at once and not only when a page needs the faulty rule. Which names there are is in one list: the features of all
subjects, and who uses which.

A file of its own, below the pipeline, which checks the files of its caller, and below the workbench.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Any, Final

from webclean.classify.classification import PAGE_FEATURES
from webclean.classify.patent_tree import PATENT_FEATURES
from webclean.decide import SURROUNDINGS_FEATURES
from webclean.errors import RuleError
from webclean.features import BLOCK_FEATURES
from webclean.fields.candidates import read_features
from webclean.matching.expressions import compile_pattern
from webclean.matching.select import compile_selector
from webclean.registry import FeatureRegistry
from webclean.rules.card_schema import parse_test
from webclean.rules.files import Path_, RuleText, find_shipped_rules, format_path, read_rule_file
from webclean.rules.layers import list_layer_files
from webclean.rules.python_expressions import find_expression_fault
from webclean.rules.schema import RuleSet
from webclean.rules.validate import is_section, list_options, read_hints, suggest, walk_values
from webclean.segments.nodes import NODE_FEATURES
from webclean.segments.segment_columns import SEGMENT_FEATURES

REGISTRIES: Final[tuple[FeatureRegistry[Any, Any], ...]] = (
    BLOCK_FEATURES,
    SURROUNDINGS_FEATURES,
    SEGMENT_FEATURES,
    NODE_FEATURES,
    PAGE_FEATURES,
    PATENT_FEATURES,
    *read_features().values(),
)
_INSIDE: Final = frozenset(("lines", "given", "by_type", "when", "features", "if", "then", "else"))
"""Keys inside of a card, a tree or a rule; what stands before them names it."""


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
        hints = read_hints(kind) if is_section(kind) else {}
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


def find_texts(values: Any, kind: Any = RuleSet) -> Iterator[tuple[Path_, str, str]]:
    """(key path, text, name of its check) in plain values that have the form of `kind`; keys of mappings count too."""
    for path, part in walk_values(values, kind):
        if isinstance(part.value, str):
            for option in list_options(part.kind):
                for meta in getattr(option, "__metadata__", ()):
                    if check := (meta.extra or {}).get("check"):
                        yield path, part.value, check


def find_registry(path: Path_) -> FeatureRegistry[Any, Any]:
    """The features that may be named at a path of the rules."""
    place = f"{format_path(path)}."
    return next(known for known in REGISTRIES for section in known.sections if place.startswith(f"{section}."))


def list_names() -> tuple[set[str], set[str]]:
    """Every name, and the beginnings of the names of each family."""
    names = {name for known in REGISTRIES for name in known}
    return names, {prefix for known in REGISTRIES for prefix in known.families}


def find_users() -> dict[tuple[str, str], list[str]]:
    """(subject, name of a feature or of its family) -> the cards, trees and rules that ship and use it."""
    users: dict[tuple[str, str], dict[str, None]] = {}
    files = map(read_rule_file, list_layer_files(find_shipped_rules()))
    for path, text, check in (found for file in files for found in find_texts(file.values)):
        if check in ("feature", "tree test"):
            known, name = find_registry(path), text.split()[0]
            prefix = next((prefix for prefix in known.families if name.startswith(prefix)), name)
            key = known.subject, name if name in known else prefix
            users.setdefault(key, {})[format_path(tuple(takewhile(lambda part: part not in _INSIDE, path)))] = None
    return {key: list(found) for key, found in users.items()}
