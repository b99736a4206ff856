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

from webclean import core
from webclean.parse.bounds import bound_formatting, bound_root_tags
from webclean.parse.empty_tags import close_empty_tags
from webclean.parse.limits import Budget

_SELECTED: Final = re.compile(r"(?i)(</?selectedcontent)(?=[\s/>])")


class FoundTags(msgspec.Struct):
    """Offsets or numbers of the tags found. n_styled: formatting tags that may have attributes. n_tags: the signs that
    begin a tag. n_column_ends: end tags that begin with `</col`."""

    roots: list[int] = []
    inputs: list[int] = []
    n_columns: int = 0
    n_tables: int = 0
    n_selected: int = 0
    n_styled: int = 0
    n_tags: int = 0
    n_column_ends: int = 0


def prepare_markup(markup: str, budget: Budget, work_around: Callable[[str, FoundTags], str] | None = None) -> str:
    """The markup, cut where parsing would be too expensive.

    Empty elements of XML get end tags. `<selectedcontent>` is renamed, because an engine would copy the selected option
    into it.

    work_around: changes the markup where the engine has a bug (`Engine.work_around`).
    """
    markup = close_empty_tags(markup)
    found = find_tags(markup)
    if found.roots:
        markup = bound_root_tags(markup, found.roots, budget)
    if work_around is not None:
        markup = work_around(markup, found)
    if found.n_selected:
        markup = _SELECTED.sub(r"\1-", markup)
    return bound_formatting(markup, found.n_styled, found.n_tags, budget)


def find_tags(markup: str) -> FoundTags:
    """What makes parsing expensive or wrong, found in one scan of the markup."""
    return FoundTags(*core.find_tags(markup))
