"""Bytes that were read in a Western encoding -> the one in which their letters are those of the language.

The language of a text in Latin letters shows in its ASCII letters alone, in whatever encoding it is read; and each
language has few letters beyond ASCII. So the right encoding is the one in which these bytes are those letters:

    "A foly\xf3 hossz\xfa h\xeddja \xf5rzi"       Hungarian, by its ASCII letters
    windows-1252   ó ú í õ                       three of four are Hungarian
    windows-1250   ó ú í ő                       all of them are

The alphabets are the exemplar characters of the Unicode CLDR (https://cldr.unicode.org), main and auxiliary of old
orthography.
"""

from __future__ import annotations

import re
from typing import Final

from webclean.parse.detect import guess_language

MIN_LETTERS: Final = 8
"""Letters beyond ASCII that are needed to decide."""
MIN_SHARE: Final = 0.95
"""Smallest share of the letters that must be in the alphabet of the language."""
MIN_GAIN: Final = 0.15
"""By how much the share must be larger than in the encoding that was found first."""
_MAX_CHARS: Final = 20_000

_ALPHABETS: Final = {
    "ces": "áčďéěíňóřšťúůýž", "dan": "æøåé", "deu": "äöüß", "epo": "ĉĝĥĵŝŭ", "est": "äõöüšž", "fin": "äöåšž",
    "fra": "àâæçéèêëîïôœùûüÿ", "hrv": "čćđšž", "hun": "áéíóöőúüű", "ita": "àéèìíîóòùú", "lav": "āčēģīķļņšūžŗō",
    "lit": "ąčęėįšųūž", "nld": "áäéëíïóöúü", "nob": "æøåàéóòâ", "pol": "ąćęłńóśźż", "por": "áâãàçéêíóôõúü",
    "ron": "ăâîșțşţ", "slk": "áäčďéíĺľňóôŕšťúýž", "slv": "čšž", "spa": "áéíñóúü", "swe": "äåöé", "tur": "âçğıîöşüû",
}  # fmt: skip
"""Language -> its lower-case letters beyond ASCII."""
_LETTERS: Final = {code: frozenset(letters + letters.upper() + "İ") for code, letters in _ALPHABETS.items()}
_CANDIDATES: Final = (
    "windows-1252", "windows-1250", "iso-8859-2", "windows-1257", "iso-8859-4", "windows-1254", "iso-8859-3",
    "iso-8859-16", "iso-8859-13", "macintosh",
)  # fmt: skip
"""Encodings of Latin letters; of equally good ones the first is taken."""
_COMMON_SIGNS: Final = str.maketrans("", "", "\u00a0«»‹›„“”‚‘’–—…©®™°§·•€£´")
_SCRIPTS: Final = re.compile(r"(?is)<(script|style)\b.*?</\1|<[^>]*>|&\w+;")
_ASCII: Final = bytes(range(0x80))


def is_latin(encoding: str) -> bool:
    """Whether an encoding is one of those that are told apart here."""
    return encoding in _CANDIDATES


def find_by_alphabet(data: bytes, text: str, encoding: str) -> str | None:
    """The encoding in which the letters are those of the language; None if the given one is as good.

    Args:
        data: a page.
        text: the page as read in `encoding`.
        encoding: one of those that `is_latin` accepts.
    """
    if len(data) - len(data.translate(None, bytes(range(0x80, 0x100)))) < MIN_LETTERS:
        return None
    shown = _SCRIPTS.sub(" ", text[:_MAX_CHARS])
    alphabet = _LETTERS.get(guess_language(shown).code)
    if alphabet is None:
        return None
    high = data.translate(None, _ASCII)
    shares = {name: _measure(high.decode(f"whatwg-{name}"), alphabet) for name in _CANDIDATES}
    best = max(shares, key=lambda name: shares[name])
    return best if shares[best] >= max(MIN_SHARE, shares[encoding] + MIN_GAIN) else None


def _measure(text: str, alphabet: frozenset[str]) -> float:
    """Share of the letters, and of signs that texts hardly have, that are in an alphabet; 0 for too few of them."""
    letters = text.translate(_COMMON_SIGNS)
    if len(letters) < MIN_LETTERS:
        return 0.0
    return sum(sign in alphabet for sign in letters) / len(letters)
