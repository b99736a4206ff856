"""What tools leave in a page: the names that they give the parts of what they write (rules, `tools`), as patterns, and
the elements that have them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from webclean import core
from webclean.caching import cached_per_page
from webclean.model import Document
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
    code_extra: re.Pattern[str]
    code_block: re.Pattern[str]
    code_line: re.Pattern[str]
    callout_title: re.Pattern[str]
    comment: re.Pattern[str]
    comment_head: re.Pattern[str]
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
        code_extra=_match_classes(tools.code_extras),
        code_block=_match_classes(tools.code_blocks, within=""),
        code_line=_match_classes(tools.code_lines),
        callout_title=_match_classes(tools.callout_titles),
        comment=_match_classes(tools.comments, within=""),
        comment_head=_match_classes(tools.comment_heads),
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


_SOUGHT: Final = (
    "notes", "callouts", "text_extras", "formula_images", "code_extras", "code_blocks", "line_numbers",
    "comments", "formula_sources",
)  # fmt: skip
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
    for attribute, lists in (("class", _SOUGHT[:-1]), ("id", _SOUGHT[:1]), ("src", _SOUGHT[-1:])):
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
