"""What each setting does, for people: the JSON Schema of rule files (2020-12).

A setting is explained once: by the comment above it in one of the shipped files. `reference/forms.yaml` holds every key
of rules, platforms, cards and trees; the others state each of their settings with the value that ships:

    #: what it does, in which unit. Higher: what then happens. A longer text
    #:   goes on in indented lines.
    beta: 0.85
    #: on which types of page.
    #: types: a value that does not begin its line is named before its text.
    counts: {types: {article: 1}}
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import takewhile
from typing import Any, Final

import msgspec

from webclean.rules.files import Path_, RuleText, find_shipped_rules, read_rule_file
from webclean.rules.schema import RuleSet, Section
from webclean.rules.validate import read_hints, walk_values

MARK: Final = "#:"
NOT_WRITTEN: Final = {"RuleSet": ("hash",), "Rule": ("origin",)}
"""Section -> members that are set when rules are loaded, and that no file states."""
_Key = tuple[type[msgspec.Struct], str]
"""A section and the name of one of its settings."""


def read_comments(text: RuleText) -> Iterator[tuple[_Key, str]]:
    """The settings that comments of a rule file explain, with the explanation."""
    lines = text.text.splitlines()
    stated: dict[int, list[tuple[Path_, _Key]]] = defaultdict(list)
    for path, part in walk_values(text.values):
        # an alias of YAML is explained where its anchor stands
        if part.section and path in text.lines:
            stated[text.lines[path]].append((path, (part.section, str(part.step))))
    for line, settings in sorted(stated.items()):
        # the one whose name begins the line, and others that stand in it
        is_first = [lines[line - 1].lstrip(" ").startswith(f"{path[-1]}:") for path, _ in settings]
        named = {path[-1]: key for (path, key), begins in zip(settings, is_first, strict=True) if not begins}
        first = next((key for (_, key), begins in zip(settings, is_first, strict=True) if begins), None)
        above = takewhile(lambda written: written.startswith(MARK), map(str.lstrip, reversed(lines[: line - 1])))
        comments = "\n".join([written[len(MARK) :] for written in above][::-1])
        for comment in re.sub(r"\n {3}", " ", comments).replace("\n ", "\n").strip().splitlines():
            name, _, rest = comment.partition(": ")
            if name in named:
                yield named[name], rest
            elif first:
                yield first, comment


@cache
def read_explanations() -> Mapping[_Key, str]:
    """The explanation of each setting, from the files that ship."""
    return dict(entry for path in find_shipped_rules().rglob("*.yaml") for entry in read_comments(read_rule_file(path)))


def find_explained(key: _Key) -> _Key:
    """The setting that is explained: that of the section itself, else of the one it extends."""
    section, name = key
    return next(((kind, name) for kind in section.__mro__ if (kind, name) in read_explanations()), key)


def describe_schema(features: Iterable[str] = (), prefixes: Iterable[str] = ()) -> dict[str, Any]:
    """Schema that editors complete and check rule files with.

    features: the allowed feature names, any if none are given. prefixes: of further names.

    A file sets only what it changes, so nothing is required except in lists, which are replaced whole.
    """
    schema = msgspec.json.schema(RuleSet)
    # families have names without end: `token.NAME`
    starts = [{"pattern": f"^{re.escape(prefix)}."} for prefix in sorted(prefixes)]
    names: dict[str, Any] = {"anyOf": [{"enum": sorted(features)}, *starts]} if features else {}
    merged, sections = {"RuleSet"}, {kind.__name__: kind for kind in list_sections()}
    # a section that stands in one place is explained there alone
    told = {read_hints(section)[key]: effect for (section, key), effect in read_explanations().items()}
    _find_merged(schema["$defs"]["RuleSet"], schema["$defs"], merged)
    for name, definition in schema["$defs"].items():
        if name in merged:
            # a file sets what it changes, and the layers below have the rest
            definition.pop("required", None)
        properties = definition.get("properties", {})
        definition["description"] = " ".join((definition.get("description") or told[sections[name]]).split())
        for hidden in NOT_WRITTEN.get(name, ()):
            properties.pop(hidden, None)
        for key, described in properties.items():
            if described.get("propertyNames") == {"format": "feature"}:
                described["propertyNames"] = names
            effect = read_explanations().get(find_explained((sections[name], key)), "")
            described["description"] = " ".join(filter(None, (effect, described.get("description"))))
    schema["$defs"]["Rule"]["anyOf"] = [{"required": ["action"]}, {"required": ["enabled"]}]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "webclean rule file", **schema}


def _find_merged(schema: Any, definitions: dict[str, Any], found: set[str]) -> None:
    """Add the names of the definitions that are reached from a schema through mappings alone."""
    if isinstance(schema, dict):
        name = schema.get("$ref", "").rpartition("/")[2]
        if name and name not in found:
            found.add(name)
            _find_merged(definitions[name], definitions, found)
        # lists are replaced whole, so their entries need all that is required
        schema = [value for key, value in schema.items() if key not in ("items", "prefixItems")]
    for item in schema if isinstance(schema, list) else ():
        _find_merged(item, definitions, found)


def list_sections(above: type[msgspec.Struct] = Section) -> Iterator[type[msgspec.Struct]]:
    """Every section that extends one, `Section` by itself."""
    for kind in above.__subclasses__():
        yield kind
        yield from list_sections(kind)
