"""Markup -> markup that is safe to give to an engine: bounded in cost, and changed where the engine has a bug.

Most pages need no change. To avoid a separate search for each case, a single regular expression (`_SCAN`) finds all
tags that may matter; the number of the group that matched tells which tag it is:

    <html lang=en><input type=hidden><col><table><b class=x><p>
    group 1        2                  3    4      none       no match

The code for a case runs only if its tags were found. Formatting tags (`<b `, `<font `) match without a group, and only
if the name is followed by white space or a slash, that is, if they may have attributes; without attributes they are
cheap to rebuild (see `bounds`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import msgspec

from webclean.kernels import TAGS
from webclean.parse.bounds import bound_formatting, bound_root_tags
from webclean.parse.empty_tags import close_empty_tags
from webclean.parse.limits import Budget

# The expression is written for speed: `<`, a class of first letters, then the rest of each name with each letter in
# both cases. On the fixture pages it is three times as fast as an alternation of whole names, and four times as fast
# as the same expression with IGNORECASE.
_SCAN: Final = re.compile(
    r"<[hHbBsSiIuUeEfFcCtT](?:([tT][mM][lL]|[oO][dD][yY])(?=[\s/>])|([nN][pP][uU][tT])|([oO][lL][\s/>])|([aA][bB][lL][eE])"
    r"|([eE][lL][eE][cC][tT][eE][dD][cC][oO][nN])|[\s/]|[iI][gG][\s/]|[oO][dD][eE][\s/]|[mM][\s/]|[oO][nN][tT][\s/]"
    r"|[mM][aA][lL][lL][\s/]|[tT][rR][iIoO]|[tT][\s/])"
)
_SELECTED: Final = re.compile(r"(?i)(</?selectedcontent)(?=[\s/>])")


class FoundTags(msgspec.Struct):
    """Offsets or numbers of the tags found. n_styled: formatting tags that may have attributes. n_tags: the signs that
    begin a tag."""

    roots: list[int] = []
    inputs: list[int] = []
    n_columns: int = 0
    n_tables: int = 0
    n_selected: int = 0
    n_styled: int = 0
    n_tags: int = 0


def prepare_markup(markup: str, budget: Budget, work_around: Callable[[str, FoundTags], str] | None = None) -> str:
    """The markup, cut where parsing would be too expensive.

    Empty elements of XML get end tags. `<selectedcontent>` is renamed, because an engine would copy the selected option
    into it.

    work_around: changes the markup where the engine has a bug (`Engine.work_around`).
    """
    markup = close_empty_tags(markup)
    found = _scan_markup(markup)
    if found.roots:
        markup = bound_root_tags(markup, found.roots, budget)
    if work_around is not None:
        markup = work_around(markup, found)
    if found.n_selected:
        markup = _SELECTED.sub(r"\1-", markup)
    return bound_formatting(markup, found.n_styled, found.n_tags, budget)


def _scan_markup(markup: str) -> FoundTags:
    return FoundTags(*TAGS.find_tags(markup)) if TAGS else scan_plainly(markup)


def scan_plainly(markup: str) -> FoundTags:
    """The tags that `_SCAN` finds: the twin of the kernel."""
    found = FoundTags(n_tags=markup.count("<"))
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
