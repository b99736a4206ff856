"""Every encoding of the WHATWG standard, declared, wrongly declared and not declared: is the text read?

usage: python benchmarks/encodings_matrix.py [--docs]

A page of some sentences in a language that the encoding is used for is written in it, and read as in `declared`
(`meta`), `http` (the server says it), `as utf-8` and `as windows-1252` (a wrong `meta`), `undeclared`, `country` (not
declared, at an address of the language's country) and `damaged` (not declared, half a character cut out; in UTF-16 a
whole one). A cell has the encoding that was found if the text came out wrong.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import yaml
from harness import DOCS, format_table, make_parser, replace_table

from webclean.parse.encoding import decode_bytes

CODECS: Final = {
    "windows-874": "cp874", "iso-8859-8-i": "iso-8859-8", "x-mac-cyrillic": "mac_cyrillic", "macintosh": "mac_roman",
    "utf-16be": "utf-16-be", "utf-16le": "utf-16-le", "shift_jis": "cp932", "euc-kr": "cp949",
}  # fmt: skip
"""WHATWG name -> name in Python where that is another."""

_MATRIX: Final[dict[str, Any]] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
TEXTS: Final[dict[str, str]] = _MATRIX["texts"]
_COUNTRIES: Final[dict[str, str]] = _MATRIX["countries"]
LANGUAGES: Final[dict[str, list[str]]] = _MATRIX["languages"]
"""WHATWG name -> languages. Without `replacement`, which stands for encodings that are refused, and `x-user-defined`,
which has no letters."""
RIGHT: Final = "✓"
WAYS: Final = ("declared", "http", "as utf-8", "as windows-1252", "undeclared", "country", "damaged")


def write_text(text: str, encoding: str) -> str:
    """The text in the form in which an encoding has its letters, without what it has not at all."""
    text = text.replace("ș", "ş").replace("ț", "ţ") if encoding != "iso-8859-16" else text
    if encoding not in ("utf-8", "utf-16le", "utf-16be", "macintosh") and not encoding.startswith("windows"):
        text = text.replace("’", "'")
    if encoding == "windows-1258":  # tones are combining marks there
        text = "".join(_split_tone(letter) for letter in text)
    return text


def _split_tone(letter: str) -> str:
    marks = [mark for mark in unicodedata.normalize("NFD", letter)[1:] if mark in "\u0300\u0301\u0303\u0309\u0323"]
    if not marks:
        return letter
    rest = "".join(mark for mark in unicodedata.normalize("NFD", letter) if mark not in marks)
    return unicodedata.normalize("NFC", rest) + "".join(marks)


def write_page(text: str, encoding: str, declared: str = "") -> bytes:
    """A page of three paragraphs in an encoding."""
    meta = f"<meta charset={declared}>" if declared else ""
    body = f"<p class=story>{text}</p>" * 3
    page = f"<!doctype html><html><head>{meta}<title>.</title></head><body>{body}</body></html>"
    return page.encode(CODECS.get(encoding, encoding))


def read_way(encoding: str, language: str, way: str) -> str:
    """`RIGHT` for a page that is read as it was written, else the encoding that was found."""
    text = write_text(TEXTS[language], encoding)
    declared = {"declared": encoding, "as utf-8": "utf-8", "as windows-1252": "windows-1252"}.get(way, "")
    data = write_page(text, encoding, declared)
    if way == "damaged":
        half = len(data) // 4 * 2
        is_wide = encoding.startswith("utf-16")
        place = half if is_wide else next((at for at in range(half, len(data)) if data[at] > 0x7F), half)
        data = data[:place] + data[place + 1 + is_wide :]
    country = _COUNTRIES.get(language, "com") if way == "country" else "com"
    source = decode_bytes(data, encoding if way == "http" else None, f"https://example.{country}/")
    n_right = unicodedata.normalize("NFC", source.markup).count(unicodedata.normalize("NFC", text))
    return RIGHT if n_right >= (1 if way == "damaged" else 3) else source.encoding


def write_table() -> str:
    """The table, as Markdown: a row for what is read wrongly in some way, and the number of what is right."""
    rows: list[list[object]] = []
    n_right = dict.fromkeys(WAYS, 0)
    n_all = 0
    for encoding, languages in LANGUAGES.items():
        for language in languages:
            cells = {way: read_way(encoding, language, way) for way in WAYS}
            n_all += 1
            for way, cell in cells.items():
                n_right[way] += cell == RIGHT
            rows += [[encoding, language, *cells.values()]] * any(cell != RIGHT for cell in cells.values())
    rows.append([f"{n_all - len(rows)} others", "", *(RIGHT for _ in WAYS)])
    rows.append(["**right**", f"of {n_all}", *(n_right[way] for way in WAYS)])
    return format_table(("encoding", "language", *WAYS), rows)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--docs", action="store_true", help="write the table into docs/conformance.md")
    options = parser.parse_args(arguments)
    table = write_table()
    print(table)
    if options.docs:
        replace_table(DOCS / "conformance.md", "encodings", table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
