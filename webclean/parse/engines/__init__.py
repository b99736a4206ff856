"""The parsers, by the names that callers choose them by.

A further one is a file in this folder that makes an `Engine`, and its line in `ENGINES`.
"""

from __future__ import annotations

from typing import Final

from webclean.errors import InputError
from webclean.parse.engines import html5, turbo
from webclean.parse.engines.engine import Engine

ENGINES: Final[dict[str, Engine]] = {"fast": turbo.ENGINE, "html5lib": html5.ENGINE}


def find_engine(name: str) -> Engine:
    """The engine of a name. Raises `InputError` for an unknown one."""
    if name not in ENGINES:
        raise InputError(f"unknown parser {name!r}: one of {', '.join(ENGINES)}")
    return ENGINES[name]
