"""Standard output and standard error of a command: UTF-8, closed or not, without what controls a terminal."""

from __future__ import annotations

import errno
import io
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

_PLAIN: Final = re.compile(r"[\t\n\r -~]*")
"""Text that no control character can be in."""


class CleanStream:
    """A text stream that leaves out control characters: file names, addresses and class names may hold some.

    Whatever else is asked of it is that of the stream below.
    """

    def __init__(self, stream: Any) -> None:
        self._stream: Final = stream

    def write(self, text: str) -> int:
        """Write the text without control characters, but with tabs and line ends."""
        if not _PLAIN.fullmatch(text):
            from webclean.parse.controls import drop_controls  # noqa: PLC0415  imports much that `--help` does not need

            text = drop_controls(text)
        return int(self._stream.write(text))

    def writelines(self, lines: Any) -> None:
        """Write each of the lines."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class ClosedStream(io.TextIOBase):
    """In place of a standard output that the caller closed (`>&-`): whatever is written is an error."""

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard output")


@contextmanager
def guard_streams() -> Iterator[None]:
    """Replace standard output and standard error for a command."""
    out, err = sys.stdout, sys.stderr
    if isinstance(out, io.TextIOWrapper):
        out.reconfigure(encoding="utf-8", errors="replace")
    clean_out: Any = ClosedStream() if out is None else CleanStream(out)
    clean_err: Any = io.StringIO() if err is None else CleanStream(err)  # messages that nobody reads
    sys.stdout, sys.stderr = clean_out, clean_err
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err
