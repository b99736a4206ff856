"""The format of rule files for editors and people: the JSON Schema (2020-12), and a table of all settings.

The docstring of a section is written for people who set its values: what the section is for, then an entry a setting,
`name: what it does, in which unit. Higher: what then happens.` The entries become the comments of the rule files too
(`webclean rules annotate`).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import msgspec

from webclean.rules.rule_schema import Section
from webclean.rules.schema import RuleSet

_BOUNDS: Final = {
    "minimum": "at least {}",
    "exclusiveMinimum": "over {}",
    "maximum": "at most {}",
    "exclusiveMaximum": "under {}",
}
_NOT_WRITTEN: Final = {"RuleSet": ("hash",), "Rule": ("origin",)}
_ENTRY: Final = re.compile(r"(\w+(?:, \w+)*): (.*)")


@dataclass(frozen=True, slots=True)
class Setting:
    """One value that rules can set: its key, what it may be, the shipped value and its effect."""

    key: str
    kind: str
    value: Any
    effect: str


def describe_schema(features: Iterable[str] = (), prefixes: Iterable[str] = ()) -> dict[str, Any]:
    """Schema that editors complete and check rule files with.

    features: the allowed feature names, any if none are given. prefixes: of further names.

    A file sets only what it changes, so nothing is required except in lists, which are replaced whole.
    """
    schema = msgspec.json.schema(RuleSet)
    # families have names without end: `token.NAME`
    starts = [{"pattern": f"^{re.escape(prefix)}."} for prefix in sorted(prefixes)]
    names: dict[str, Any] = {"anyOf": [{"enum": sorted(features)}, *starts]} if features else {}
    merged, kinds = set(_list_merged(schema["$defs"])), dict(_list_kinds())
    for name, definition in schema["$defs"].items():
        if name in merged:
            # a file sets what it changes, and the layers below have the rest
            definition.pop("required", None)
        properties = definition.get("properties", {})
        described_by = read_section(kinds[name]) if name in kinds else read_docstring(definition["description"], ())
        if described_by.summary:
            definition["description"] = described_by.summary
        for hidden in _NOT_WRITTEN.get(name, ()):
            properties.pop(hidden, None)
        for key, described in properties.items():
            if described.get("propertyNames") == {"format": "feature"}:
                described["propertyNames"] = names
            texts = (described_by.effects.get(key, ""), described.get("description", ""))
            if any(texts):
                described["description"] = " ".join(filter(None, texts))
    schema["$defs"]["Rule"]["anyOf"] = [{"required": ["action"]}, {"required": ["enabled"]}]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "webclean rule file", **schema}


def _list_merged(definitions: dict[str, Any]) -> Iterator[str]:
    """Names of the definitions that are reached through mappings alone."""
    wanted, seen = ["RuleSet"], set()
    while wanted:
        name = wanted.pop()
        if name not in seen:
            seen.add(name)
            yield name
            wanted += _list_references(definitions[name])


def _list_references(schema: Any) -> Iterator[str]:
    """Definitions that a schema names outside lists."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "$ref":
                yield value.rpartition("/")[2]
            # lists are replaced whole, so their entries need all that is required
            elif key not in ("items", "prefixItems"):
                yield from _list_references(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _list_references(item)


@dataclass(frozen=True, slots=True)
class SectionText:
    """The docstring of a section: the text about the section, and the text about each setting."""

    summary: str
    effects: dict[str, str]


@lru_cache(maxsize=256)
def read_section(kind: type[msgspec.Struct]) -> SectionText:
    """What the docstring of a section says, and of settings that it does not name those of the sections it extends."""
    own = read_docstring(kind.__doc__ or "", kind.__struct_fields__)
    above = kind.__base__
    if above is None or not issubclass(above, Section) or above is Section:
        return own
    return SectionText(own.summary, {**read_section(above).effects, **own.effects})


def _list_kinds(above: type[msgspec.Struct] = Section) -> Iterator[tuple[str, type[msgspec.Struct]]]:
    """The name of each section and the section."""
    for kind in above.__subclasses__():
        yield kind.__name__, kind
        yield from _list_kinds(kind)


def read_docstring(text: str, names: Iterable[str]) -> SectionText:
    """The docstring of a section with settings of these names.

    An entry starts at the margin with `name: ` or `name, other: `, and goes on in the lines below that are indented.
    """
    known = set(names)
    summary: list[str] = []
    effects: dict[str, str] = {}
    at: tuple[str, ...] = ()
    for line in inspect.cleandoc(text).splitlines():
        entry = _ENTRY.match(line)
        listed = tuple(entry[1].split(", ")) if entry else ()
        if entry and known.issuperset(listed):
            at = listed
            effects.update(dict.fromkeys(at, entry[2]))
        elif at and line.startswith(" "):
            effects.update((name, f"{effects[name]} {line.strip()}") for name in at)
        else:
            at = ()
            summary.append(line)
    return SectionText(" ".join(" ".join(summary).split()), effects)


def list_settings(rules: RuleSet) -> Iterator[Setting]:
    """Every single value of the sections (not the entries of mappings and lists), with the value of `rules`."""
    schema = describe_schema()
    definitions = schema["$defs"]

    def walk(definition: dict[str, Any], values: Any, path: tuple[str, ...]) -> Iterator[Setting]:
        for key, described in definition.get("properties", {}).items():
            inner = definitions.get(described.get("$ref", "").rpartition("/")[2])
            value = getattr(values, key, None)
            if value is None:
                continue
            if inner is not None and "properties" in inner:
                yield from walk(inner, value, (*path, key))
            elif described.get("type") in ("number", "integer", "boolean", "string", "array"):
                bounds = [words.format(described[bound]) for bound, words in _BOUNDS.items() if bound in described]
                kind = "list" if described["type"] == "array" else ", ".join((described["type"], *bounds))
                yield Setting(".".join((*path, key)), kind, value, described.get("description", ""))

    yield from walk(definitions["RuleSet"], rules, ())


def format_settings(settings: list[Setting]) -> str:
    """A Markdown table, one row a setting."""
    rows = ["| key | allowed | shipped | effect |", "|---|---|---|---|"]
    for setting in settings:
        value = setting.value
        shown = f"{len(value)} entries" if isinstance(value, tuple) else f"`{value}`"
        if isinstance(value, str) and len(value) > 40:
            shown = "a text"
        rows.append(f"| `{setting.key}` | {setting.kind} | {shown} | {setting.effect.replace('|', '/')} |")
    return "\n".join(rows)
