"""Control characters that a page may not pass on: to a text, a field, a URL or a terminal.

Escape sequences (ESC, the C1 controls of ECMA-48) move the cursor of a terminal, set its title and more. Embeddings,
overrides and isolates of the bidirectional algorithm (UAX 9, 2) show text in another order than it is written in, also
text that follows them ("Trojan Source", CVE-2021-42574). The marks LRM, RLM and ALM only say the direction of the place
where they stand; right-to-left texts need them, so they stay.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

_WHITE: Final = "\x0b\x0c\x1c\x1d\x1e\x1f\x85"
"""Controls that separate words: `str.split` takes them for white space."""
_CONTROLS: Final = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
_FOUND: Final = re.compile(f"[{_CONTROLS}]")
# UTF-8 that was taken for ISO 8859-1: its controls are parts of characters, and none of windows-1252
_TWICE: Final = "[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
_READ: Final = re.compile(f"{_TWICE}|[{_CONTROLS}]")
_RUNS: Final = re.compile(f"[{_CONTROLS}]+")


def drop_controls(text: str) -> str:
    """Text without control characters, apart from tab and line breaks; those that separate words become a space."""
    return _READ.sub(_replace, text) if _FOUND.search(text) else text


def escape_controls(url: str) -> str:
    """A URL with its control characters percent-encoded, as a browser does (WHATWG URL, C0 control percent-encode)."""
    return _RUNS.sub(lambda found: quote(found[0]), url) if _FOUND.search(url) else url


def clean_line(text: str | None) -> str:
    """Text of an attribute on one line: white space normalised, without control characters."""
    line = " ".join(text.split()) if text else ""
    # most lines have printable characters alone, of which no control is one: quicker to ask than the expression
    return line if line.isprintable() else " ".join(drop_controls(line).split())


def drop_controls_of_all(texts: list[str], found: list[int]) -> list[str]:
    """`drop_controls` for the text nodes of some numbers, a space where nothing is left; the same list for none."""
    if not found:
        return texts
    cleaned = list(texts)
    for number in found:
        # blank and not empty: blocks are found by where their texts begin, and these must stay apart
        cleaned[number] = drop_controls(texts[number]) or " "
    return cleaned


_WINDOWS: Final = {
    control: written
    for control in map(chr, range(0x80, 0xA0))
    if control not in _WHITE and (written := control.encode("latin-1").decode("cp1252", "ignore"))
}
"""C1 controls -> what the byte of that number is in windows-1252. Text of that encoding that was taken for ISO 8859-1
on its way to UTF-8 holds them for quotes and dashes, `Afghanistan\\x92s`, and browsers read numeric references to them
so (HTML 13.2.5.84). U+0085 stays the line break that it is elsewhere."""


def _replace(found: re.Match[str]) -> str:
    if len(found[0]) > 1:
        return _FOUND.sub("", found[0])
    return _WINDOWS.get(found[0]) or (" " if found[0] in _WHITE else "")
