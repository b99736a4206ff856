"""Markup -> the markup that an engine is given: bounded, and written around the engine's faults.

Most pages need nothing of this, and a regular expression for each fault would read every page ten times. One scan
(`_SCAN`) stops at all the tags that any of them is about, and says by its groups which kind it has met:

    <html lang=en><input type=hidden><col><table><b class=x><p>
    group 1        2                  3    4      none       no match

Only where it met some does the code for that fault look at the page. Formatting tags (`<b `, `<font `) match without
a group, and only with something behind the name: without attributes they cost nothing to build again.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from webclean.parse.bounds import bound_formatting, bound_root_tags
from webclean.parse.limits import Budget

# After `<` one character out of a class, then how the names go on, each letter in both cases: on the fixture pages
# three times as fast as the names as alternatives, and four times as fast as these without regard to case.
_SCAN: Final = re.compile(
    r"<[hHbBsSiIuUeEfFcCtT](?:([tT][mM][lL]|[oO][dD][yY])(?=[\s/>])|([nN][pP][uU][tT])|([oO][lL][\s/>])|([aA][bB][lL][eE])"
    r"|([eE][lL][eE][cC][tT][eE][dD][cC][oO][nN])|[\s/]|[iI][gG][\s/]|[oO][dD][eE][\s/]|[mM][\s/]|[oO][nN][tT][\s/]"
    r"|[mM][aA][lL][lL][\s/]|[tT][rR][iIoO]|[tT][\s/])"
)
_SELECTED: Final = re.compile(r"(?i)(</?selectedcontent)(?=[\s/>])")


@dataclass(slots=True)
class FoundTags:
    """Offsets of the tags that matter, and how many formatting tags have attributes."""

    roots: list[int] = field(default_factory=list)
    inputs: list[int] = field(default_factory=list)
    n_columns: int = 0
    n_tables: int = 0
    n_selected: int = 0
    n_styled: int = 0


def prepare_markup(markup: str, budget: Budget, work_around: Callable[[str, FoundTags], str] | None = None) -> str:
    """The markup, cut where it would cost too much; `<selectedcontent>` is renamed so that no engine copies for it.

    work_around: what the engine needs to be written differently (`Engine.work_around`).
    """
    found = _scan_markup(markup)
    if found.roots:
        markup = bound_root_tags(markup, found.roots, budget)
    if work_around is not None:
        markup = work_around(markup, found)
    if found.n_selected:
        markup = _SELECTED.sub(r"\1-", markup)
    return bound_formatting(markup, found.n_styled, budget)


def _scan_markup(markup: str) -> FoundTags:
    found = FoundTags()
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
