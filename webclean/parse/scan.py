"""The serialised tree of an engine -> its columns, by the kernel `scan`."""

from __future__ import annotations

from html import unescape
from typing import Final

from webclean.kernels import ATTRIBUTES, SCAN
from webclean.parse.attributes import TOKEN_LISTS, AttributeTable
from webclean.parse.columns import ParsedColumns, is_read
from webclean.parse.limits import Budget
from webclean.parse.tags import BLOCK, CODE, FALLBACK, INVISIBLE, RAW_TEXT

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
"""Flag of the kernel -> the names that have it. void and raw: HTML 13.3, serialising with scripting on."""


def _build_flags() -> dict[str, int]:
    flags: dict[str, int] = {}
    for flag, names in _NAMES.items():
        for name in names.split():
            flags[name] = flags.get(name, 0) | SCAN.FLAGS[flag]
    return flags


_READ: Final = frozenset(("script", "style"))
_FLAGS: Final = _build_flags() if SCAN else {}


def scan_tree(markup: str, budget: Budget) -> ParsedColumns | None:
    """The columns of a serialised tree; None where the kernel does not know what it means, or it is over a limit."""
    limits = budget.limits
    found = SCAN.scan_markup(markup, _FLAGS, CODE, limits.max_elements, limits.max_depth)
    if found is None:
        return None
    rows, displayed, names, text, places, attributes, keys, contents = found
    if attributes.shape[1] > limits.max_attributes or budget.is_late():
        return None
    table = AttributeTable(ATTRIBUTES.Attributes(markup, keys, attributes, len(names), TOKEN_LISTS))
    raw: dict[int, str] = {}
    fallback: dict[int, str] = {}
    for row, start, stop, is_escaped in contents:
        name = names[row]
        if name in FALLBACK or (name in _READ and is_read(name, table[row])):
            content = markup[start:stop]
            if is_escaped and "<" in content:
                return None  # elements inside a style sheet or script of a picture
            kept = fallback if name in FALLBACK else raw
            kept[row] = unescape(content) if is_escaped else content
    return ParsedColumns(rows, displayed, names, text, places, table, raw, fallback)
