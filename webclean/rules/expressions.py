"""Regular expressions of Python in rules: refused where matching could take more than polynomial time.

Most expressions of rules are those of RE2, which is linear. Those of the fields need lookaround and words in every
script, which RE2 lacks; they are held to a form in which backtracking is bounded: what is repeated without bound holds
neither a repetition without bound nor a choice, and nothing refers back.
"""

from __future__ import annotations

import re
from typing import Final

MANY: Final = 20
"""A repetition that may go on for longer counts as one without bound."""
_PART: Final = re.compile(
    r"(?P<escape>\\.)|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])|(?P<backward>\(\?P=)|(?P<open>\()|(?P<close>\))|(?P<choice>\|)"
    r"|(?P<repeat>[*+?]|\{(?:\d+(?:,\d*)?|,\d+)\})|(?P<other>.)",
    re.DOTALL,
)


def find_expression_fault(pattern: str) -> str:
    """Why an expression is not used; '' for one that is fine."""
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
