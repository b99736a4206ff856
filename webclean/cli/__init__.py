"""The command line."""

from __future__ import annotations

import sys


def main() -> int:
    """Clean standard input."""
    from webclean.pipeline import clean  # noqa: PLC0415  start-up stays fast

    print(clean(sys.stdin.buffer.read()).text)
    return 0
