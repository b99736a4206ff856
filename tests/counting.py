"""What a function does, counted: growth is judged by it, which is the same on a machine of any load.

What runs inside compiled code is not counted: `python benchmarks/pathology.py --gate` measures its time.
"""

import sys
from collections.abc import Callable
from types import FrameType


def count_calls(run: Callable[[], object]) -> int:
    """Calls of functions, in Python and C, while a function runs."""
    n_calls = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal n_calls
        n_calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(None)
    return n_calls
