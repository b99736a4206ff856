"""The registries of the features of candidates for fields, which `candidate_features.toml` lists a line each.

They are read by what checks rules, learns cards and writes documents; a page needs none of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from webclean.registry import FeatureRegistry

Values = Mapping[str, float]
"""Name -> value, of the features that are not 0."""
_FAMILY: Final = "NAME"
"""What the names of a family end in."""


def _read_registries() -> dict[str, FeatureRegistry[Values, float]]:
    """The registries of `candidate_features.toml`, whose features are read from a candidate's values."""

    def read(name: str) -> Callable[[Values], float]:
        return lambda values: values.get(name, 0.0)

    found = {}
    text = Path(__file__).with_name("candidate_features.toml").read_text(encoding="utf-8")
    for key, table in tomllib.loads(text).items():
        learnt = tuple(table["sections"][:1])  # that of a modified date is written by hand
        registry = FeatureRegistry[Values, float](table["subject"], *table["sections"], cards=learnt)
        for name, (unit, meaning) in table["features"].items():
            if name.endswith(_FAMILY):
                prefix = name.removesuffix(_FAMILY)
                registry.family(prefix, unit, meaning)(lambda rest, prefix=prefix: read(prefix + rest))
            else:
                registry.feature(unit, meaning, name=name)(read(name))
        found[key] = registry
    return found


_REGISTRIES: Final = _read_registries()
TITLE_FEATURES: Final = _REGISTRIES["title"]
TITLE_TREE_FEATURES: Final = _REGISTRIES["title_text"]
DATE_FEATURES: Final = _REGISTRIES["date"]
AUTHOR_FEATURES: Final = _REGISTRIES["author"]
