"""Where rule files are, and how their text becomes plain mappings. The only place that reads YAML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from webclean.errors import RuleError

_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def find_shipped_rules() -> Path:
    """The folder of the rule sets that ship with the package: inside a wheel, or beside the source tree."""
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "_rules", package.parent / "rules"):
        if (folder / "default.yaml").is_file():
            return folder
    raise RuleError("the rule files that ship with webclean are missing", file=str(package / "_rules"))


def read_rule_file(path: Path) -> dict[str, Any]:
    """One YAML file as a mapping of sections. Raises `RuleError` with file and line."""
    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)
    except OSError as error:
        raise RuleError(error.strerror or str(error), file=str(path)) from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        raise RuleError(
            getattr(error, "problem", None) or str(error), file=str(path), line=mark.line + 1 if mark else 0
        ) from error
    if content is None:
        return {}
    if not isinstance(content, dict):
        raise RuleError("a rule file is a mapping of sections", file=str(path), line=1)
    return content


def merge_layers(layers: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge nested mappings, later wins; anything that is not a mapping is replaced whole."""
    merged: dict[str, Any] = {}
    for layer in layers:
        for key, value in layer.items():
            below = merged.get(key)
            merged[key] = (
                merge_layers((below, value)) if isinstance(below, dict) and isinstance(value, Mapping) else value
            )
    return merged
