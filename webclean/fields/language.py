"""Language: as declared by the page, else detected in its text (trigram profiles, offline)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import compress
from typing import Final

import numpy as np

from webclean.model import Document, FieldValue, TextBlocks
from webclean.parse import read_attribute
from webclean.parse.encoding import guess_language
from webclean.parse.tags import CODE, tag_mask
from webclean.storage import read_table

SAMPLE_CHARS: Final = 2_000
"""More text makes the detection no surer, and it takes as long as the text is."""
_CODE: Final = re.compile(r"([A-Za-z]{2,3})(?:[-_]([A-Za-z0-9]{2,8}))?(?:[-_][A-Za-z0-9]+)*\Z")
_META_KEYS: Final = ("content-language", "language", "dc.language", "dcterms.language", "og:locale", "inlanguage")
_ROOT: Final = tag_mask("html body")
_HEAD_ROWS: Final = 50
"""Elements among which `html` and `body` are: the latter stands behind the elements of the head."""
_MIN_BYTES: Final = 40
"""Less is a name or a menu, of which trigrams tell nothing; in UTF-8, for the script alone tells much."""
_FIRST_NOT_LATIN: Final = 0x370  # Greek and what follows; combining marks and Latin letters stand before
_PUNCTUATION: Final = (0x1E00, 0x2C60)  # Latin Extended Additional, punctuation, symbols
_MIN_SHARE_OF_OTHER: Final = 0.2
"""Of the characters: an English page with a Chinese name or two is English."""
_TABLES: Final[dict[str, str]] = read_table(__file__, "languages.toml")
_SHORT: Final = dict(pair.split(":") for pair in _TABLES["short"].split())
_LATIN_LANGUAGES: Final = frozenset(_TABLES["latin"].split())
_NO_LANGUAGE: Final = frozenset(_TABLES["none"].split())


def detect_language(document: Document, blocks: TextBlocks) -> FieldValue:
    """BCP 47 tag of the page: `lang` of html or body, a meta element, else detection on the first 2,000 characters.

    The declaration is ignored if another language is detected with certainty and its script is not the one of the
    declared language: pages made from a template often keep its `lang="en"`.
    """
    declared, source = find_declared(document)
    sample = sample_text(blocks)
    # most pages end here, without a detection
    if declared and not (declared.partition("-")[0] in _LATIN_LANGUAGES and _is_mostly_other(sample)):
        return FieldValue(declared, source, 0.95)
    detected, confidence, script = detect_text(sample)
    # a template's `lang` may be wrong by script; between two languages of one script people know better than trigrams
    if declared and (not detected or script in ("", "Latin")):
        return FieldValue(declared, source, 0.7)
    if detected:
        return FieldValue(detected, "text", confidence, ((declared, source),) if declared else ())
    return FieldValue(None)


def may_not_be_latin(document: Document, blocks: TextBlocks) -> bool:
    """Whether the page may be in a language of other letters: it declares one, or its text is in such. Asked where the
    detection of a language would take longer than all that depends on it."""
    declared = find_declared(document)[0].partition("-")[0]
    return (bool(declared) and declared not in _LATIN_LANGUAGES) or _is_mostly_other(sample_text(blocks))


def find_declared(document: Document) -> tuple[str, str]:
    """(tag, where it is declared), or empty strings."""
    for row in _ROOT[document.tag[:_HEAD_ROWS]].nonzero()[0].tolist():
        for key in ("lang", "xml:lang"):
            if tag := normalise_tag(read_attribute(document, row, key) or ""):
                return tag, f"{document.names[row]} {key}"
    found: dict[str, str] = {}
    for row in (document.tag == CODE["meta"]).nonzero()[0].tolist():
        for key in ("name", "property", "http-equiv", "itemprop"):
            name = (read_attribute(document, row, key) or "").lower()
            if name in _META_KEYS:
                found.setdefault(name, normalise_tag(read_attribute(document, row, "content") or ""))
    for name in _META_KEYS:
        if found.get(name):
            return found[name], f"meta {name}"
    return "", ""


def normalise_tag(text: str) -> str:
    """`EN_us` -> `en-US`; '' if the text is not a language tag."""
    found = _CODE.match(text.partition(",")[0].strip())
    if not found or found[1].lower() in _NO_LANGUAGE:
        return ""
    region = found[2] or ""
    region = region.upper() if len(region) == 2 else region.title() if len(region) == 4 else ""
    return f"{found[1].lower()}-{region}" if region else found[1].lower()


def sample_text(blocks: TextBlocks) -> str:
    """The first 2,000 characters of blocks that are not mostly links, of all blocks when those are too short."""
    sample = _join_first(compress(blocks.text, (blocks.n_link_chars * 2 <= blocks.n_chars).tolist()))
    # a page of links alone is still in a language
    return sample if len(sample) >= SAMPLE_CHARS // 10 else _join_first(blocks.text)


def _join_first(texts: Iterable[str]) -> str:
    """The first 2,000 characters of some texts, of which no more are read than have them."""
    first, n_chars = [], 0
    for text in texts:
        first.append(text)
        n_chars += len(text)
        if n_chars >= SAMPLE_CHARS:
            break
    return " ".join(first)[:SAMPLE_CHARS]


def detect_text(text: str) -> tuple[str, float, str]:
    """(ISO 639 code, confidence, script), empty for too little text."""
    if len(text.encode("utf-8", "replace")) < _MIN_BYTES:
        return "", 0.0, ""
    code, confidence, script = guess_language(text)
    return _SHORT.get(code, code), confidence, script


def _is_mostly_other(text: str) -> bool:
    """Whether most characters above ASCII's are in scripts other than the Latin, and many are: cheap to ask."""
    if text.isascii() or len(text.encode("utf-8", "replace")) - len(text) <= _MIN_SHARE_OF_OTHER * len(text):
        return False  # each of them takes at least one byte more in UTF-8
    codes = np.frombuffer(text.encode("utf-16-le", "replace"), dtype=np.uint16)
    other = (codes >= _FIRST_NOT_LATIN) & ((codes < _PUNCTUATION[0]) | (codes >= _PUNCTUATION[1]))
    return bool(other.sum() > _MIN_SHARE_OF_OTHER * len(codes))
