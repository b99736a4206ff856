"""Rule files -> all their faults, each with file, line, key, what is allowed, and how to fix it.

Also of a file that is no YAML (`salvage_text`): its syntax errors, and the faults of what can be read of the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from webclean.checks import find_unusable
from webclean.errors import RuleError
from webclean.rules import RuleBook
from webclean.rules.files import TAB, Path_, RuleText, find_shipped_rules, read_rule_file, read_rule_text
from webclean.rules.layers import Layer, find_origin, merge_values
from webclean.rules.schema import RuleSet
from webclean.rules.validate import Fault, find_faults, find_faulty_cards, find_unknown_types, locate

_INDENT: Final = re.compile(r"^[ \t]+")
_ANCHOR: Final = re.compile(r"(?:^|[\s\[{,])&\w")
"""An entry with an anchor is not blanked: others refer to it."""
_MAX_ERRORS: Final = 20
"""Syntax errors that are reported of one file: after each, the rest is read again."""


def salvage_text(path: Path, first: RuleError) -> tuple[list[RuleError], RuleText | None]:
    """The syntax errors of a file by line, and the values of the entries without one; lines are those of the file.

    first: the error with which the file was refused. A line that is indented with tabs is an error and is read with two
    spaces for each tab; where that is not YAML either, only these lines are reported.

    The parser stops at the first error. So the entry around it (a key below a section, such as one rule) is blanked and
    the rest is read again, until it can be read:

        rules:
          a:
            because: one: two     <- fault: the entry `a` is blanked, three lines
            action: keep
          b:                      <- read: its faults are known too
            action: kep

    Where the rest cannot be read in the end (a quote or bracket that is never closed), the errors after the first may
    be consequences of it, and only the first is reported.
    """
    if not first.line:  # too large, not UTF-8, ...
        return [first], None
    written = path.read_text(encoding="utf-8")
    numbered = enumerate(written.splitlines(), start=1)
    tabs = [RuleError(TAB, file=str(path), line=n) for n, line in numbered if line.lstrip(" ")[:1] == "\t"]
    lines = [_INDENT.sub(lambda start: start[0].replace("\t", "  "), line) for line in written.split("\n")]
    errors: list[RuleError] = []
    while len(errors) < _MAX_ERRORS:
        try:
            text = read_rule_text("\n".join(lines), path)
        except RuleError as error:
            errors.append(error)
            entry = _find_entry(lines, error.line - 1)
            # no entry to leave out: what follows may be a consequence of this fault
            if tabs or not entry or any(_ANCHOR.search(lines[number]) for number in entry):
                break
            # blanked and not cut out: the lines below keep their numbers
            lines = ["" if number in entry else line for number, line in enumerate(lines)]
        else:
            # a section whose only entry was blanked is null, which is no fault of its own
            values = {key: value for key, value in text.values.items() if value is not None or not errors}
            return sorted([*tabs, *errors], key=lambda fault: fault.line), RuleText(path, text.text, values)
    return tabs or [first], None


def _find_entry(lines: list[str], number: int) -> range:
    """The lines of the entry below a section that holds a line, or of the section if its own line is meant; counted
    from 0, empty if there is no such line."""
    if not (0 <= number < len(lines) and lines[number].strip()):
        return range(0)
    section = next((n for n in range(number, -1, -1) if _is_within(lines[n], 0)), 0)
    level = next((found for line in lines[section + 1 : number + 1] if (found := _measure_indent(line)) is not None), 0)
    start = next((n for n in range(number, section, -1) if _is_within(lines[n], level)), section)
    return range(start, next((n for n in range(number + 1, len(lines)) if _is_within(lines[n], level)), len(lines)))


def _is_within(line: str, level: int) -> bool:
    """Whether a line has a key that is indented by so many spaces at most."""
    found = _measure_indent(line)
    return found is not None and found <= level


def _measure_indent(line: str) -> int | None:
    """Spaces before the text of a line; None for a blank line or a comment."""
    plain = line.lstrip(" ")
    return None if not plain or plain.startswith("#") else len(line) - len(plain)


def list_faults(book: RuleBook, files: Iterable[Path]) -> Iterator[RuleError]:
    """The faults of each file, by line. Each is read over the files of the book that can be read.

    Of a text that is not YAML, the faults of the entries that can be read are known too (`salvage_text`).
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
    # a file alone lacks what is required; over the others it is judged as it will be read
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
    # faults of cards are found in a rule set that can be made: with faulty files of the caller there is none
    for lower in (below, [text for text in below if shipped in text.file.parents]):
        try:
            rules = msgspec.convert(merge_values([*(text.values for text in lower), sound]), RuleSet)
        except (msgspec.ValidationError, ValueError):
            continue
        yield from find_faulty_cards(rules)
        return
