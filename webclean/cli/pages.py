"""A page named on the command line -> `CleanPage`."""

from __future__ import annotations

import sys
from pathlib import Path

from webclean.errors import InputError
from webclean.page import CleanPage


def read_page(name: str, url: str | None) -> CleanPage:
    """Clean a file, or standard input for `-`. Raises `InputError` when it cannot be read."""
    from webclean.pipeline import clean  # noqa: PLC0415  start-up stays fast

    try:
        html = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}") from error
    return clean(html, url=url)
