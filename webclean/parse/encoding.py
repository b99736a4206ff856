"""Bytes -> text (WHATWG Encoding and the sniffing algorithm of HTML 13.2.3).

Order: byte-order mark, the HTTP charset when given, `<meta>`, then detection from the bytes.
"""

from __future__ import annotations

import turbohtml.detect

from webclean.model import Source


def decode_bytes(data: bytes, charset: str | None = None) -> Source:
    """Decode a page's bytes. Never raises: undecodable bytes become U+FFFD."""
    if charset:
        try:
            return Source(data.decode(charset, "replace"), charset.lower(), "http", len(data))
        except LookupError:
            pass
    found = turbohtml.detect.detect(data)
    encoding = found.encoding or "utf-8"
    return Source(data.decode(encoding, "replace"), encoding, "detected", len(data))
