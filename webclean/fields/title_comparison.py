"""Texts of titles: their letters without case and accents, and their parts; how alike a candidate and what the page
states of itself are, and whether it names the site."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from unicodedata import normalize

from rapidfuzz.distance import Indel

_LEAST_INITIALS: Final = 3
"""Two letters are the initials of too much: `US` of `Uncommon Sense`."""
_LEAST_NAME: Final = 4
"""Letters of a name, or of a part of one, that says which site is meant: shorter ones are in many by chance."""
_LEAST_PART: Final = 0.4
"""Of a name: a smaller part of it may be what the page is about."""
_LONG_WORD: Final = re.compile(r"[^ ]{3,}")
"""The slug is searched as one run of letters: words as short as `a` or `of` occur in nearly any, across its words."""
_UNSPACED: Final = re.compile("[\u2e80-\U0010ffff]")
"""Characters of scripts without spaces: CJK radicals, kana, ideographs, Hangul; and signs."""
_SIGN: Final = re.compile(r"[^\w\s]|_")
"""What is in no word."""
# Letters that Unicode does not decompose into a letter and an accent, and the i of Turkish with and without its dot.
_STROKES: Final = str.maketrans("łŁøØđĐıİ", "lLoOdDii")
_LOWER: Final = bytes(range(256)).lower()
_SIGNS: Final = bytes(code for code in range(128) if not chr(code).isalnum() and not chr(code).isspace())
"""The same in ASCII; white space parts words and stays."""
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
"""Combining marks of Latin, Greek and Cyrillic; those of kana are different characters."""
# Each part adds up to three candidates (the run before it, the run from it on, itself), which are all compared.
_MAX_PARTS: Final = 6


@lru_cache(maxsize=1024)
def fold_words(text: str) -> tuple[str, ...]:
    """The letters and digits of each word, case folded and without accents; a word without any is left out."""
    # most titles are ASCII, of which all words are folded in three calls; pages have dozens of candidates
    if text.isascii():
        return tuple(text.encode().translate(_LOWER, _SIGNS).decode().split())
    # Hangul and kana stay as they are
    text = normalize("NFC", _ACCENTS.sub("", normalize("NFD", text.translate(_STROKES))))
    return tuple(_SIGN.sub("", text).casefold().split())


@lru_cache(maxsize=1024)
def fold_text(text: str) -> str:
    """Letters and digits, case folded: equal for all spellings of one title."""
    return "".join(fold_words(text))


@lru_cache(maxsize=64)
def split_title(title: str, separators: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Spans of the parts between separators, at most the first six."""
    spans, start = [], 0
    for found in re.finditer("|".join(f"(?:{pattern})" for pattern in separators), title):
        # an empty part, before the first separator or between two, is none
        if found.start() > start:
            spans.append((start, found.start()))
        start = found.end()
    if start < len(title):
        spans.append((start, len(title)))
    return tuple(spans[:_MAX_PARTS])


def is_site_name(part: str, folded: str, sites: tuple[str, ...]) -> bool:
    """Whether a part of a title is the name of the site, or its initials.

    folded: letters and digits of the part, case folded; sites: those of the names of the site.
    """
    n = len(folded)
    if n == 0 or folded in sites:  # what has neither letters nor digits says nothing else either
        return True
    for site in sites:
        length = len(site)
        # the part is in the name (`Guardian`, theguardian.com), or the name in the part (`BBC News`)
        if n < length:
            if n >= _LEAST_NAME and n >= _LEAST_PART * length and folded in site:
                return True
        # `REI Co-op` of rei.com: as a word where it has too few letters to be sought in words
        elif length >= _LEAST_PART * n and (
            (length >= _LEAST_NAME and site in folded) or site in part.casefold().split()
        ):
            return True
    # nothing is joined for most parts, whose words are too few for initials, or fewer than the letters of a name
    n_words = part.count(" ") + 1
    if n_words < _LEAST_INITIALS or n_words < min(map(len, sites), default=n_words):
        return False
    return "".join([word[0] for word in part.split() if word[0].isalnum()]).casefold() in sites


def share_in_slug(words: tuple[str, ...], slug: str) -> float:
    """Share of the words of a text, folded, that occur in the slug of an address (its words joined)."""
    long = _LONG_WORD.findall(" ".join(words))
    return sum(map(slug.__contains__, long)) / len(long) if long else 0.0


def count_title_words(text: str) -> int:
    """Words; in scripts without spaces two characters count as one, for most Chinese words have two."""
    n_words = len(text.split())
    if text.isascii():
        return n_words
    return max(n_words, (sum(map(str.isalnum, _UNSPACED.findall(text))) + 1) // 2)


@dataclass(frozen=True, slots=True)
class StatedTitle:
    """What the candidates for the title of a page are compared with.

    title, shared: `<title>` and the first meta title, case folded; folded_title, folded_shared: their letters and
    digits. parts: of `<title>`, case folded, each once. slug: letters and digits of the last part of the address.
    """

    title: str
    shared: str
    folded_title: str
    folded_shared: str
    parts: tuple[str, ...]
    slug: str

    def compare(self, text: str, folded: str, words: tuple[str, ...]) -> dict[str, float]:
        """The features of a candidate that comparing it tells. words: of the text, folded."""
        lower = text.casefold()
        # each text once, and equal ones not at all: similarity is the dearest thing here
        alike = {
            other: 1.0 if lower == other else Indel.normalized_similarity(lower, other)
            for other in (self.title, *self.parts, self.shared)
        }
        found = {
            "title_similarity": alike[self.title],
            "part_similarity": max(map(alike.__getitem__, self.parts), default=0.0),
            "og_similarity": alike[self.shared],
            "n_words": float(count_title_words(text)),
            "n_chars": float(len(text)),
            "slug_share": share_in_slug(words, self.slug) if self.slug else 0.0,
        }
        if folded in self.folded_title:
            found["inside_title"] = 1.0
        if folded in self.folded_shared:
            found["inside_og"] = 1.0
        return found
