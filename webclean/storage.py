"""Files by name, of this machine or of an object store; files that are there whole or not at all; and packed bytes and
files.

`s3://`, `gs://`, `hf://` and the like are paths of universal_pathlib, which have the methods of `Path`; fsspec and the
library of each store (s3fs, gcsfs, ...) do the rest.

Gzip (RFC 1952) and Zstandard (RFC 8878) are unpacked here alone. A few kilobytes can unpack to gigabytes, so never more
is unpacked than is asked for. Whatever is wrong with packed data, reading it raises `OSError` and nothing else: the
libraries have four errors for it.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import shutil
import sys
import tomllib
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
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


def read_table(module: str, name: str) -> Any:
    """The values of a TOML file that stands beside a module (its `__file__`)."""
    return tomllib.loads(Path(module).with_name(name).read_text(encoding="utf-8"))


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
    options_of_store = {"autocommit": False}
    try:
        path.fs.transaction  # noqa: B018  to try it would leave an open file, which is stored when it is collected
    except NotImplementedError:
        options_of_store = {}
    file = path.fs.open(path.path, "wb", **options_of_store)
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


GZIP: Final = b"\x1f\x8b\x08"
ZSTANDARD: Final = b"\x28\xb5\x2f\xfd"
"""The first bytes of packed data, and of each part of it."""
_ENDINGS: Final = {".gz": "gzip", ".zst": "Zstandard"}
# a bomb unpacks to a thousand times its size: never more than this at once
_CHUNK: Final = 65_536
_WINDOW_LOG: Final = 27
"""Of the memory that unpacking may need: 128 MB, as the command `zstd` allows."""


def load_zstandard() -> Any:
    """The library, imported when it is first needed."""
    return import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")


def unpack(data: bytes, maximum: int) -> bytes:
    """The unpacked bytes, or one more than the maximum if there are more; bytes that are not packed as they are.

    Of damaged data, what can be read before the damage; if that is nothing, the data as they are.
    """
    form = _find_form(data)
    if not form:
        return data
    parts: list[bytes] = []
    # one byte more than allowed shows that there is more, so a bomb of gigabytes is unpacked no further
    left = maximum + 1
    # the data before the damage is used: half a page is worth more than none
    with suppress(OSError):
        file = _Unpacked(io.BytesIO(data), form)
        while left and (part := file.read(min(left, _CHUNK))):
            parts.append(part)
            left -= len(part)
    return b"".join(parts) or data


def read_head(name: str | Path, maximum: int) -> bytes:
    """The first bytes of a file, as they are packed. Raises `OSError`."""
    with find_path(name).open("rb") as file:
        return file.read(maximum)


def open_unpacked(path: Path) -> IO[bytes]:
    """A file, unpacked by its ending or its first bytes. Opening and reading raise `OSError`."""
    file = path.open("rb")
    form = _ENDINGS.get(path.suffix.lower())
    if not form and path.is_file():  # what is no file cannot be read twice
        form = _find_form(file.read(max(map(len, (GZIP, ZSTANDARD)))))
        file.seek(0)
    return cast("IO[bytes]", io.BufferedReader(_Unpacked(file, form), _CHUNK)) if form else file


def unpack_stream(file: Any) -> IO[bytes]:
    """A stream that can be looked into (`peek`), such as standard input, unpacked by its first bytes."""
    form = _find_form(file.peek(_CHUNK))
    return cast("IO[bytes]", io.BufferedReader(_Unpacked(file, form), _CHUNK) if form else file)


def _find_form(head: bytes) -> str:
    return "gzip" if head.startswith(GZIP) else "Zstandard" if head.startswith(ZSTANDARD) else ""


def read_unpacked(path: Path, maximum: int = -1) -> bytes:
    """The first bytes of a file, unpacked by its ending; -1: all of them. Raises `OSError`."""
    with open_unpacked(path) as file:
        return file.read(maximum)


def count_read(file: IO[bytes]) -> int:
    """How many bytes of the file on the disk were read, 0 where that is not known."""
    raw: Any = getattr(file, "raw", None)
    try:
        return raw.packed.tell() if isinstance(raw, _Unpacked) else file.tell()
    except (OSError, ValueError):
        return 0


class _Unpacked(io.RawIOBase):
    """What is inside a packed file."""

    def __init__(self, packed: IO[bytes], form: str) -> None:
        self.packed, self._form = packed, form
        if form == "gzip":
            self._file: Any = gzip.GzipFile(fileobj=packed)
            self._errors: tuple[type[Exception], ...] = (EOFError, zlib.error)
        else:
            zstd = load_zstandard()
            options = {zstd.DecompressionParameter.window_log_max: _WINDOW_LOG}
            self._file, self._errors = zstd.ZstdFile(packed, options=options), (EOFError, zstd.ZstdError)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            # not `read`, which loses what stands before damage
            part: bytes = self._file.read1(min(len(buffer), _CHUNK))
        except self._errors as error:
            raise OSError(f"damaged {self._form} data: {error}") from error
        buffer[: len(part)] = part
        return len(part)

    def close(self) -> None:
        if not self.closed:
            self._file.close()
            self.packed.close()
        super().close()
