"""Markup -> the errors in it that the parser repaired, with positions (patent A1, step 101).

Omitted tags are not errors in the HTML standard; they are found as elements without a tag in the source
(`list_placed_elements`). Crossed tags, wrong end tags and content-model errors are found as parse errors that html5lib
reports during tree construction.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import accumulate
from typing import Any, Final

from webclean.model import Repair, RepairKind
from webclean.parse.engines.html5 import list_error_messages, parse_markup
from webclean.parse.limits import Budget
from webclean.parse.prepare import close_empty_tags, find_empty_tags, find_missing_ends, find_tags, prepare_markup
from webclean.parse.snippets import PlacedElement, list_placed_elements
from webclean.parse.tags import CODE, HEADING, VOID

_HEADINGS: Final = frozenset(name for name, code in CODE.items() if HEADING[code])
_ANY_LENGTH: Final = frozenset(("plaintext", "html", "body"))

_CROSSED: Final = frozenset((
    "adoption-agency-1.3", "adoption-agency-4.4", "end-tag-too-early", "end-tag-too-early-named",
    "unexpected-cell-end-tag",
))  # fmt: skip
_SEEN_AS_OMITTED: Final = (
    "expected-doctype", "expected-closing-tag-but-got-eof", "expected-named-closing-tag-but-got-eof", "eof-in-table",
    "expected-one-end-tag-but-got-another", "eof-in-select", "missing-end-tag", "no-end-tag",
    "unexpected-implied-end-tag", "unexpected-cell-in-table-body",
)  # fmt: skip
_WRONG_END: Final = (
    *("unexpected-end-tag", "end-tag-", "adoption-agency", "expected-eof-but-got-end-tag", "expected-closing-tag"),
    "unexpected-table-element-end-tag",
)
_CONTENT: Final = (
    *("unexpected-start-tag", "unexpected-form", "unexpected-hidden", "unexpected-char-", "unexpected-select"),
    *("unexpected-input", "unexpected-html-element", "unexpected-table-element", "unexpected-frameset"),
    *("deprecated-tag", "two-heads", "expected-eof-but-got", "unexpected-inhead", "char-in-head", "non-void-element"),
)
_LEXICAL: Final = frozenset(("unexpected-char-in-comment", "unexpected-char-in-doctype"))


def list_repairs(markup: str) -> tuple[Repair, ...]:
    """All repairs, in source order. A page that exceeds the limits is read up to them."""
    budget = Budget(truncate=True)
    # as parsers read line ends (HTML 13.2.3.5), by which they count lines
    source = markup.replace("\r\n", "\n").replace("\r", "\n")
    markup = prepare_markup(source, budget)
    errors = parse_markup(markup, budget, scripting=True)[1]
    elements = list_placed_elements(markup)
    found = {*_read_errors(markup, errors, elements), *_find_omitted(markup, elements)}
    found = _tell_closed(source, found)
    return tuple(sorted(found, key=lambda repair: (repair.line, repair.column, repair.message)))


def _tell_closed(source: str, found: set[Repair]) -> set[Repair]:
    """The repairs with columns of the source, in which the ends that `prepare_markup` adds are not there yet; and
    these."""
    closed = close_empty_tags(source)
    ends = find_missing_ends(closed, find_tags(closed))
    unclosed = [(closed.rfind("<", 0, at), at, len(text), text) for at, text in ends]
    found = _move_columns(closed, found, unclosed, "{} is missing")
    empty = [
        (source.rfind("<", 0, end), end, len(name) + len("</>") - len("/"), f"<{name}/>")
        for end, name in find_empty_tags(source)
    ]
    return _move_columns(source, found, empty, "{} has no end tag")


def _move_columns(
    source: str, found: set[Repair], added: Iterable[tuple[int, int, int, str]], message: str
) -> set[Repair]:
    """The repairs with columns of a source to which text was added, and one for each addition. added: where what it
    ends begins, where it was added, characters, what the message names."""
    lines = [0, *accumulate(len(line) + 1 for line in source.split("\n"))][:-1]
    by_line: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    additions = set()
    for start, end, n_added, name in added:
        row, last = bisect_right(lines, start), bisect_right(lines, end - 1)
        by_line[last].append((end - lines[last - 1], n_added))
        additions.add(Repair(RepairKind.OMITTED, row, start - lines[row - 1] + 1, message.format(name)))
    return {replace(one, column=_find_column(one.column, by_line[one.line])) for one in found} | additions


def _find_column(column: int, added: Iterable[tuple[int, int]]) -> int:
    """The column in the source of one in the same line with so many characters added after each of some columns."""
    for end, n_added in added:
        if column <= end:
            break
        column = max(end, column - n_added)
    return column


def _read_errors(markup: str, errors: list[Any], elements: list[PlacedElement]) -> Iterator[Repair]:
    """The parse errors as repairs. html5lib reports the position after a tag; its start is looked up."""
    closing = {element.closed_at for element in elements}
    lines = [0, *accumulate(len(line) + 1 for line in markup.split("\n"))][:-1]
    last_stray = max((i for i, (_, code, _) in enumerate(errors) if code == "unexpected-end-tag"), default=-1)
    for number, ((line, column), error, details) in enumerate(errors):
        # elements without a tag in the source tell these more exactly (`_find_omitted`)
        if error.startswith(_SEEN_AS_OMITTED):
            continue
        kind = classify_error(error, str(details.get("name", "")))
        offset = min(len(markup), lines[min(line, len(lines)) - 1] + column)
        if kind is not RepairKind.OTHER and "char" not in error and "eof" not in error:
            # the error is told after the tag; people look for its start
            offset = max(0, markup.rfind("<", 0, offset))
        message = list_error_messages().get(error, error.replace("-", " "))
        if kind is RepairKind.CROSSED:
            # it crosses only if it closes something; else it is an end tag without an element
            if offset not in closing:
                kind, message = RepairKind.WRONG_END_TAG, list_error_messages()["unexpected-end-tag"]
            # html5lib says so too where the elements inside merely lack their end tags
            elif error == "end-tag-too-early" and number > last_stray:
                continue  # not crossed: the elements inside have no end tag
            else:
                message = "</%(name)s> crosses elements that are still open"
        row = bisect_right(lines, offset)
        yield Repair(kind, row, offset - lines[row - 1] + 1, (message % defaultdict(str, details)).rstrip("."))


def classify_error(code: str, name: str) -> RepairKind:
    """The kind of an html5lib error. code: html5lib's name of the error; name: the tag that it concerns."""
    if code in _CROSSED:
        return RepairKind.WRONG_END_TAG if name in _HEADINGS else RepairKind.CROSSED
    if code in _LEXICAL:
        return RepairKind.OTHER
    if code.startswith(_WRONG_END):
        return RepairKind.WRONG_END_TAG
    return RepairKind.CONTENT_MODEL if code.startswith(_CONTENT) else RepairKind.OTHER


def _find_omitted(markup: str, elements: list[PlacedElement]) -> Iterator[Repair]:
    """Elements whose start tag or end tag is not in the source."""
    rebuilt = {element.copy_of for element in elements}
    line, column = markup.count("\n") + 1, len(markup) - markup.rfind("\n") - 1
    # from the end: an implied element is told at the place of the next one that has a tag
    for element in reversed(elements):
        start, name = element.start, element.name
        if start is not None:
            line, column, end = start
            # `html`, `body` and the rest of a page have no end to miss; headings close each other, which is told apart
            closed = element.closed_at is not None or name in VOID or name in _ANY_LENGTH or name in _HEADINGS
            empty = not element.is_html and markup.endswith("/>", 0, end)
            if not closed and not empty and (line, column) not in rebuilt:
                yield Repair(RepairKind.OMITTED, line, column + 1, f"<{name}> has no end tag")
        elif element.copy_of is None:
            loose = name == "body" and elements[0].start is not None
            kind = RepairKind.CONTENT_MODEL if loose else RepairKind.OMITTED
            yield Repair(kind, line, column + 1, f"<{name}> is implied" + " directly under <html>" * loose)
