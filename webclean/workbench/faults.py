"""Rule files -> all their faults, each with file, line, key, what is allowed, and how to fix it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from webclean.checks import find_unusable
from webclean.errors import RuleError
from webclean.rules import RuleBook
from webclean.rules.files import Path_, RuleText, find_shipped_rules, read_rule_file
from webclean.rules.layers import Layer, find_origin, merge_values
from webclean.rules.schema import RuleSet
from webclean.rules.validate import Fault, find_faults, find_faulty_cards, find_unknown_types, locate
from webclean.workbench.salvage import salvage_text


def list_faults(book: RuleBook, files: Iterable[Path]) -> Iterator[RuleError]:
    """The faults of each file, by line. Each is read over the files of the book that can be read.

    Of a text that is not YAML, the faults of the entries that can be read are known too (`salvage`).
    """
    base = list(_read_base(book))
    for path in files:
        below = [text for text in base if text.file != path]
        faults: list[RuleError] = []
        text: RuleText | None
        try:
            text = read_rule_file(path)
        except RuleError as error:
            faults, text = salvage_text(path, error)
        if text is not None:
            faults = [*faults, *_find_in_text(text, below)]
        yield from sorted(faults, key=lambda fault: fault.line)


def _read_base(book: RuleBook) -> Iterator[RuleText]:
    """The built-in files and those of the call, except unreadable ones."""
    paths = [path for folder in book.folders for path in sorted(folder.glob("*.yaml"))]
    for path in (*paths, *book.files):
        try:
            yield read_rule_file(path)
        except RuleError:
            continue


def _find_in_text(text: RuleText, below: list[RuleText]) -> Iterator[RuleError]:
    """The faults at places that the file sets; each place is reported once."""
    where = partial(find_origin, [Layer("file", text)])
    merged = merge_values([*(lower.values for lower in below), text.values])
    reported: set[Path_] = set()
    found = (*find_faults(merged, RuleSet), *find_unknown_types(merged), *find_unusable(text.values))
    sound = text.values
    for path, _ in found:
        sound = _leave_out(sound, path)
    for path, message in (*found, *_find_in_cards(sound, below)):
        if path not in reported and where(path) is not None:
            reported.add(path)
            yield locate(path, message, where)


def _leave_out(values: Any, path: Path_) -> Any:
    """The values without the one at a path; a list in which one is faulty is left out whole, for the others keep their
    numbers."""
    if not path or not isinstance(values, dict) or path[0] not in values:
        return values
    inside = values[path[0]]
    is_whole = len(path) == 1 or not isinstance(inside, dict)
    rest = {} if is_whole else {path[0]: _leave_out(inside, path[1:])}
    return {key: item for key, item in values.items() if key != path[0]} | rest


def _find_in_cards(sound: dict[str, Any], below: list[RuleText]) -> Iterator[Fault]:
    """What is wrong with the cards of a file, of which `sound` has the right form. Read over the layers below; over the
    shipped ones alone if those of the caller are faulty themselves."""
    shipped = find_shipped_rules()
    for lower in (below, [text for text in below if shipped in text.file.parents]):
        try:
            rules = msgspec.convert(merge_values([*(text.values for text in lower), sound]), RuleSet)
        except (msgspec.ValidationError, ValueError):
            continue
        yield from find_faulty_cards(rules)
        return
