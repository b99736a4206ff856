"""The features of all subjects: which there are, which names a place in the rules may hold, and who uses which."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import Any, Final

from webclean.checks.texts import find_texts
from webclean.classify.features import PAGE_FEATURES
from webclean.classify.patent_features import PATENT_FEATURES
from webclean.decide.passes import SURROUNDINGS_FEATURES
from webclean.features import BLOCK_FEATURES
from webclean.fields.candidate_features import AUTHOR_FEATURES, DATE_FEATURES, TITLE_FEATURES, TITLE_TREE_FEATURES
from webclean.registry import FeatureRegistry
from webclean.rules.files import Path_, find_shipped_rules, format_path, read_rule_file
from webclean.segments.features import SEGMENT_FEATURES
from webclean.segments.node_features import NODE_FEATURES

REGISTRIES: Final[tuple[FeatureRegistry[Any, Any], ...]] = (
    BLOCK_FEATURES,
    SURROUNDINGS_FEATURES,
    SEGMENT_FEATURES,
    NODE_FEATURES,
    PAGE_FEATURES,
    PATENT_FEATURES,
    TITLE_FEATURES,
    TITLE_TREE_FEATURES,
    DATE_FEATURES,
    AUTHOR_FEATURES,
)
_INSIDE: Final = frozenset(("lines", "given", "by_type", "when", "features", "if", "then", "else"))
"""Keys inside of a card, a tree or a rule; what stands before them names it."""


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
    for path, name in _list_shipped():
        known = find_registry(path)
        prefix = next((prefix for prefix in known.families if name.startswith(prefix)), name)
        key = known.subject, name if name in known else prefix
        users.setdefault(key, {})[format_path(tuple(takewhile(lambda part: part not in _INSIDE, path)))] = None
    return {key: list(found) for key, found in users.items()}


def _list_shipped() -> Iterator[tuple[Path_, str]]:
    """(path, feature) wherever a shipped rule file names one."""
    for file in sorted(find_shipped_rules().rglob("*.yaml")):
        for path, text, check in find_texts(read_rule_file(file).values):
            if check in ("feature", "tree test"):
                yield path, text.split()[0]
