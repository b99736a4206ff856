"""The addresses of blocks: families of generated ones, and words that mark them, as `segments.urls` states it
for addresses of any characters.

Enters: links and their targets, the semantic block of each element; what Python is asked where bytes do not tell.
Leaves: addresses and three measures of each block. Keep: for an address that both can read, the result is that of
`segments.urls` to the letter: one accent in an address changes nothing else. Tested by
`tests/segments/test_signals.py`.
"""

from __future__ import annotations

from typing import Any

import cython
import numpy as np
from cython.cimports.cpython.mem import PyMem_Free, PyMem_Malloc
from cython.cimports.cpython.unicode import PyUnicode_1BYTE_DATA, PyUnicode_READ_CHAR

_SLASH_BYTE = cython.declare(cython.uchar, 47)
_HASH_BYTE = cython.declare(cython.uchar, 35)
_QUESTION_BYTE = cython.declare(cython.uchar, 63)
_PERCENT = cython.declare(cython.uchar, 37)
_STAR = cython.declare(cython.uchar, 42)
_EQUALS = cython.declare(cython.uchar, 61)
_AND = cython.declare(cython.uchar, 38)
_COLON_BYTE = cython.declare(cython.uchar, 58)
_PLUS = cython.declare(cython.uchar, 43)
_MINUS = cython.declare(cython.uchar, 45)
_DOT = cython.declare(cython.uchar, 46)
_ABSOLUTE = cython.declare(tuple, ("http://", "https://"))


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_letter(c: cython.uchar) -> cython.bint:
    """Whether it is a small letter."""
    return 97 <= c <= 122


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_digit(c: cython.uchar) -> cython.bint:
    return 48 <= c <= 57


@cython.final
@cython.cclass
class _Address:
    """An address of printable ASCII characters in lower case, and what is made of it."""

    n: cython.Py_ssize_t
    room: cython.Py_ssize_t
    n_made: cython.Py_ssize_t
    text: cython.pointer[cython.uchar]
    made: cython.pointer[cython.uchar]

    def __dealloc__(self) -> None:
        PyMem_Free(self.text)

    @cython.cfunc
    def read(self, url: str) -> cython.bint:
        """Take an address; false for one with other characters.

        Nearly all addresses of links are ASCII: they are read byte by byte here, all others by `segments.urls`, for
        letters of other scripts fold and count in ways that only Python's tables know.
        """
        n: cython.Py_ssize_t = len(url)
        if not url.isascii():
            return False
        if n >= self.room:
            PyMem_Free(self.text)
            self.room = 0
            # (n + 64) bytes for the address and 3 n + 192 for what is made of it: `add` needs no check
            self.text = cython.cast(cython.pointer[cython.uchar], PyMem_Malloc(4 * n + 256))
            if not self.text:
                raise MemoryError
            self.room = n + 64
            self.made = self.text + self.room  # twice as long: an equals sign may become two signs
        data: cython.pointer[cython.uchar] = cython.cast(cython.pointer[cython.uchar], PyUnicode_1BYTE_DATA(url))
        for i in range(n):
            # white space and controls: how they are escaped is the matter of whoever resolves addresses
            if not 32 < data[i] < 127:
                return False
            self.text[i] = data[i] + 32 if 65 <= data[i] <= 90 else data[i]
        self.n = n
        return True

    @cython.cfunc
    @cython.inline
    @cython.exceptval(check=False)
    def add(self, c: cython.uchar) -> cython.void:
        self.made[self.n_made] = c
        self.n_made += 1

    @cython.cfunc
    @cython.exceptval(check=False)
    def find(self, c: cython.uchar, first: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Where a character first stands, `end` if nowhere."""
        while first < end and self.text[first] != c:
            first += 1
        return first

    @cython.cfunc
    def generalise(self, slug_words: cython.Py_ssize_t) -> str:
        """The family of a generated address: `/2019/06/story-12.html` becomes `/*/*/*.html`; '' for one by hand."""
        end: cython.Py_ssize_t = self.find(_HASH_BYTE, 0, self.n)
        question: cython.Py_ssize_t = self.find(_QUESTION_BYTE, 0, end)
        path_end: cython.Py_ssize_t = question
        # `/news/story-1/` names the same page as `/news/story-1`
        while path_end > 0 and self.text[path_end - 1] == _SLASH_BYTE:
            path_end -= 1
        tail: cython.Py_ssize_t = path_end
        while tail > 0 and self.text[tail - 1] != _SLASH_BYTE:
            tail -= 1
        self.n_made = 0
        # a folder differs from story to story in its numbers (dates, sections), a name in all of it
        for i in range(tail - 1):
            if not _is_digit(self.text[i]):
                self.add(self.text[i])
            elif i == 0 or not _is_digit(self.text[i - 1]):
                self.add(_STAR)
        self.add(_SLASH_BYTE)
        n_folders: cython.Py_ssize_t = self.n_made
        # `story.php?id=12`: the name is the program's, and the query tells the story; `?lite` tells none
        if question + 1 < end and self.add_query(tail, path_end, question + 1, end):
            return self.made[: self.n_made].decode("ascii")
        # what the query added is taken back
        self.n_made = n_folders
        if not self.add_name(tail, path_end, slug_words):
            return ""
        return self.made[: self.n_made].decode("ascii")

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_query(
        self,
        tail: cython.Py_ssize_t,
        path_end: cython.Py_ssize_t,
        query: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.bint:
        """Add the last part of the path and the keys of the query; false where that has neither values nor numbers."""
        varies: cython.bint = False
        for i in range(tail, path_end):
            self.add(self.text[i])
        self.add(_QUESTION_BYTE)
        i = query
        while i < end:
            varies = varies or self.text[i] == _EQUALS or _is_digit(self.text[i])
            self.add(self.text[i])
            if self.text[i] == _EQUALS:
                self.add(_STAR)
                # values differ from story to story, keys do not
                i = self.find(_AND, i, end)
            else:
                i += 1
        return varies

    @cython.cfunc
    @cython.exceptval(check=False)
    def add_name(
        self, tail: cython.Py_ssize_t, path_end: cython.Py_ssize_t, slug_words: cython.Py_ssize_t
    ) -> cython.bint:
        """Add what stands for the last part of the path; false where that looks written by hand."""
        name_end: cython.Py_ssize_t = path_end
        n_words: cython.Py_ssize_t = 0
        is_generated: cython.bint = False
        while name_end > tail and _is_letter(self.text[name_end - 1]):
            name_end -= 1
        # an extension, such as `.html`, is part of the family; `.12` is part of a number
        if name_end > tail and self.text[name_end - 1] == _DOT and 2 <= path_end - name_end <= 5:
            name_end -= 1
        else:
            name_end = path_end
        for i in range(tail, name_end):
            # titles of other scripts are escaped, and nobody writes escapes by hand
            is_generated = is_generated or _is_digit(self.text[i]) or self.text[i] == _PERCENT
            if _is_letter(self.text[i]) and (i == tail or not _is_letter(self.text[i - 1])):
                n_words += 1
        self.add(_STAR)
        for i in range(name_end, path_end):
            self.add(self.text[i])
        # `/about-us` is written by hand, `/mayor-opens-harbour-wall-after-storm` is a title
        return is_generated or n_words >= slug_words

    @cython.cfunc
    @cython.exceptval(check=False)
    def skip_scheme(self) -> cython.Py_ssize_t:
        """Where the address begins after its scheme."""
        i: cython.Py_ssize_t = 0
        if self.n and _is_letter(self.text[0]):
            while i < self.n and (
                _is_letter(self.text[i])
                or _is_digit(self.text[i])
                or self.text[i] == _PLUS
                or self.text[i] == _DOT
                or self.text[i] == _MINUS
            ):
                i += 1
            # without a colon it was no scheme: `news/story` begins with a folder
            i = i + 1 if i < self.n and self.text[i] == _COLON_BYTE else 0
        if i + 1 < self.n and self.text[i] == _SLASH_BYTE and self.text[i + 1] == _SLASH_BYTE:
            i += 2
        return i

    @cython.cfunc
    def list_markers(self, weights: dict, firsts: list) -> list:
        """The words with a weight. firsts: their first letters."""
        found: list = []
        letters: cython.long
        i: cython.Py_ssize_t = self.skip_scheme()
        while i < self.n:
            end = i
            while end < self.n and _is_letter(self.text[end]):
                end += 1
            if 0 < end - i < len(firsts):
                # few words of an address have a weight: most are told by length and first letter, without a string
                letters = firsts[end - i]
                if letters >> (self.text[i] - 97) & 1:
                    word: str = self.text[i:end].decode("ascii")
                    if word in weights:
                        found.append(word)
            i = end + 1
        return found


@cython.final
@cython.cclass
class _Targets:
    """Targets of links, each described once: its absolute address, and the family and weight of that, which is None for
    one that leads to no page."""

    known: dict
    address: _Address
    firsts: list
    weights: dict
    doubtful: frozenset
    has_base: cython.bint
    origin: str
    slug_words: cython.Py_ssize_t
    leads_to_page: Any
    make_absolute: Any
    generalise: Any
    find_markers: Any

    def __init__(self, base: tuple, markers: tuple, asked: tuple, doubtful: frozenset, slug_words: int) -> None:
        self.known, self.address = {}, _Address()
        self.has_base, self.origin = base
        self.weights, self.firsts = markers
        self.slug_words, self.doubtful = slug_words, doubtful
        self.leads_to_page, self.make_absolute, self.generalise, self.find_markers = asked

    @cython.cfunc
    def describe(self, target: str) -> tuple:
        known = self.known.get(target)
        if known is None:
            known = self.known[target] = self.compute(target)
        return known

    @cython.cfunc
    def compute(self, target: str) -> tuple:
        address: _Address = self.address
        url: str = target
        # joining by the rules of URLs costs more than all else here; what begins with `/` or a scheme needs none
        is_told: cython.bint = not self.has_base or not target
        if not is_told and PyUnicode_READ_CHAR(target, 0) == _SLASH_BYTE:
            is_told = len(target) == 1 or PyUnicode_READ_CHAR(target, 1) != _SLASH_BYTE
            url = self.origin + target
        elif not is_told:
            is_told = target.startswith(_ABSOLUTE)
        is_plain: cython.bint = is_told and address.read(url)
        if not is_plain:
            url = self.make_absolute(target)
            is_plain = address.read(url)
        if not url or (url[0] in self.doubtful and not self.leads_to_page(url)):
            return url, None, 0.0
        if is_plain:
            family: str = address.generalise(self.slug_words)
            markers: list = address.list_markers(self.weights, self.firsts)
        else:
            family, markers = self.generalise(url), self.find_markers(url, self.weights)
        return url, family, max([self.weights[word] for word in markers], key=abs) if markers else 0.0


def measure_addresses(
    links: tuple[Any, Any, Any],
    owner: cython.const[cython.int][:],
    n: cython.Py_ssize_t,
    written: list[str],
    base: tuple[bool, str],
    markers: tuple[dict[str, float], list[int]],
    asked: tuple[Any, Any, Any, Any],
    spend: Any,
    doubtful: frozenset[str],
    limits: tuple[int, int],
) -> Any:
    """Of each semantic block the first distinct addresses that its links lead to, and float64 [3, n]: how many of them
    are different and lead to pages, the regularity of these, and the weight of their markers.

    Args:
        links: int64 [n_links], the element of each link and the number of its target; int64 [n_targets], below zero for
            those that lead to no page.
        owner: int32 [n_elements], the semantic block of each element, -1 for none.
        n: semantic blocks.
        written: the targets, without white space at their ends.
        base: whether targets can be made absolute; the origin of those that begin with one slash.
        markers: each with its weight; and by their number of letters which letters they begin with, as bits.
        asked: tell whether an address leads to a page, and make a target absolute; and, of one beyond ASCII, its family
            and its markers.
        spend: how many of the first addresses with these lengths may be kept.
        doubtful: first characters of addresses that may lead to none.
        limits: addresses of a block that are read; a name of so many words was generated.
    """
    targets: _Targets = _Targets(base, markers, asked, doubtful, limits[1])
    found: list = _list_distinct_targets(links, owner, n, written, limits[0])
    made = np.zeros((3, n))
    table: cython.double[:, ::1] = made
    for k in range(n):
        found[k] = [targets.describe(target) for target in found[k]] if found[k] is not None else []
    # a page of a hundred thousand long addresses would otherwise be kept several times over
    n_left: cython.Py_ssize_t = spend([len(url) for told in found for url, _, _ in told])
    for k in range(n):
        n_kept = min(len(found[k]), n_left)
        n_left -= n_kept
        table[0, k], table[1, k], table[2, k] = _measure_regularity(found[k][:n_kept])
        found[k] = [url for url, _, _ in found[k][:n_kept]]
    return found, made


@cython.cfunc
def _list_distinct_targets(
    links: tuple, owner: cython.const[cython.int][:], n: cython.Py_ssize_t, written: list, most: cython.Py_ssize_t
) -> list:
    """Of each semantic block the first distinct targets that lead to pages, as keys of a dictionary, or None."""
    row: cython.const[cython.longlong][:] = links[0]
    number: cython.const[cython.longlong][:] = links[1]
    leads: cython.const[cython.longlong][:] = links[2]
    found: list = [None] * n
    k: cython.Py_ssize_t
    own: dict
    for i in range(row.shape[0]):
        k = owner[row[i]]
        if k >= 0 and leads[number[i]] >= 0:
            if found[k] is None:
                found[k] = {}
            own = found[k]
            if len(own) < most:  # of a page with thousands of links in one block the first ones tell the family
                own[written[number[i]]] = None
    return found


@cython.cfunc
def _measure_regularity(told: list) -> tuple[cython.double, cython.double, cython.double]:
    """How many different addresses lead to pages, the share of them that is in the largest family of two and more, and
    their mean weight. told: (address, family, weight), a family of None for what leads to no page."""
    n_alike: dict = {}
    different: set = set()
    most: cython.Py_ssize_t = 0
    n_pages: cython.double = 0
    count: cython.Py_ssize_t
    total: cython.double = 0.0
    weight: cython.double
    for url, family, weight in told:
        # a teaser links its picture, title and `more` to one address, which counts once
        if family is None or url in different:
            continue
        different.add(url)
        n_pages += 1
        total += weight
        if family:
            count = n_alike.get(family, 0) + 1
            n_alike[family] = count
            most = max(most, count)
    if not n_pages:
        return 0.0, 0.0, 0.0
    # one address alone is no family
    return n_pages, (most if most > 1 else 0) / n_pages, total / n_pages


def list_url_tokens(url: str) -> list[str]:
    """Tokens of a URL without scheme and fragment, split at `/` and `.`."""
    place: cython.Py_ssize_t = url.find("#")
    url = url if place < 0 else url[:place]
    return [token for token in url[_find_after_scheme(url) :].replace(".", "/").split("/") if token]


@cython.cfunc
def _find_after_scheme(url: str) -> cython.Py_ssize_t:
    """Where a URL begins after its scheme and two slashes, each of which it may have or not."""
    i: cython.Py_ssize_t = 0
    n: cython.Py_ssize_t = len(url)
    c: cython.Py_UCS4
    while i < n:
        c = url[i]
        if c > 127 or not (c.isalpha() or (i and (c.isdigit() or c in "+-."))):
            break
        i += 1
    i = i + 1 if 0 < i < n and url[i] == ":" else 0
    return i + 2 if url.startswith("//", i) else i


def list_telling_tokens(urls: list[str]) -> list[list[str]]:
    """For each URL its different tokens without those of it alone, and those of more than half of all URLs; no tokens
    for ''."""
    made: list = []
    counts: dict = {}
    own: list
    n: cython.Py_ssize_t = 0
    for url in urls:
        own = list(dict.fromkeys(list_url_tokens(url)))
        made.append(own)
        n += len(own) > 0
        for token in own:
            counts[token] = counts.get(token, 0) + 1
    # a token of one address tells of no family, and one of most (`www`, the site's name) of every family
    telling: set = {token for token, count in counts.items() if count > 1 and 2 * count <= n}
    return [[token for token in own if token in telling] for own in made]
