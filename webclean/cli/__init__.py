"""The command line."""

from __future__ import annotations

import sys


def main() -> int:
    """Clean standard input."""
    from webclean.pipeline import clean

    print(clean(sys.stdin.buffer.read()).text)
    return 0
