"""What is a name, and how the names of a page compare: shapes, longer forms of one name, lists of co-authors, owners of
the site beside persons.

A text is recognised as a name by its shape (capitalised words, or a few Chinese characters), not by a list of names.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from webclean.fields.candidates import Candidate, Pool
from webclean.fields.scan import compile_finders
from webclean.fields.title import names_site
from webclean.fields.title_comparison import fold_text
from webclean.rules.fields_schema import AuthorRules

MAX_CHARS: Final = 250
"""A longer text is a paragraph about the author, or a list of all authors of a site."""
_OF_PAGE: Final = frozenset(
    (
        *("meta_first", "json_ld", "itemprop_first", "twitter_label", "rel_author_first"),
        *("author_class_first", "author_class_link_first", "byline_first"),
    )
)
"""Features of the sources that speak of the page itself: others name who comments, or wrote other articles."""
_OF_BYLINES: Final = frozenset(("author_link_first", "user_link_first", "byline_inside_first"))
"""Features of weaker sources that name who wrote the page, unless it is about several things."""
_IN_HEAD: Final = frozenset(("meta", "twitter_label"))
_NEAR: Final = (-25, 60)
"""Elements before and after the title between which a by-line is that of the page."""
_LEAST_SPACES: Final = 3
"""In a list of two names of two words each."""
_PREFIX, _CUT, _NEVER, _COLLECTIVE, _NO_NAME = range(5)
"""Indices of the regular expressions that recognise the shapes of names."""
_NUMBER: Final = re.compile(r"\d")
# two to five words with a capital each: without a byline, a class or a link, nothing else says that it is a name; more
# Chinese characters in a row than names have are a headline
PLAIN_NAME: Final = re.compile(
    r"(?!.*[\u3040-\u30ff\u3400-\u9fff]{7})(?:[^\W\d_a-z][\w.'’-]* ){1,3}[^\W\d_a-z][\w'’-]+"
)
_WORD: Final = re.compile(r"[^\W\d_][\w.'’-]*")
_CASELESS: Final = re.compile(r"[\u0590-\u0fff]")
"""Hebrew, Arabic, Indic and South-East Asian letters, which have no capitals."""
# the length of names in Chinese and Japanese characters, `·` in those of foreigners, and of names in Hangul
UNSPACED_NAME: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff·]{2,6}|[가-힣]{2,4}")


class NamePool(Pool):
    """Collects candidates; the spellings of one name share a candidate.

    anchor: row of the element that shows the title, or -1.
    """

    def __init__(self, rules: AuthorRules, anchor: int) -> None:
        super().__init__()
        self.rules, self.anchor = rules, anchor
        shapes = rules.prefixes, rules.cuts, rules.never_names, rules.collective, rules.no_names
        self._shapes, self._cuts = compile_finders(*shapes), compile_finders(rules.cuts)
        self._shapes_of: dict[str, list[int]] = {}
        self._names: dict[str, tuple[str, str]] = {}

    def list_shapes(self, text: str) -> list[int]:
        """Indices of the shape expressions (`prefixes`, `cuts` and so on) that may match a text."""
        known = self._shapes_of.get(text)
        if known is None:
            known = self._shapes_of[text] = self._shapes.list_possible(text)
        return known

    def has_shape(self, text: str, number: int) -> bool:
        """Whether a shape expression matches a text. number: its index."""
        return number in self.list_shapes(text) and self._shapes.finders[number].exact.search(text) is not None

    def clean(self, text: str) -> str:
        """A name without the label before it and what follows it (dates, sections, counts)."""
        text = " ".join(text.split())[:MAX_CHARS]
        if _PREFIX in self.list_shapes(text) and (found := self._shapes.finders[_PREFIX].exact.match(text)):
            text = text[found.end() :]
        if _CUT in self.list_shapes(text) and (found := next(self._cuts.find_all(text), None)):
            # at the very beginning it would leave nothing
            if found.start() > 1:
                text = text[: found.start()]
            elif _NUMBER.search(found[0]):
                return ""  # a date or a count: `3 March 2024 · 5 min read`
        text = text.strip(" \t,;:|/-–—·•@\"'“”()[]")
        # a picture's label and the name beside it, in one element
        half = len(text) // 2
        return text[:half] if text[:half] == text[half + 1 :] and text[half : half + 1] == " " else text

    def read(self, text: str) -> tuple[str, str]:
        """(name, its folded form) of a text; two empty strings if it is not a name.

        Cached, because several sources often have the same text.
        """
        known = self._names.get(text)
        if known is None:
            name = self.clean(text)
            key = fold_text(name)
            # `article:author` of Facebook is the address of a profile
            is_none = not key or "://" in name or name.isdecimal() or self.has_shape(name, _NEVER)
            known = self._names[text] = ("", "") if is_none else (name, key)
        return known

    def add(self, text: str, source: str, *features: str, row: int = -1, at: int = -1) -> None:
        """Add a name, unless the text is none. at: row where it is shown, -1 where it is not."""
        name, key = self.read(text)
        if not key:
            return
        known = self.put(key, name, source, features, row)
        if at >= 0 and self.anchor >= 0:
            distance = float(at - self.anchor)
            known.features["distance"] = min(known.features.get("distance", distance), distance, key=abs)


def compare_names(pool: NamePool, sites: tuple[str, ...], title: str) -> None:
    """Add the features of each name's shape, and those that compare the names of the page.

    sites: folded names of the site. title: text of `<title>`.
    """
    candidates = list(pool.found.values())
    join_lists(pool)
    for candidate in candidates:
        describe_name(candidate, pool, sites)
        if UNSPACED_NAME.fullmatch(candidate.value):
            # the name of an agency, by its end, or by its place: it starts a later part of `<title>`
            is_named = re.search(rf"[\W_]{candidate.value}", title) is not None
            candidate.features["agency"] = float(candidate.features["collective"] or is_named)
    persons = [candidate for candidate in candidates if is_person(candidate)]
    stated = [person.value for person in persons if not _OF_PAGE.isdisjoint(person.features)]
    # heads of pages often state who owns them all, where the by-line or a meta element names a person
    is_signed = any(map(_is_signed, persons))
    for candidate in candidates:
        name, features = candidate.value, candidate.features
        # `Ann Lee Staff Writer`; what follows a comma is mostly a part of how the author signs: `Ann Lee, MD`
        if any(name.startswith(value + " ") and name[len(value) + 1].isupper() for value in stated):
            features["holds_name"] = 1.0
        if is_signed and (features["names_site"] or features["collective"]):
            features["beside_person"] = 1.0


def join_lists(pool: NamePool) -> None:
    """What states the first of several co-authors alone speaks for the list of all of them, too: machines are told one
    name, readers all."""
    splitter = _compile_splitter(pool.rules.joiners)
    for candidate in list(pool.found.values()):
        if candidate.value.count(" ") < _LEAST_SPACES:
            continue
        names = [name.strip() for name in splitter.split(candidate.value) if name.strip()]
        if len(names) < 2 or "meta_all" in candidate.features:
            continue
        # behind commas alone may stand roles and employers: `Ann Lee, Staff Writer, Example News`
        joined = any(joiner[0].strip(" ,;、，；") for joiner in splitter.finditer(candidate.value))
        known = all(fold_text(name) in pool.found for name in names)
        if not (joined or known) or not all(map(PLAIN_NAME.fullmatch, names)):
            continue
        candidate.features["lists_authors"] = 1.0
        if head := pool.found.get(fold_text(names[0])):
            # the list takes over what speaks for its first name, so that it does not lose against it
            candidate.features = {**head.features, **candidate.features}
            head.features["heads_list"] = 1.0


@lru_cache(maxsize=16)
def _compile_splitter(joiners: str) -> re.Pattern[str]:
    """What parts a list of names: no joiner begins or ends inside a word."""
    return re.compile(rf"(?:(?<!\w)|(?=\W))(?:{joiners})(?!\w)", re.IGNORECASE)


def is_person(candidate: Candidate) -> bool:
    """Whether a name has the shape of a person's, or of several, and is none of the site or a group."""
    features, wrong = candidate.features, ("names_site", "collective", "no_name", "has_digit", "in_comments")
    is_shaped = bool(features["name_like"]) or "lists_authors" in features
    return is_shaped and not any(features.get(name) for name in wrong)


def _is_signed(person: Candidate) -> bool:
    """Whether a person is named near the title or by a meta element; JSON-LD alone also names who runs the site."""
    features = person.features
    is_stated = not _IN_HEAD.isdisjoint(features)
    is_near = "distance" in features and _NEAR[0] <= features["distance"] <= _NEAR[1]
    return is_stated or (is_near and not (_OF_PAGE | _OF_BYLINES).isdisjoint(features))


def describe_name(candidate: Candidate, pool: NamePool, sites: tuple[str, ...]) -> None:
    """Features of the name's shape."""
    name = candidate.value
    words = _WORD.findall(name)
    n, capitals = len(words), sum(word[0].isupper() or _CASELESS.match(word) is not None for word in words)
    # two words may lack a capital: `Ludwig van der Rohe`
    is_like = (2 <= n <= 5 and capitals >= 2 and capitals >= n - 2) or UNSPACED_NAME.fullmatch(name) is not None
    candidate.features.update(
        n_words=float(len(name.split())),
        name_like=float(is_like),
        list_like=float(n > 3 and ("," in name or " and " in name or "&" in name)),
        one_word=float(n == 1 and " " not in name),
        lower_case=float(name.islower()),
        has_digit=float(_NUMBER.search(name) is not None),
        names_site=float(names_site(name, sites)),
        collective=float(pool.has_shape(name, _COLLECTIVE)),
        no_name=float(pool.has_shape(name, _NO_NAME)),
        n_chars=float(len(name)),
    )
