"""Files by name, of this machine or of an object store; and files that are there whole or not at all.

`s3://`, `gs://`, `hf://` and the like are paths of universal_pathlib, which have the methods of `Path`; fsspec and the
library of each store (s3fs, gcsfs, ...) do the rest.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final, cast
from uuid import uuid4

_STORED: Final = "://"


def find_path(name: str | Path) -> Path:
    """The path of a name. What other processes write to an object store is seen at once, for nothing is remembered.

    Raises `OSError` where the library of the store is missing.
    """
    if not is_stored(name):
        return Path(name)
    try:
        from upath import UPath  # noqa: PLC0415  an extra

        path = UPath(name, use_listings_cache=False)
        path.fs  # noqa: B018  made when it is first asked for
    except (ImportError, ValueError) as error:
        scheme = str(name).partition(_STORED)[0]
        raise OSError(f'{name}: {error}; {scheme}:// needs pip install "webclean[stores]", or its library') from error
    return cast("Path", path)


def is_stored(name: str | Path) -> bool:
    """Whether this is in an object store. Addresses of the web are none."""
    scheme, colon, _ = str(name).partition(_STORED)
    return bool(colon) and scheme.isalnum() and scheme not in ("http", "https")


TEMPORARY: Final = ".webclean-part"
"""Ending of files that are being written; one that is found later was left by a process that was killed."""


@contextmanager
def write_whole(path: Path, mode: str = "wb", **options: Any) -> Iterator[IO[Any]]:
    """A file that gets its name when all of it is written and stored, and is gone if an error comes before that.

    Missing folders above it are made. What is no regular file (a pipe, /dev/null) is written as it is. Raises `OSError`
    with the name of the file, also when the disk is full.
    """
    if is_stored(path):
        with _write_stored(path, mode, options) as file:
            yield file
        return
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


@contextmanager
def _write_stored(path: Any, mode: str, options: dict[str, Any]) -> Iterator[IO[Any]]:
    """An object of a store is there when it is committed; where a store knows no commit (hf://), when it is closed."""
    file = path.fs.open(path.path, "wb", **({"autocommit": False} if _knows_commit(path.fs) else {}))
    try:
        if "b" in mode:
            yield file
        else:
            text = io.TextIOWrapper(file, **options)
            yield text
            text.detach()  # which writes what is left, and leaves the file open
        file.close()
    except BaseException:
        # closing would store the half of it where there is no commit, and so would the garbage collector
        file.closed = True
        with contextlib.suppress(Exception):
            file.discard()
        raise
    file.commit()


def _knows_commit(store: Any) -> bool:
    # to try it would leave an open file, which is stored when it is collected
    try:
        store.transaction  # noqa: B018
    except NotImplementedError:
        return False
    return True
