"""Markup -> the markup that an engine is given: bounded, and written around the engine's faults.

One scan finds what either needs: roots, `<selectedcontent>`, formatting elements with attributes, inputs, columns.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from webclean.parse.limits import Budget, bound_formatting, bound_root_tags

# A class as the second character keeps the search quick.
_SCAN: Final = re.compile(
    r"<[hHbBsSiIuUeEfFcCtT](?:([tT][mM][lL]|[oO][dD][yY])(?=[\s/>])|([nN][pP][uU][tT])|([oO][lL][\s/>])|([aA][bB][lL][eE])"
    r"|([eE][lL][eE][cC][tT][eE][dD][cC][oO][nN])|[\s/]|[iI][gG][\s/]|[oO][dD][eE][\s/]|[mM][\s/]|[oO][nN][tT][\s/]"
    r"|[mM][aA][lL][lL][\s/]|[tT][rR][iIoO]|[tT][\s/])"
)
_SELECTED: Final = re.compile(r"(?i)(</?selectedcontent)(?=[\s/>])")
_QUOTED_HIDDEN: Final = re.compile(r"(<input\b[^<>]*?\stype\s*=\s*)([\"'])(hidden)\2", re.IGNORECASE)
_COL_END: Final = re.compile(r"</col(?=[\s/>])[^<>]*>", re.IGNORECASE)


@dataclass(slots=True)
class _Found:
    """Offsets of the tags that matter, and how many formatting tags have attributes."""

    roots: list[int] = field(default_factory=list)
    inputs: list[int] = field(default_factory=list)
    n_columns: int = 0
    n_tables: int = 0
    n_selected: int = 0
    n_styled: int = 0


def prepare_markup(markup: str, budget: Budget, *, for_fast: bool = False) -> str:
    """The markup, cut where it would cost too much; `<selectedcontent>` is renamed so that no engine copies for it."""
    found = _scan_markup(markup)
    if found.roots:
        markup = bound_root_tags(markup, found.roots, budget)
    if found.inputs and found.n_tables and for_fast and not markup.isascii():
        markup = _unquote_hidden(markup, found.inputs)
    if found.n_selected:
        markup = _SELECTED.sub(r"\1-", markup)
    markup = bound_formatting(markup, found.n_styled, budget)
    if found.n_columns and for_fast:
        # turbohtml 1.15.4 ends the colgroup at an end tag that the standard ignores
        markup = _COL_END.sub("", markup)
    return markup


def _scan_markup(markup: str) -> _Found:
    found = _Found()
    for tag in _SCAN.finditer(markup):
        kind = tag.lastindex
        if kind is None:
            found.n_styled += 1
        elif kind == 1:
            found.roots.append(tag.start())
        elif kind == 2:
            found.inputs.append(tag.start())
        elif kind == 3:
            found.n_columns += 1
        elif kind == 4:
            found.n_tables += 1
        else:
            found.n_selected += 1
    return found


def _unquote_hidden(markup: str, inputs: list[int]) -> str:
    """turbohtml 1.15.4 takes a quoted `type="hidden"` in a table for visible if a character is above U+00FF."""
    parts, done = [], 0
    for start in inputs:
        tag = _QUOTED_HIDDEN.match(markup, start)
        if tag:
            parts += [markup[done:start], tag[1], tag[3], " "]
            done = tag.end()
    return "".join((*parts, markup[done:])) if parts else markup
