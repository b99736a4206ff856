"""What repeats in a group of pages: texts, and the places where automatic cleaning always decides the same way.

Texts are counted by lossy counting (Manku & Motwani, VLDB 2002): after every 1/error pages, whatever was found on at
most one page in 1/error is forgotten. With error = 0.01, a text that was found once in the first 100 pages is forgotten
after them. So memory grows with what repeats, not with the number of pages; a count is too low by at most error *
pages, and exact up to 1/error pages.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from webclean.model import Mask
from webclean.rules.sites_schema import Sites
from webclean.sites.profile import PageProfile

_LONG: Final = "\x00"


@dataclass(slots=True)
class TextCount:
    """Pages with a text, pages with it that may have been forgotten, and its number of words."""

    n_pages: int = 0
    missed: int = 0
    n_words: int = 0


@dataclass(slots=True)
class PlaceCount:
    """A place: pages with it, pages that may be forgotten, pages that keep most of it; its words, kept and repeated.

    n_repeated: words of texts that had been on an earlier page. n_later: words on pages after the first one of the
    group, which are those that could repeat.
    """

    n_pages: int = 0
    missed: int = 0
    n_kept_pages: int = 0
    n_words: int = 0
    n_kept: int = 0
    n_later: int = 0
    n_repeated: int = 0


@dataclass(slots=True)
class SiteRepeats:
    """Counts of one group of pages. Texts over `max_chars` characters are held as a digest."""

    max_chars: int
    window: int
    n_pages: int = 0
    texts: dict[str, TextCount] = field(default_factory=dict)
    places: dict[str, PlaceCount] = field(default_factory=dict)

    def add(self, page: PageProfile) -> None:
        """Count the texts and places of one page."""
        missed = self.n_pages // self.window
        keys = [shorten_text(text, self.max_chars) for text in page.texts]
        known = [key in self.texts for key in keys]
        self._count_places(page, known, missed)
        for key, n_words in dict(zip(keys, page.n_words.tolist(), strict=True)).items():
            self.texts.setdefault(key, TextCount(missed=missed, n_words=n_words)).n_pages += 1
        self.n_pages += 1

    def find_core(self, page: PageProfile, rules: Sites) -> Mask:
        """bool [n_blocks]: kept text that varies, at places that (nearly) every page of the group has.

        Comments and related articles are on some pages only. If nothing is left, it is all kept text. A place may be
        missing on `core_misses` pages more than `core_share` allows: few pages prove nothing.
        """
        least = rules.core_share * self.n_pages - rules.core_misses
        often = max(2.0, rules.texts.share * self.n_pages)
        everywhere = {
            place
            for place in set(page.places)
            if (count := self.places[place]).n_pages + count.missed >= least
            and not _repeats(count, rules.places.repeated_share)
        }
        core = np.array(
            [
                place in everywhere and self.texts[shorten_text(text, self.max_chars)].n_pages < often
                for place, text in zip(page.places, page.texts, strict=True)
            ],
            dtype=bool,
        )
        core &= page.kept
        return core if core.any() else page.kept

    def _count_places(self, page: PageProfile, known: list[bool], missed: int) -> None:
        own: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        for place, n_words, kept, repeated in zip(
            page.places, page.n_words.tolist(), page.kept.tolist(), known, strict=True
        ):
            row = own[place]
            row[0] += n_words
            row[1] += n_words * kept
            row[2] += n_words * repeated
        for place, (n_words, n_kept, n_repeated) in own.items():
            count = self.places.setdefault(place, PlaceCount(missed=missed))
            count.n_pages += 1
            count.n_kept_pages += 2 * n_kept > n_words
            count.n_words += n_words
            count.n_kept += n_kept
            if self.n_pages:
                count.n_later += n_words
                count.n_repeated += n_repeated

    def forget(self) -> None:
        """Drop what is rare, once in `window` pages; after the last page has been asked about."""
        if self.n_pages % self.window:
            return
        passed = self.n_pages // self.window
        self.texts = {key: count for key, count in self.texts.items() if count.n_pages + count.missed > passed}
        self.places = {key: count for key, count in self.places.items() if count.n_pages + count.missed > passed}


def shorten_text(text: str, max_chars: int) -> str:
    """The text, or a digest of a long one."""
    return (
        text
        if len(text) <= max_chars
        else _LONG + hashlib.blake2b(text.encode(errors="replace"), digest_size=12).hexdigest()
    )


def is_digest(key: str) -> bool:
    """Whether a key of `texts` is the digest of a long text."""
    return key.startswith(_LONG)


def _repeats(count: PlaceCount, share: float) -> bool:
    return bool(count.n_later) and count.n_repeated >= share * count.n_later
