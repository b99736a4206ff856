"""What learning prints and writes, kept in `learnt/`: compared word by word, numbers with a tolerance.

`WRITE_LEARNT=1 pytest tests/laboratory/test_commands.py` writes the files anew after a change that is meant; the diff
is what a reviewer reads.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

KEPT = Path(__file__).parent / "learnt"
TOLERANCE = 0.02
"""Of numbers, relative and absolute: libraries of linear algebra differ in the last digits."""
_NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?![\w.])")


def find_changes(name: str, text: str, *folders: Path) -> list[str]:
    """Lines that are not as kept. folders: of this run, which are written as `DIR`."""
    for folder in folders:
        text = text.replace(str(folder), "DIR")
    path = KEPT / name
    if os.environ.get("WRITE_LEARNT"):
        path.write_text(text, encoding="utf-8")
    now, before = text.splitlines(), path.read_text(encoding="utf-8").splitlines()
    changed = [f"{old!r} -> {new!r}" for old, new in zip(before, now, strict=False) if not _is_same(old, new)]
    return changed + [f"{len(before)} lines -> {len(now)}"] * (len(before) != len(now))


def _is_same(old: str, new: str) -> bool:
    numbers = [[float(number) for number in _NUMBER.findall(line)] for line in (old, new)]
    words = [list(_split(line)) for line in (old, new)]
    return words[0] == words[1] and numbers[0] == pytest.approx(numbers[1], rel=TOLERANCE, abs=TOLERANCE)


def _split(line: str) -> Iterator[str]:
    return (" ".join(part.split()) for part in _NUMBER.split(line))
