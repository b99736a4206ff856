"""Layers of rule texts -> one mapping, and where each of its values comes from.

Order, later wins: built-in < profile < page type < language < platform < site < call. In each layer the shipped file
comes first, then the same file of every user folder in the order given. A rules folder looks like the shipped one:

    *.yaml                    built-in sections
    profiles/<name>.yaml      chosen by `profile=`
    types/<type>.yaml         page type or subtype
    languages/<code>.yaml     ISO 639 language code
    platforms/<name>.yaml     the software that the page was made with, told by signs in the page
    sites/<host>.yaml         a registered domain, or a host below it, whose file then comes after

Other folders, such as `reference/` of the shipped rules, are no layers.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from webclean.rules.files import Path_, RuleText

_WHOLE_LINE: Final = {"below", "points"}
"""A line of a card that has its own limits replaces the one of a lower layer instead of being merged."""
LAYER_FOLDERS = ("profiles", "types", "languages", "platforms", "sites")


@dataclass(frozen=True, slots=True, eq=False)
class Layer:
    """One file (or call argument) and its layer."""

    name: str
    text: RuleText


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from."""

    layer: str
    file: Path
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else str(self.file)


class LayerKey(msgspec.Struct, frozen=True, kw_only=True):
    """Determines which files apply to a page. sites: its host and the domains above it, the widest first. platforms:
    names of their files, each after those that it runs on."""

    profile: str = "balanced"
    page_type: str | None = None
    page_subtype: str | None = None
    language: str | None = None
    sites: tuple[str, ...] = ()
    page_label: str | None = None
    platforms: tuple[str, ...] = ()


VARIABLE: Final = "WEBCLEAN_RULES"


def find_user_folders() -> list[Path]:
    """The folders of `$WEBCLEAN_RULES` (separated like `$PATH`), else `~/.config/webclean/rules` where it exists. No
    upgrade touches them."""
    # set and empty: no folders at all
    named = os.environ.get(VARIABLE)
    if named is not None:
        return [Path(folder) for folder in named.split(os.pathsep) if folder]
    folder = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "webclean" / "rules"
    return [folder] if folder.is_dir() else []


def list_layer_files(folder: Path) -> list[Path]:
    """Every file of a folder that can be a layer."""
    inside = (path for sub in LAYER_FOLDERS for path in (folder / sub).glob("*.yaml"))
    return sorted((*folder.glob("*.yaml"), *inside))


def list_profiles(folders: Iterable[Path]) -> list[str]:
    """Names of the profiles in the given folders; `balanced` is the built-in rules alone."""
    found = {path.stem for folder in folders for path in (folder / "profiles").glob("*.yaml")}
    return sorted(found | {"balanced"})


def merge_values(layers: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge nested mappings, later wins; anything that is not a mapping is replaced whole.

    Sections that a layer names in `replaces` (dotted paths) are replaced whole as well.
    """
    merged: dict[str, Any] = {}
    for layer in layers:
        for path in layer.get("replaces") or ():
            merged = leave_out(merged, tuple(str(path).split(".")))
        merged = _merge(merged, layer)
    rules = merged.get("rules")
    if isinstance(rules, Mapping):
        # a layer may switch off what other pages alone have, such as a rule of one site
        merged["rules"] = {
            name: rule
            for name, rule in rules.items()
            if not (isinstance(rule, Mapping) and rule.get("enabled") is False and "action" not in rule)
        }
    return merged


def leave_out(values: dict[Any, Any], path: Path_) -> dict[Any, Any]:
    """The values without the one at a path; a list in which one is meant is left out whole, for the others keep their
    numbers."""
    if not path or path[0] not in values:
        return values
    head, *rest = path
    inside = values[head]
    without = {head: leave_out(inside, tuple(rest))} if rest and isinstance(inside, dict) else {}
    # the key keeps its place, since the order of rules counts
    return {key: without.get(key, value) for key, value in values.items() if key != head or without}


def _merge(below: dict[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(below)
    for key, value in above.items():
        inner = merged.get(key)
        # bins and points belong together: merged with those of another layer they would not fit
        if isinstance(inner, dict) and isinstance(value, Mapping) and not value.keys() >= _WHOLE_LINE:
            merged[key] = _merge(inner, value)
        else:
            merged[key] = value
    return merged


def find_origin(layers: list[Layer], path: Path_) -> Origin | None:
    """The highest layer that sets the value at `path` or, if it is replaced whole, the value that contains it."""
    for layer in reversed(layers):
        # the longest part of the path that exists, and the value there
        value: Any = layer.text.values
        known: Path_ = ()
        for step in path:
            if step not in (
                value if isinstance(value, Mapping) else range(len(value) if isinstance(value, list) else 0)
            ):
                break
            value, known = value[step], (*known, step)
        # a mapping that lacks the key does not set it; a list or text in its place does
        if known and (len(known) == len(path) or not isinstance(value, Mapping)):
            return Origin(layer.name, layer.text.file, layer.text.find_line(known))
    return None
