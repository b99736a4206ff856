"""Regular expressions of RE2, compiled once: matching takes time linear in the text."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import re2

from webclean.errors import RuleError


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> Any:
    """An RE2 expression: matching takes time linear in the text. Raises `RuleError`."""
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        (message,) = error.args
        message = message.decode() if isinstance(message, bytes) else message
        raise RuleError(f"not a regular expression of RE2: {pattern!r} ({message})") from error


@lru_cache(maxsize=4096)
def compile_set(patterns: tuple[str, ...]) -> Any:
    """Several RE2 expressions as one automaton: it tells which of them occur in a text, not where."""
    found = re2.Set.SearchSet()
    for pattern in patterns:
        compile_pattern(pattern)
        found.Add(pattern)
    found.Compile()
    return found


@lru_cache(maxsize=4096)
def compile_test(pattern: str) -> Callable[[str], bool]:
    """Compile an RE2 expression to a function that tells whether it occurs in a text."""
    match = compile_set((pattern,)).Match
    return lambda text: bool(match(text))
