"""The fuzz target guided by coverage: atheris looks for bytes that reach new code of webclean.

usage: python benchmarks/fuzz_coverage.py [CORPUS DIR] [libFuzzer options, such as -max_total_time=600 -max_len=2000]

Each byte of an input names a piece (a tag, a word) of `fuzz_pages.py`; bytes above those stand for themselves. So most
inputs are pages rather than noise, and libFuzzer's small changes are small changes of a page. Needs `pip install
atheris`, which has wheels for some versions of Python only and is therefore in no extra.
"""

from __future__ import annotations

import sys
from typing import Final

import atheris

with atheris.instrument_imports(include=["webclean"]):
    from fuzz_pages import ATTRIBUTES, TAGS, WORDS
    from fuzz_properties import check_page

PIECES: Final = tuple(
    piece.encode("utf-8", "surrogatepass")
    for piece in (*(f"<{tag}>" for tag in TAGS), *(f"</{tag}>" for tag in TAGS[:60]), *WORDS)
)[:224]


def write_page(data: bytes) -> bytes:
    """The page that some bytes stand for. A tag followed by a byte from 224 up gets the attribute of that number."""
    parts: list[bytes] = []
    for byte in data:
        if byte < len(PIECES):
            parts.append(PIECES[byte])
        elif parts and parts[-1].endswith(b">"):
            attribute = ATTRIBUTES[(byte - len(PIECES)) % len(ATTRIBUTES)]
            parts[-1] = parts[-1][:-1] + attribute.encode() + b">"
        else:
            parts.append(bytes((byte,)))
    return b"".join(parts)


def check_input(data: bytes) -> None:
    """The target: what must hold of every page."""
    check_page(write_page(data), number=sum(data))


if __name__ == "__main__":
    atheris.Setup(sys.argv, check_input)
    atheris.Fuzz()
