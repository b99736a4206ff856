"""Many short strings and a few words -> which strings hold one: one search of the joined text for each word."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate


def find_hinting(lines: Sequence[str], hints: Sequence[str]) -> list[int]:
    """Indices of the strings that hold any of the lower-case words, in order."""
    lowered = [line.lower() for line in lines]
    joined = "\n".join(lowered)
    ends = list(accumulate(len(line) + 1 for line in lowered))
    found: set[int] = set()
    for hint in hints:
        at = joined.find(hint)
        while at >= 0:
            line = bisect_right(ends, at)
            found.add(line)
            at = joined.find(hint, ends[line])
    return sorted(found)
