"""How alike two strings are: the edit distance of inserting and deleting, in bit-parallel form."""

from __future__ import annotations


def count_common(a: str, b: str) -> int:
    """Length of the longest common subsequence (Hyyrö, "Bit-parallel LCS-length computation revisited", 2004)."""
    if not a or not b:
        return 0
    where: dict[str, int] = {}
    for i, char in enumerate(a):
        where[char] = where.get(char, 0) | (1 << i)
    full = (1 << len(a)) - 1
    state = full
    for char in b:
        hit = state & where.get(char, 0)
        state = ((state + hit) | (state - hit)) & full
    return len(a) - state.bit_count()


def measure_similarity(a: str, b: str) -> float:
    """1 - d(a, b) / (len(a) + len(b)), d = insertions and deletions; 0 when one is empty."""
    total = len(a) + len(b)
    return 2 * count_common(a, b) / total if a and b else 0.0
