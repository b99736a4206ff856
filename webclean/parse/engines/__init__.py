"""The available parsers, by name.

To add a parser, add a file to this folder with a `NAME`, by which callers choose it, and an `ENGINE`. No other file
changes, because the modules of the folder are found here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

from webclean.errors import InputError
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


_MODULES: Final = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
ENGINES: Final[dict[str, Engine]] = {one.NAME: one.ENGINE for one in _MODULES if hasattr(one, "NAME")}
"""Name -> engine, in the order of the files."""


def find_engine(name: str) -> Engine:
    """The engine with a name. Raises `InputError` if there is none."""
    if name not in ENGINES:
        raise InputError(f"unknown parser {name!r}: one of {', '.join(ENGINES)}")
    return ENGINES[name]
