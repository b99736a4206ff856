"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final
from uuid import uuid4

TEMPORARY: Final = ".webclean-part"
"""Ending of files that are being written; one that is found later was left by a process that was killed."""


@contextmanager
def write_whole(path: Path, mode: str = "wb", **options: Any) -> Iterator[IO[Any]]:
    """A file that gets its name when all of it is written and stored, and is gone if an error comes before that.

    Missing folders above it are made. What is no regular file (a pipe, /dev/null) is written as it is. Raises `OSError`
    with the name of the file, also when the disk is full.
    """
    try:
        with _write_whole(path.resolve(), mode, options) as file:
            yield file
    except OSError as error:
        if error.filename is None or str(error.filename).endswith(TEMPORARY):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise


@contextmanager
def _write_whole(target: Path, mode: str, options: dict[str, Any]) -> Iterator[IO[Any]]:
    if target.exists() and not target.is_file():
        with target.open(mode, **options) as file:
            yield file
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{uuid4().hex[:12]}{TEMPORARY}")
    try:
        with temporary.open(mode, **options) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, temporary)
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
