"""The available parsers, by name.

To add a parser, add a file to this folder that creates an `Engine`, and list it in `ENGINES`.
"""

from __future__ import annotations

from typing import Final

from webclean.errors import InputError
from webclean.parse.engines import html5, turbo
from webclean.parse.engines.engine import Engine

ENGINES: Final[dict[str, Engine]] = {"fast": turbo.ENGINE, "html5lib": html5.ENGINE}


def find_engine(name: str) -> Engine:
    """The engine with a name. Raises `InputError` if there is none."""
    if name not in ENGINES:
        raise InputError(f"unknown parser {name!r}: one of {', '.join(ENGINES)}")
    return ENGINES[name]
