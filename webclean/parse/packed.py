"""Bytes packed by gzip (RFC 1952) or Zstandard (RFC 8878) -> the bytes inside, never more than is asked for.

Web archives and crawlers keep pages packed. A few kilobytes can unpack to gigabytes, so reading stops at the maximum.
"""

from __future__ import annotations

import gzip
import io
import sys
import zlib
from importlib import import_module
from typing import Any, Final

_GZIP: Final = b"\x1f\x8b\x08"
_ZSTANDARD: Final = b"\x28\xb5\x2f\xfd"
_CHUNK: Final = 65_536
_WINDOW_LOG: Final = 27
"""Of the memory that unpacking may need: 128 MB, as the command `zstd` allows."""


def unpack(data: bytes, maximum: int) -> bytes:
    """The unpacked bytes, or one more than the maximum if there are more; bytes that are not packed as they are.

    Of a damaged file, what can be read before the damage; if that is nothing, the file as it is.
    """
    if not data.startswith((_GZIP, _ZSTANDARD)):
        return data
    zstd: Any = import_module("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    packed = io.BytesIO(data)
    parts: list[bytes] = []
    left = maximum + 1
    try:
        options = {zstd.DecompressionParameter.window_log_max: _WINDOW_LOG}
        file = gzip.GzipFile(fileobj=packed) if data.startswith(_GZIP) else zstd.ZstdFile(packed, options=options)
        while left and (part := file.read1(min(left, _CHUNK))):
            parts.append(part)
            left -= len(part)
    except (OSError, EOFError, zlib.error, zstd.ZstdError):
        pass
    return b"".join(parts) or data
