"""Candidates for a title: how alike they are to what the page states, and which of them name its site; and the line of
a page that shows its title (`features.headline`).

Enters: candidates, what the page states (`TitleGuide`); a page with blocks, its title. Leaves: features of each
candidate; the number of a block. Keep: all texts compared are case folded by the caller, who needs them so for more
than this; of lines what is cheap is asked first: lengths, then what stands there, then pairs of letters, then the text
itself. Tested by `tests/core/test_statements.py` (`TitleGuide`), `tests/fields/test_title.py`,
`tests/features/test_headline.py`.
"""

from __future__ import annotations

from typing import Any

import cython
from cython.cimports.libc.string import memset

from webclean.core.page import Page
from webclean.core.texts import N_PAIRS, is_likely, mark_pairs

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


def find_text_of(page: Page, code: cython.longlong) -> int:
    """The first text whose element has the code of a tag, -1 without."""
    for i in range(page.n_texts):
        if page.tag[page.text_owner[i]] == code:
            return i
    return -1


def find_contained(
    page: Page,
    title: str,
    is_heading: cython.const[cython.uchar][::1],
    least_chars: cython.int,
    least_words: cython.double,
    least_share: cython.double,
) -> int:
    """The longest heading, else the longest line that is no link, of those that the title contains: the first of
    equals, -1 without.

    A heading before a longer line: the title may be the first sentence too.

    Args:
        title: in lower case, with one space between its words.
        is_heading: bool [n_codes].
        least_chars, least_words: of which a line has either.
        least_share: of the characters of the title; what is much shorter is the name of a section or of the site.
    """
    n: cython.Py_ssize_t = len(title.replace(" ", ""))
    best: cython.Py_ssize_t = -1
    best_heads: cython.bint = False
    text: str
    pairs = cython.declare(cython.uchar[16384])
    memset(pairs, 0, N_PAIRS)
    mark_pairs(title, pairs)
    for at in range(page.n_blocks):
        n_chars = page.n_chars[at]
        # a copy for another device is hidden, and stands before the one that is shown
        if n_chars > n or n_chars < least_share * n or not page.visible[at]:
            continue
        heads = is_heading[page.tag[page.row[at]]]
        # no better than what was found: its text is not compared
        if best >= 0 and (heads < best_heads or (heads == best_heads and n_chars <= page.n_chars[best])):
            continue
        if n_chars < least_chars and page.words[at] < least_words:
            continue
        # a link with the words of the title leads to the page from a list of others
        if not heads and 2 * page.n_link_chars[at] > n_chars:
            continue
        text = page.block_texts[at]
        if is_likely(text, pairs) and " ".join(text.split()).lower() in title:
            best, best_heads = at, heads
    return best
