"""What bytes and texts do not say of themselves, guessed by turbohtml, offline: encoding in bytes, language in text."""

from __future__ import annotations

from typing import NamedTuple

import turbohtml.detect


class GuessedEncoding(NamedTuple):
    """encoding: WHATWG name in lower case, '' for none. language: of the alphabet that it was known by, '' for none."""

    encoding: str
    language: str


class GuessedLanguage(NamedTuple):
    """code: ISO 639, mostly 639-3; script: as Unicode names it; both '' where nothing is told."""

    code: str
    confidence: float
    script: str


def guess_encoding(data: bytes, country: str | None) -> GuessedEncoding:
    """By the structure of UTF-8 and the frequencies of character pairs. country: the top-level domain of the page."""
    found = turbohtml.detect.detect(data, turbohtml.detect.Detection(tld=country))
    return GuessedEncoding((found.encoding or "").lower(), found.language or "")


def guess_language(text: str) -> GuessedLanguage:
    """By profiles of character trigrams."""
    found = turbohtml.detect.detect_language(text)
    return GuessedLanguage(found.language or "", float(found.confidence), found.script or "")
