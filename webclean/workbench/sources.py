"""Every rule of a rule book with the place it stands at, whatever page it is for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from webclean.blocks.match import check_rules
from webclean.errors import RuleError
from webclean.rules import RuleBook
from webclean.rules.files import format_path, read_rule_file
from webclean.rules.rule_schema import Rule
from webclean.rules.validate import find_faults


@dataclass(frozen=True, slots=True)
class RuleSource:
    """A rule, its id, file and line, and the site when it stands in a site file."""

    id: str
    rule: Rule
    file: Path
    line: int
    site: str | None


def list_rules(book: RuleBook, files: tuple[Path, ...] = ()) -> Iterator[RuleSource]:
    """The rules of all files of the book in order, or of `files` alone. Raises `RuleError` for a faulty one."""
    for path in files or list_rule_files(book):
        text = read_rule_file(path)
        found = text.values.get("rules", {})
        for fault, message in find_faults(found, dict[str, Rule], ("rules",)):
            raise RuleError(message, file=str(path), line=text.find_line(fault), key=format_path(fault))
        rules = msgspec.convert(found, dict[str, Rule])
        for place, message in check_rules(rules):
            raise RuleError(message, file=str(path), line=text.find_line(place), key=format_path(place))
        site = path.stem if path.parent.name == "sites" else None
        for name, rule in rules.items():
            yield RuleSource(name, rule, path, text.find_line(("rules", name)), site)


def list_rule_files(book: RuleBook) -> list[Path]:
    """Every rule file of the book: built-in, profiles, types, languages, sites, and the files of the call."""
    return [path for folder in book.folders for path in sorted(folder.rglob("*.yaml"))] + list(book.files)
