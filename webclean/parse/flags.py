"""What the scan of a tree must know of the names of elements."""

from __future__ import annotations

from typing import Final

from webclean import core
from webclean.parse.tags import BLOCK, CODE, INVISIBLE, RAW_TEXT

_NAMES: Final = {
    "void": "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
    "raw": "script style xmp iframe noembed noframes noscript",
    "skipped": " ".join(RAW_TEXT),
    "foreign": "svg math",
    "point": "foreignObject desc title mi mo mn ms mtext",
    "unknown": "plaintext annotation-xml",
    "block": " ".join(name for name, code in CODE.items() if BLOCK[code]),
    "invisible": " ".join(name for name, code in CODE.items() if INVISIBLE[code]),
    "anchor": "a",
    "padded": "pre textarea listing",
}
"""Flag of `core.SCAN_FLAGS` -> the names that have it. void and raw: HTML 13.3, serialising with scripting on."""


def _build_flags() -> dict[str, int]:
    flags: dict[str, int] = {}
    for flag, names in _NAMES.items():
        for name in names.split():
            flags[name] = flags.get(name, 0) | core.SCAN_FLAGS[flag]
    return flags


FLAGS: Final = _build_flags()
"""Name of an element -> the sum of its flags."""
