"""The interface of a parser: a function that parses, and one that changes markup to avoid bugs of the parser."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from webclean.parse.columns import ParsedNodes, ParsedPage
from webclean.parse.limits import Budget
from webclean.parse.prepare import FoundTags


@dataclass(frozen=True, slots=True)
class Engine:
    """A parser.

    walk: (markup, budget) -> nodes of the tree that the WHATWG algorithm builds with scripting enabled, in document
    order. It checks the budget every `limits.BATCH` elements and stops if the budget is used up.
    work_around: (markup, tags found in it) -> markup without the constructs that this parser parses incorrectly.
    """

    walk: Callable[[str, Budget], ParsedNodes | ParsedPage]
    work_around: Callable[[str, FoundTags], str] = lambda markup, _: markup
