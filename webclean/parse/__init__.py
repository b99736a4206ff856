"""Bytes or text -> `Document` columns (patent A1: parse and repair).

The engine is chosen by name: `fast` (turbohtml, the default) or `html5lib` (the reference). Both follow the
WHATWG tree construction, which repairs omitted, crossed, wrong and misplaced tags.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from webclean.errors import InputError
from webclean.model import Document, Limits, Source
from webclean.parse import fast, reference
from webclean.parse.columns import Walk, build_document, read_attribute, read_attribute_column
from webclean.parse.encoding import decode_bytes

ENGINES: Final[dict[str, Callable[[str], Walk]]] = {"fast": fast.walk_markup, "html5lib": reference.walk_markup}

__all__ = ["ENGINES", "parse_page", "read_attribute", "read_attribute_column"]


def parse_page(
    html: bytes | str,
    *,
    url: str | None = None,
    engine: str = "fast",
    charset: str | None = None,
    limits: Limits | None = None,
) -> Document:
    """Decode, repair and flatten one page.

    Raises `InputError` for an unknown engine, `LimitExceeded` when the page is over a limit.
    """
    if engine not in ENGINES:
        raise InputError(f"unknown parser {engine!r}: one of {', '.join(ENGINES)}")
    source = Source(html, "unicode", "text", len(html)) if isinstance(html, str) else decode_bytes(html, charset)
    return build_document(ENGINES[engine](source.markup), source, engine, url)
