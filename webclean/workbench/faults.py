"""Rule files -> all their faults, each with file, line, key, what is allowed, and how to fix it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from webclean.checks import find_unusable
from webclean.errors import RuleError
from webclean.rules import RuleBook
from webclean.rules.files import Path_, RuleText, find_tab_lines, read_rule_file
from webclean.rules.layers import Layer, find_origin, merge_values
from webclean.rules.schema import RuleSet
from webclean.rules.validate import find_faults, find_unknown_types, locate


def list_faults(book: RuleBook, files: Iterable[Path]) -> Iterator[RuleError]:
    """The faults of each file, by line. Each is read over the files of the book that can be read.

    In a text that is not YAML, only the first fault is known, or all lines that are indented with tabs.
    """
    below = [text.values for text in _read_base(book)]
    for path in files:
        try:
            text = read_rule_file(path)
        except RuleError as error:
            yield from _find_tabs(path) or [error]
        else:
            yield from sorted(_find_in_text(text, below), key=lambda fault: fault.line)


def _read_base(book: RuleBook) -> Iterator[RuleText]:
    """The built-in files and those of the call, except unreadable ones."""
    paths = [path for folder in book.folders for path in sorted(folder.glob("*.yaml"))]
    for path in (*paths, *book.files):
        try:
            yield read_rule_file(path)
        except RuleError:
            continue


def _find_tabs(path: Path) -> list[RuleError]:
    try:
        lines = find_tab_lines(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        return []
    return [RuleError(message, file=str(path), line=line) for line, message in lines]


def _find_in_text(text: RuleText, below: list[dict[str, Any]]) -> Iterator[RuleError]:
    """The faults at places that the file sets; each place is reported once."""
    where = partial(find_origin, [Layer("file", text)])
    merged = merge_values([*below, text.values])
    reported: set[Path_] = set()
    for path, message in (*find_faults(merged, RuleSet), *find_unknown_types(merged), *find_unusable(text.values)):
        if path not in reported and where(path) is not None:
            reported.add(path)
            yield locate(path, message, where)
