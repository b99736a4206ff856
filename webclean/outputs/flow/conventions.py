"""The names that tools give the parts of what they write (rules, `tools`), as patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from webclean.rules import load_rules
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.features_schema import Tools

_NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Conventions:
    """`Tools` with a pattern for each list of names of classes or parts of URLs. language: its first group is the
    language."""

    names: Tools
    line_number: re.Pattern[str]
    code_line: re.Pattern[str]
    language: re.Pattern[str]
    formula_element: re.Pattern[str]
    formula_script: re.Pattern[str]
    asciimath_script: re.Pattern[str]
    formula_image: re.Pattern[str]
    formula_source: re.Pattern[str]
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
        formula_element=_match_classes(tools.formula_elements),
        formula_script=_match_parts(tools.formula_scripts),
        asciimath_script=_match_parts(tools.asciimath_scripts),
        formula_image=_match_classes(tools.formula_images, within=""),
        formula_source=_match_parts(tools.formula_sources),
        drawn_formula=_match_classes(tools.drawn_formulas),
        display_formula=_match_classes(tools.display_formulas),
    )


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
    forms = sorted(beginnings, key=len, reverse=True)
    other = "|".join(map(re.escape, forms))
    before = "|".join(re.escape(form.rstrip()) + (r"\s+" if form != form.rstrip() else r"\s*") for form in forms)
    return re.compile(rf"(?<!\S)(?:{before})(?!{other})([A-Za-z][\w+#.-]{{0,30}})") if forms else _NOTHING


def _match_any(forms: Iterable[str]) -> re.Pattern[str]:
    whole = "|".join(forms)
    return re.compile(whole, re.IGNORECASE) if whole else _NOTHING
