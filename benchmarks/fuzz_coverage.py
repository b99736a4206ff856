"""The fuzz targets guided by coverage: atheris looks for bytes that reach new code of webclean.

usage: python benchmarks/fuzz_coverage.py [--target NAME] [CORPUS DIR] [libFuzzer options, such as -runs=10000]

Without a target, pages are looked at; --target: those of `fuzz_targets.py`. Each byte of an input for a page names a
piece (a tag, a word) of `fuzz_pages.py`; bytes above those stand for themselves. So most inputs are pages rather than
noise, and small changes are small changes of a page. Needs `pip install atheris`, which has wheels for some versions of
Python only and is therefore in no extra.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Final

import atheris

with atheris.instrument_imports(include=["webclean"]):
    from fuzz_pages import ATTRIBUTES, TAGS, WORDS
    from fuzz_properties import check_page
    from fuzz_targets import TARGETS, list_inputs

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


def main() -> None:
    """Run atheris, which ends at the first finding and keeps it in the working folder."""
    arguments: list[str] = sys.argv
    check: Callable[[bytes], None] = check_input
    if "--target" in arguments:
        at = arguments.index("--target")
        name = arguments[at + 1]
        check, arguments = TARGETS[name].check, [*arguments[:at], *arguments[at + 2 :]]
        folder = Path(tempfile.mkdtemp(prefix=f"webclean-{name}-"))
        for number, data in enumerate(islice(list_inputs(name, 1), 200)):
            (folder / str(number)).write_bytes(data)
        arguments.append(str(folder))
    atheris.Setup(arguments, check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
