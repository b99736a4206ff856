"""Pages that harm the process which cleans them: a real worker that meets their marks raises, crashes, hangs or eats.

In a file of its own, since workers load it.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import checkout  # noqa: F401  webclean of this clone

from webclean.batch.work import Chunk, CleanChunk, Tables

MARK: Final = b"<!-- poison: "


def _hang() -> None:
    while True:
        pass


HARM: Final[dict[str, Callable[[], Any]]] = {
    "raise": lambda: dict[str, object]()["no such key"],
    "segfault": lambda: ctypes.string_at(0),
    "exit": lambda: os._exit(3),
    "hang": _hang,
    "eat": lambda: [bytes(10**8) for _ in range(1000)],
}
KINDS: Final = {"raise": "raised", "segfault": "crash", "exit": "crash", "hang": "timeout", "eat": "memory"}


def poison(name: str) -> bytes:
    """A page that does harm."""
    return b"<h1>Peas</h1>" + MARK + name.encode() + b" -->"


@dataclass(frozen=True)
class PoisonedClean:
    """Cleans chunks, and lets poisoned pages do what they are made for."""

    clean: CleanChunk

    def __call__(self, chunk: Chunk) -> Tables:
        for html in chunk.table.column("html").to_pylist():
            start = html.find(MARK)
            if start >= 0:
                HARM[html[start + len(MARK) :].split()[0].decode()]()
        return self.clean(chunk)
