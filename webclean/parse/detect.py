"""Guesses the encoding of bytes and the language of a text with turbohtml, offline."""

from __future__ import annotations

from typing import NamedTuple

import turbohtml.detect


class GuessedEncoding(NamedTuple):
    """encoding: WHATWG name in lower case; language: the one whose letters were recognised; '' if there is none."""

    encoding: str
    language: str


class GuessedLanguage(NamedTuple):
    """code: ISO 639, mostly 639-3; script: Unicode name; both '' if the language is unknown."""

    code: str
    confidence: float
    script: str


def guess_encoding(data: bytes, country: str | None) -> GuessedEncoding:
    """Guess by the structure of UTF-8 and the frequencies of character pairs. country: top-level domain of the page."""
    found = turbohtml.detect.detect(data, turbohtml.detect.Detection(tld=country))
    return GuessedEncoding((found.encoding or "").lower(), found.language or "")


def guess_language(text: str) -> GuessedLanguage:
    """Guess by comparing character trigrams with a profile of each language."""
    found = turbohtml.detect.detect_language(text)
    return GuessedLanguage(found.language or "", float(found.confidence), found.script or "")
