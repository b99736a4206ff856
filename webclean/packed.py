"""Bytes and files packed by gzip (RFC 1952) or Zstandard (RFC 8878), unpacked in one place.

A few kilobytes can unpack to gigabytes, so never more is unpacked than is asked for. Whatever is wrong with packed
data, reading it raises `OSError` and nothing else: the libraries have four errors for it.
"""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final, cast

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
    form = "gzip" if data.startswith(GZIP) else "Zstandard" if data.startswith(ZSTANDARD) else ""
    if not form:
        return data
    parts: list[bytes] = []
    # one byte more than allowed tells that there is more: a bomb of gigabytes is unpacked no further
    left = maximum + 1
    # what came before the damage is read: half a page is worth more than none
    with suppress(OSError):
        file = _Unpacked(io.BytesIO(data), form)
        while left and (part := file.read(min(left, _CHUNK))):
            parts.append(part)
            left -= len(part)
    return b"".join(parts) or data


def open_unpacked(path: Path) -> IO[bytes]:
    """A file, unpacked by its ending. Opening and reading raise `OSError`."""
    file = path.open("rb")
    form = _ENDINGS.get(path.suffix.lower())
    return cast("IO[bytes]", io.BufferedReader(_Unpacked(file, form), _CHUNK)) if form else file


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
