"""What tools leave in a page: the names that they give the parts of what they write (rules, `tools`), as patterns, and
the elements that have them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.caching import cached_per_page
from webclean.model import Document, Mask
from webclean.parse import read_attribute
from webclean.parse.tags import BLOCK, N_CODES, tag_mask
from webclean.rules import load_rules
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.features_schema import Tools

# matches nowhere: an empty list of names must not match everywhere, as an empty expression does
_NOTHING = re.compile(r"(?!)")


class Conventions:
    """The names of `Tools`, and a pattern for each list of names of classes or parts of URLs. language: its first group
    is the language. parts: of each attribute in `_SOUGHT`, what finds the names of its lists, and the tags of these."""

    def __init__(self, tools: Tools) -> None:
        self.names = tools
        self.line_number = _match_classes(tools.line_numbers)
        self.code_extra = _match_classes(tools.code_extras)
        self.code_block = _match_classes(tools.code_blocks, within="")
        self.code_line = _match_classes(tools.code_lines)
        self.callout_title = _match_classes(tools.callout_titles)
        self.comment = _match_classes(tools.comments, within="")
        self.comment_head = _match_classes(tools.comment_heads)
        self.language = _match_language(tools.language_classes)
        self.note_heading = _match_any(map(re.escape, tools.note_headings))
        self.formula_element = _match_classes(tools.formula_elements)
        self.formula_script = _match_any(map(re.escape, tools.formula_scripts))
        self.asciimath_script = _match_any(map(re.escape, tools.asciimath_scripts))
        self.formula_image = _match_classes(tools.formula_images, within="")
        self.formula_source = _match_any(map(re.escape, tools.formula_sources))
        self.drawn_formula = _match_classes(tools.drawn_formulas)
        self.display_formula = _match_classes(tools.display_formulas)
        self.parts = [_compile_parts(tools, attribute, lists) for attribute, lists in _SOUGHT.items()]


def find_conventions(tools: Tools | None) -> Conventions:
    """The patterns of some rules; None: of the shipped ones."""
    return _read_conventions(tools or load_rules().tools)


@cached_per_rule_set
def _read_conventions(tools: Tools) -> Conventions:
    return Conventions(tools)


_ANY: Final = np.ones(N_CODES, dtype=bool)
_IMAGE: Final = tag_mask("img")
_SOUGHT: Final = {
    "class": {
        "notes": _ANY,
        "callouts": tag_mask("div aside section"),
        "text_extras": _ANY,
        "formula_images": _IMAGE,  # `tex` stands in every class of a `text`
        "code_extras": _ANY,
        "code_blocks": BLOCK,
        "line_numbers": _ANY,
        "comments": BLOCK,
    },
    "id": {"notes": _ANY},
    "src": {"formula_sources": _IMAGE},
}
"""Attribute -> lists of `Tools` whose names it may have, though on most pages it has none, and the tags of the elements
that are asked for each."""


def _compile_parts(tools: Tools, attribute: str, lists: Mapping[str, Mask]) -> tuple[str, Any, NDArray[np.uint8]]:
    # as the values stand in the markup, where of the signs that a name may have `&` alone is escaped
    parts = [
        (part.strip("*").casefold().replace("&", "&amp;"), at)
        for at, name in enumerate(lists)
        for part in getattr(tools, name)
    ]
    sought = core.LiteralSet([part for part, _ in parts], [at for _, at in parts], [False] * len(parts))
    return attribute, sought, np.array([*lists.values()]).view(np.uint8)


@cached_per_page
def find_named(document: Document, conventions: Conventions) -> dict[str, set[int]]:
    """List of `Tools` -> the elements in whose class, id or `src` one of its names occurs, in any case, of the tags in
    `_SOUGHT`. Of the names of whole classes that is more than the elements that have them."""
    found: dict[str, set[int]] = {name: set() for lists in _SOUGHT.values() for name in lists}
    table: Any = document.attrs
    for attribute, sought, tags in conventions.parts:
        names = [*_SOUGHT[attribute]]
        for row, number in sought.find_rows(table.found, attribute, tags):
            found[names[number]].add(row)
    return found


def has_class(document: Document, row: int, pattern: re.Pattern[str]) -> bool:
    """Whether the class of an element has one of the names of a pattern."""
    return pattern.search(read_attribute(document, row, "class") or "") is not None


def _match_classes(names: Iterable[str], within: str = "_-") -> re.Pattern[str]:
    """Any of some names in the value of `class`. within: signs that separate names within a class."""
    return _match_any(
        rf"(?<!\S){re.escape(name[:-1])}"
        if name.endswith("*")
        else rf"(?<![^\s{within}]){re.escape(name)}(?![^\s{within}])"
        for name in names
    )


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
