"""What tools leave in a page: the names that they give the parts of what they write (rules, `tools`), as patterns, and
the elements that have them; and preformatted text without what a highlighter adds to it, line numbers and buttons, with
its programming language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Final, cast

from webclean import core
from webclean.caching import cached_per_page
from webclean.model import Document, Mask
from webclean.parse import climb, find_texts, read_attribute
from webclean.rules import load_rules
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.features_schema import Tools

# matches nowhere: an empty list of names must not match everywhere, as an empty expression does
_NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Conventions:
    """`Tools` with a pattern for each list of names of classes or parts of URLs. language: its first group is the
    language. parts: finds attributes by parts of their values, in the order of `_SOUGHT`."""

    names: Tools
    line_number: re.Pattern[str]
    code_line: re.Pattern[str]
    language: re.Pattern[str]
    note_heading: re.Pattern[str]
    formula_element: re.Pattern[str]
    formula_script: re.Pattern[str]
    asciimath_script: re.Pattern[str]
    formula_image: re.Pattern[str]
    formula_source: re.Pattern[str]
    parts: Any
    drawn_formula: re.Pattern[str]
    display_formula: re.Pattern[str]


def find_conventions(tools: Tools | None) -> Conventions:
    """The patterns of some rules; None: of the shipped ones."""
    return _compile(tools or load_rules().tools)


@cached_per_rule_set
def _compile(tools: Tools) -> Conventions:
    return Conventions(
        tools,
        line_number=_match_classes(tools.line_numbers),
        code_line=_match_classes(tools.code_lines),
        language=_match_language(tools.language_classes),
        note_heading=_match_any(map(re.escape, tools.note_headings)),
        formula_element=_match_classes(tools.formula_elements),
        formula_script=_match_parts(tools.formula_scripts),
        asciimath_script=_match_parts(tools.asciimath_scripts),
        formula_image=_match_classes(tools.formula_images, within=""),
        formula_source=_match_parts(tools.formula_sources),
        parts=_compile_parts([getattr(tools, name) for name in _SOUGHT]),
        drawn_formula=_match_classes(tools.drawn_formulas),
        display_formula=_match_classes(tools.display_formulas),
    )


_SOUGHT: Final = ("notes", "callouts", "formula_images", "formula_sources")
"""Lists of `Tools` of which most pages have no name."""


def _compile_parts(lists: Sequence[Iterable[str]]) -> Any:
    # as the values stand in the markup, where of the signs that a name may have `&` alone is escaped
    parts = [
        (part.strip("*").casefold().replace("&", "&amp;"), at) for at, listed in enumerate(lists) for part in listed
    ]
    return core.LiteralSet([part for part, _ in parts], [at for _, at in parts], [False] * len(parts))


@cached_per_page
def find_named(document: Document, conventions: Conventions) -> dict[str, set[int]]:
    """List of `Tools` -> the elements in whose class, id or `src` one of its names occurs, in any case. Of the names of
    whole classes that is more than the elements that have them."""
    found: dict[str, set[int]] = {name: set() for name in _SOUGHT}
    table: Any = document.attrs
    for attribute, lists in (("class", _SOUGHT[:3]), ("id", _SOUGHT[:1]), ("src", _SOUGHT[3:])):
        for row, number in conventions.parts.find_rows(table.found, attribute):
            if (name := _SOUGHT[number]) in lists:
                found[name].add(row)
    return found


def _match_classes(names: Iterable[str], within: str = "_-") -> re.Pattern[str]:
    """Any of some names in the value of `class`. within: signs that separate names within a class."""
    return _match_any(
        rf"(?<!\S){re.escape(name[:-1])}"
        if name.endswith("*")
        else rf"(?<![^\s{within}]){re.escape(name)}(?![^\s{within}])"
        for name in names
    )


def _match_parts(parts: Iterable[str]) -> re.Pattern[str]:
    return _match_any(map(re.escape, parts))


def _match_language(beginnings: Iterable[str]) -> re.Pattern[str]:
    """What follows one of some beginnings in the value of `class`; the longest one, and no further one."""
    # the longest first: `language-` before `lang`
    forms = sorted(beginnings, key=len, reverse=True)
    other = "|".join(map(re.escape, forms))
    before = "|".join(re.escape(form.rstrip()) + (r"\s+" if form != form.rstrip() else r"\s*") for form in forms)
    return re.compile(rf"(?<!\S)(?:{before})(?!{other})([A-Za-z][\w+#.-]{{0,30}})") if forms else _NOTHING


def _match_any(forms: Iterable[str]) -> re.Pattern[str]:
    whole = "|".join(forms)
    return re.compile(whole, re.IGNORECASE) if whole else _NOTHING


_LEVELS_ABOVE: Final = 3
_ELEMENTS_BELOW: Final = 4
"""How far from a `pre` its tool may have put a class: highlighters wrap it (`div.highlight > div.code > pre`) or write
`code` or a `span` for the whole text into it; further away, a class is of the page."""


def find_language(document: Document, row: int, conventions: Conventions) -> str:
    """The language named on the `pre`, on the first elements in it or the nearest around it; '' if there is none."""
    for near in (*_list_first(document, row), *islice(climb(document, row), 1, _LEVELS_ABOVE + 1)):
        for name in conventions.names.language_attributes:
            if value := (read_attribute(document, near, name) or "").strip():
                return _accept(value.lower(), conventions)
        if found := conventions.language.search(read_attribute(document, near, "class") or ""):
            return _accept(found[1].lower(), conventions)
    return ""


def _accept(language: str, conventions: Conventions) -> str:
    return "" if language in conventions.names.no_languages or not re.fullmatch(r"[\w+#.-]+", language) else language


def render_preformatted(document: Document, kept: Mask, row: int, line_number: re.Pattern[str]) -> str:
    """The kept text under a preformatted element, with its lines and indentation unchanged. line_number: a class."""
    is_added = partial(_is_added, document, row, line_number)
    nodes = find_texts(document, row, int(document.end[row]))
    return cast("str", core.join_preformatted(document.page, kept, row, nodes, is_added))


def _is_added(document: Document, row: int, line_number: re.Pattern[str], node: int) -> bool:
    """Whether a text is that of a button, or a line number, in the preformatted element of a row."""
    # what is no number is code, whatever its class says
    is_number = document.text[node].strip().isdecimal()
    return any(
        document.names[at] == "button"
        or (is_number and line_number.search(read_attribute(document, at, "class") or ""))
        for at in climb(document, int(document.text_owner[node]), row)
    )


def holds_line_numbers(document: Document, row: int, text: str, line_number: re.Pattern[str]) -> bool:
    """Whether a preformatted text is only the line numbers of another: 1, 2, 3, ... and named so by a class nearby."""
    lines = text.split()
    # a column of figures is text: line numbers go up by one
    if not all(map(str.isdecimal, lines)) or lines != [str(int(lines[0]) + at) for at in range(len(lines))]:
        return False
    below = _list_first(document, row)
    near = (*below, *islice(climb(document, row), 1, 2 * _ELEMENTS_BELOW - len(below) + 1))
    return any(line_number.search(read_attribute(document, at, "class") or "") for at in near)


def _list_first(document: Document, row: int) -> range:
    return range(row, min(document.end.item(row), row + _ELEMENTS_BELOW))
