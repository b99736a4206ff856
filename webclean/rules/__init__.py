"""YAML rule files -> one frozen `RuleSet`."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import msgspec

from webclean.errors import RuleError
from webclean.rules.files import find_shipped_rules, merge_layers, read_rule_file
from webclean.rules.schema import RuleSet

__all__ = ["RuleSet", "load_rules"]


def load_rules(*files: str | Path) -> RuleSet:
    """The shipped rules with the given files laid over them, later wins. Cached; raises `RuleError`."""
    return _load(tuple(Path(file) for file in files))


@lru_cache(maxsize=32)
def _load(files: tuple[Path, ...]) -> RuleSet:
    shipped = sorted(find_shipped_rules().glob("*.yaml"))
    merged = merge_layers(read_rule_file(path) for path in (*shipped, *files))
    try:
        return msgspec.convert(merged, RuleSet, strict=False)
    except msgspec.ValidationError as error:
        raise RuleError(str(error), file=str(files[-1] if files else shipped[0])) from error
