"""Candidates for a title: how alike they are to what the page states, and which of them name its site.

Enters: candidates, what the page states (`TitleGuide`). Leaves: features of each candidate. Keep: all texts compared
are case folded by the caller, who needs them so for more than this. Tested by `tests/core/test_statements.py`
(`TitleGuide`), `tests/fields/test_title.py`.
"""

from __future__ import annotations

from typing import Any

import cython

LEAST_INITIALS = cython.declare(cython.Py_ssize_t, 3)
"""Two letters are the initials of too much: `US` of `Uncommon Sense`."""
LEAST_NAME = cython.declare(cython.Py_ssize_t, 4)
"""Letters of a name, or of a part of one, that says which site is meant: shorter ones are in many by chance."""
LEAST_PART = cython.declare(cython.double, 0.4)
"""Of a name: a smaller part of it may be what the page is about."""
MOST_SHORT_WORD = cython.declare(cython.Py_ssize_t, 2)
"""The slug is searched as one run of letters: words as short as `a` or `of` occur in nearly any, across its words."""
FIRST_UNSPACED = cython.declare(cython.Py_UCS4, "\u2e80")
"""The first character of scripts without spaces: CJK radicals, kana, ideographs, Hangul."""


@cython.ccall
def names_site(part: str, folded: str, sites: tuple) -> cython.bint:
    """Whether a part of a title is the name of the site, or its initials.

    folded: letters and digits of the part, case folded; sites: those of the names of the site.
    """
    site: str
    n: cython.Py_ssize_t = len(folded)
    n_words: cython.Py_ssize_t = part.count(" ") + 1
    may_be_initials: cython.bint = False
    if n == 0 or folded in sites:  # what has neither letters nor digits says nothing else either
        return True
    for site in sites:
        length = len(site)
        may_be_initials |= LEAST_INITIALS <= length <= n_words
        # the part is in the name (`Guardian`, theguardian.com), or the name in the part (`BBC News`)
        if n < length:
            if n >= LEAST_NAME and n >= LEAST_PART * length and folded in site:
                return True
        elif length >= LEAST_PART * n and ((length >= LEAST_NAME and site in folded) or _has_word(part, site)):
            return True
    # no name has as few letters as the part has words: nothing is joined for most parts
    if not may_be_initials:
        return False
    return "".join([word[0] for word in part.split() if word[0].isalnum()]).casefold() in sites


@cython.cfunc
def _has_word(part: str, site: str) -> cython.bint:
    """Whether a word of a text is the name of a site: `REI Co-op` of rei.com, too few letters to be sought in words."""
    return site in part.casefold().split()


@cython.ccall
def share_slug(words: tuple, slug: str) -> cython.double:
    """Share of the words of a text, folded, that occur in the slug of an address (its words joined)."""
    word: str
    n: cython.Py_ssize_t = 0
    n_held: cython.Py_ssize_t = 0
    for word in words:
        if len(word) > MOST_SHORT_WORD:
            n += 1
            n_held += word in slug
    return n_held / cython.cast(cython.double, n) if n else 0.0


@cython.ccall
def count_title_words(text: str) -> cython.Py_ssize_t:
    """Words; in scripts without spaces two characters count as one."""
    n: cython.Py_ssize_t = len(text.split())
    n_unspaced: cython.Py_ssize_t = 0
    for char in text:
        n_unspaced += char >= FIRST_UNSPACED and char.isalnum()
    # two characters, for most Chinese words have two
    return max(n, (n_unspaced + 1) // 2)


@cython.final
@cython.cclass
class TitleGuide:
    """What the candidates for the title of a page are compared with.

    title, shared: `<title>` and the first meta title, case folded; folded_*: their letters and digits. parts: of
    `<title>`, case folded. slug: letters and digits of the last part of the address. similarity: of two texts, 0 to 1.
    """

    title: str
    shared: str
    folded_title: str
    folded_shared: str
    parts: list
    slug: str
    similarity: Any

    def __init__(self, stated: tuple, folded: tuple, parts: list, slug: str, similarity: Any) -> None:
        """stated: title, shared; folded: folded_title, folded_shared."""
        self.title, self.shared = stated
        self.folded_title, self.folded_shared = folded
        self.parts, self.slug, self.similarity = list(dict.fromkeys(parts)), slug, similarity

    @cython.cfunc
    def _compare(self, text: str, other: str) -> object:
        """The similarity; most are equal, for a heading is what `<title>` begins with."""
        return 1.0 if text == other else self.similarity(text, other)

    def measure(self, text: str, folded: str, words: tuple, features: dict) -> None:
        """Add to the features of a candidate what comparing it tells. words: of the text, folded."""
        lower: str = text.casefold()
        best: cython.double = 0.0
        alike: cython.double
        to_title: object = self._compare(lower, self.title)
        for part in self.parts:
            # similarity is the dearest thing here: a title without parts is its own part
            alike = to_title if part == self.title else self._compare(lower, part)
            best = max(best, alike)
        features["title_similarity"] = to_title
        features["part_similarity"] = best
        features["og_similarity"] = to_title if self.shared == self.title else self._compare(lower, self.shared)
        features["n_words"] = cython.cast(cython.double, count_title_words(text))
        features["n_chars"] = cython.cast(cython.double, len(text))
        features["slug_share"] = share_slug(words, self.slug) if self.slug else 0.0
        if folded in self.folded_title:
            features["inside_title"] = 1.0
        if folded in self.folded_shared:
            features["inside_og"] = 1.0
