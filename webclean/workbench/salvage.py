"""A rule file that is no YAML -> its syntax errors, and what can be read of the rest.

The parser stops at the first error. So the entry around it (a key below a section, such as one rule) is blanked and the
rest is read again, until it can be read:

    rules:
      a:
        because: one: two     <- fault: the entry `a` is blanked, three lines
        action: keep
      b:                      <- read: its faults are known too
        action: kep

Where the rest cannot be read in the end (a quote or bracket that is never closed), the errors after the first may be
consequences of it, and only the first is told.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from webclean.errors import RuleError
from webclean.rules.files import RuleText, find_tab_lines, read_rule_text

_INDENT: Final = re.compile(r"^[ \t]+")
_ANCHOR: Final = re.compile(r"(?:^|[\s\[{,])&\w")
"""An entry with an anchor is not blanked: others refer to it."""
_MAX_ERRORS: Final = 20


def salvage_text(path: Path, first: RuleError) -> tuple[list[RuleError], RuleText | None]:
    """The syntax errors of a file by line, and the values of the entries without one; lines are those of the file.

    first: the error with which the file was refused. A line that is indented with tabs is an error and is read with two
    spaces for each tab; where that is not YAML either, only these lines are told.
    """
    if not first.line:  # too large, not UTF-8, ...
        return [first], None
    written = path.read_text(encoding="utf-8")
    tabs = [RuleError(message, file=str(path), line=line) for line, message in find_tab_lines(written)]
    lines = [_INDENT.sub(lambda start: start[0].replace("\t", "  "), line) for line in written.split("\n")]
    errors: list[RuleError] = []
    while len(errors) < _MAX_ERRORS:
        try:
            text = read_rule_text("\n".join(lines), path)
        except RuleError as error:
            errors.append(error)
            entry = _find_entry(lines, error.line - 1)
            if tabs or not entry or any(_ANCHOR.search(lines[number]) for number in entry):
                break
            lines = ["" if number in entry else line for number, line in enumerate(lines)]
        else:
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
