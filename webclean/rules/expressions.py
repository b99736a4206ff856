"""Rejects Python regular expressions in rules whose matching could take exponential time.

Most expressions in rules are matched by RE2 in linear time. Those of fields need lookaround and words in every script,
which RE2 does not support. They must have a form in which backtracking is bounded: an unbounded repetition contains
neither another unbounded repetition nor a choice (`(a+)+` and `(a|aa)*` are rejected), and there are no references.
"""

from __future__ import annotations

import re
from typing import Final

MANY: Final = 20
"""A repetition that may be longer counts as unbounded."""
_PART: Final = re.compile(
    r"(?P<escape>\\.)|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])|(?P<backward>\(\?P=)|(?P<open>\()|(?P<close>\))|(?P<choice>\|)"
    r"|(?P<repeat>[*+?]|\{(?:\d+(?:,\d*)?|,\d+)\})|(?P<other>.)",
    re.DOTALL,
)


def find_expression_fault(pattern: str) -> str:
    """Why an expression is rejected; '' if it is accepted."""
    try:
        re.compile(pattern)
    except re.error as error:
        return f"not a regular expression: {pattern!r} ({error})"
    held = [False]  # of each open group: whether it holds a repetition or a choice
    last = False  # whether what stands right before does
    for part in _PART.finditer(pattern):
        kind = part.lastgroup
        if kind == "backward" or (kind == "escape" and part[0][1] in "123456789"):
            return f"refers back, which may take for ever: {pattern!r}"
        if kind == "repeat" and _is_many(part[0]):
            if last:
                return f"repeats a group that holds a repetition or a choice, which may take for ever: {pattern!r}"
            held[-1] = True
        elif kind == "choice":
            held[-1] = True
        elif kind == "open":
            held.append(False)
        last = held.pop() if kind == "close" else False
        held[-1] |= last
    return ""


def _is_many(repeat: str) -> bool:
    if repeat in "*+?":
        return repeat != "?"
    low, comma, high = repeat[1:-1].partition(",")
    return int(high) > MANY if high else bool(comma) or int(low) > MANY
