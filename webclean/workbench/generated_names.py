"""A class or id -> whether a program generated it, and the evidence for that."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from webclean.rules.uses_schema import GeneratedNames

_PART: Final = re.compile(r"[^\W_]+")
_SWITCH: Final = re.compile(r"^(?=\d)|(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])", re.IGNORECASE)
_DIGITS: Final = re.compile(r"\d+")
_VOWEL: Final = re.compile(r"[aeiouy]", re.IGNORECASE)
_PIECE: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_UNLIKE_A_WORD: Final = re.compile(r"\d|[a-z][A-Z]")


def explain_generated(name: str, limits: GeneratedNames) -> str:
    """The evidence that a build or a page generated a name, such as "letters and digits mixed"; '' if it seems to last.

    Parts with letters beyond ASCII are words of some language.
    """
    parts = [part for part in _PART.findall(name) if part.isascii()]
    reasons = (_explain_part(before.lower(), part, limits) for before, part in pairwise(["", *parts]))
    return next(filter(None, reasons), "")


def _explain_part(before: str, part: str, limits: GeneratedNames) -> str:
    """The same of one part. before: the part before it, in lower case."""
    n_digits = max(map(len, _DIGITS.findall(part)), default=0)
    pieces = _PIECE.findall(part)
    if n_digits > limits.max_digits:
        return f"a number of {n_digits} digits"
    if len(part) >= limits.min_chars and len(_SWITCH.findall(part)) >= limits.switches:
        return "letters and digits mixed"
    if len(part) >= max(limits.vowelless, limits.min_chars) and not part.isdigit() and not _VOWEL.search(part):
        return "no vowel"
    if len(pieces) >= limits.pieces and sum(map(len, pieces)) <= limits.piece_chars * len(pieces):
        return "capitals at random"
    if before in limits.prefixes and _UNLIKE_A_WORD.search(part):
        return f"no word after {before!r}"
    return ""
