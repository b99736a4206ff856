"""What an engine is: a parser behind one function, and how markup is written around its faults."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from webclean.parse.columns import ParsedNodes
from webclean.parse.limits import Budget
from webclean.parse.prepare import FoundTags


def _leave_markup(markup: str, _: FoundTags) -> str:
    return markup


@dataclass(frozen=True, slots=True)
class Engine:
    """A parser.

    walk: markup, budget -> the nodes of the tree that the WHATWG algorithm builds of it, with scripting on, in document
    order. It looks at the budget every `limits.BATCH` elements and stops where that says so.
    work_around: markup and the tags found in it -> the markup without what this parser gets wrong.
    """

    walk: Callable[[str, Budget], ParsedNodes]
    work_around: Callable[[str, FoundTags], str] = _leave_markup
