"""Every rule of a rule book with its file and line, whatever page it is for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from webclean.checks import check_text
from webclean.rules import LayerKey, RuleBook
from webclean.rules.files import read_rule_file
from webclean.rules.layers import Layer, find_origin, merge_values
from webclean.rules.rule_schema import Rule
from webclean.rules.validate import convert_rules


@dataclass(frozen=True, slots=True)
class RuleSource:
    """A rule, its id, file and line, and the site or profile that the file is for."""

    id: str
    rule: Rule
    file: Path
    line: int
    site: str | None = None
    profile: str | None = None


def list_rules(book: RuleBook, files: tuple[Path, ...] = ()) -> Iterator[RuleSource]:
    """The rules of all files of the book in order, or of `files` alone. Raises `RuleError` for a faulty one."""
    below = [layer.text.values for layer in book.layers(LayerKey())]
    for path in files or list_rule_files(book):
        text = read_rule_file(path)
        layer = [Layer("file", text)]
        found = convert_rules(merge_values([*below, text.values]), partial(find_origin, layer))
        check_text(text)
        written = text.values.get("rules") or {}
        rules = {name: _own_tests(found.rules[name], values) for name, values in written.items()}
        site, profile = (path.stem if path.parent.name == sub else None for sub in ("sites", "profiles"))
        for name, rule in rules.items():
            yield RuleSource(name, rule, path, text.find_line(("rules", name)), site, profile)


def _own_tests(rule: Rule, values: Mapping[str, Any]) -> Rule:
    """The rule without the tests of a lower layer, which belong to another rule."""
    return rule if "tests" in values else msgspec.structs.replace(rule, tests=())


def list_rule_files(book: RuleBook) -> list[Path]:
    """Every rule file of the book: built-in, profiles, types, languages, sites, and the files of the call."""
    return [path for folder in book.folders for path in sorted(folder.rglob("*.yaml"))] + list(book.files)
