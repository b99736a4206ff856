"""The available parsers, by name.

To add a parser, add a file to this folder with a `NAME`, by which callers choose it, and an `ENGINE`. No other file
changes, because the modules of the folder are found here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, Final

from webclean.errors import InputError
from webclean.parse.columns import Attributes, ParsedNodes, ParsedPage, is_read
from webclean.parse.limits import BATCH, Budget
from webclean.parse.prepare import FoundTags
from webclean.parse.tags import FALLBACK


@dataclass(frozen=True, slots=True)
class Engine:
    """A parser.

    walk: (markup, budget) -> nodes of the tree that the WHATWG algorithm builds with scripting enabled, in document
    order. It checks the budget every `limits.BATCH` elements and stops if the budget is used up.
    work_around: (markup, tags found in it) -> markup without the constructs that this parser parses incorrectly.
    """

    walk: Callable[[str, Budget], ParsedNodes | ParsedPage]
    work_around: Callable[[str, FoundTags], str] = lambda markup, _: markup


def walk_elements(
    root: Any, budget: Budget, read: Callable[[Any], tuple[str, Attributes, str | list[Any]]]
) -> ParsedNodes:
    """Visit the nodes of a tree once, in document order and without recursion.

    read: element -> its name, its attributes, and the elements and texts (as strings) in it; the content of a raw-text
    element is one string.
    """
    walk = ParsedNodes()
    todo: list[tuple[Any, int]] = [(root, -1)]
    while todo:
        item, above = todo.pop()
        row = len(walk.names)
        if isinstance(item, str):
            walk.text.append(item)
            walk.text_owner.append(above)
            walk.text_next.append(row)
            continue
        name, attrs, inside = read(item)
        walk.names.append(name)
        walk.parent.append(above)
        walk.attrs.append(attrs)
        if not isinstance(inside, str):
            # in reverse, so that the first is taken next
            todo += [(node, row) for node in reversed(inside)]
        # the content of a raw-text element gets no rows: it is no part of the page
        elif name in FALLBACK:
            walk.fallback[row] = inside
        elif is_read(name, attrs):
            walk.raw[row] = inside
        if row >= budget.limits.max_elements or ((row + 1) % BATCH == 0 and budget.is_late()):
            break
    budget.is_late()
    return walk


_MODULES: Final = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
ENGINES: Final[dict[str, Engine]] = {one.NAME: one.ENGINE for one in _MODULES if hasattr(one, "NAME")}
"""Name -> engine, in the order of the files."""


def find_engine(name: str) -> Engine:
    """The engine with a name. Raises `InputError` if there is none."""
    if name not in ENGINES:
        raise InputError(f"unknown parser {name!r}: one of {', '.join(ENGINES)}")
    return ENGINES[name]
