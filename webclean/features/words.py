"""Texts -> their words as arrays of hashes, and which words and phrases of a set occur in them; the points of these.

A word is a run of letters. Its hash (the key) is that of Karp and Rabin (1987), a polynomial of its characters modulo
2^64: character c at place i of the word contributes c * B^(i+1). With B^i, the key of a single letter would be its code
point, and all of these would share their first bits, by which keys are distributed below.

    n a v        key of nav: n*B + a*B^2 + v*B^3

Three ways of splitting: texts at all that is no letter, so that consecutive CJK characters are one word; names (of
classes and the like) also at changes of case, as `split_name` does; labels also around each CJK character, with
different spellings of a letter made equal, so that phrases are found in any script.

Known words are looked up in a hash table for arrays of hashes. A Python dictionary would need each word of a page as a
string, some thousand times a page; keys are computed for all words of a page at once. Those of the known words are
sorted, and divided into buckets by their first bits. For the words `nav` and `related`:

    key                 0x61f2.. (related)   0xf6f2.. (nav)
    bucket (3 bits)     3                    7
    place in `key`      0                    1

A word is looked up among the keys of its bucket, of which most have none (`core/lexicon.py`). Two different words have
the same key with probability 2^-64, and would count as one word.

The sections `word_points` and `concepts` of a rule set become tables of points. A name is compared by whole words,
never by substrings: `ad` does not match `padding`. A concept is what a short text announces, in any language: `Read
also`, `Читайте также`, `関連記事` all mean `related`. The phrases of a concept are rules; its points are the mean
points of its English phrases, for the word points are learnt from mostly English pages, and a phrase has the sum of
its words' points. With `related` -2 and `read` 0, `also` -1, the phrases `related` (-2) and `read also` (-1) give -1.5.
A phrase of another language gets the points of its concept, unless it is a single word with learnt points of its own.

The key of a phrase is computed from the keys of its words. Labels are first searched for words that begin some phrase,
which are few. Only from there are the following words combined, once for each number of words that phrases have, and
looked up:

    label                  Read also: more news
    begins a phrase        ^          ^
    phrases that are known ^^^^^^^^^  ^^^^^^^^^
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import chain
from typing import Any, Final, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from webclean import core
from webclean.blocks.text_blocks import UNSPACED, list_kinds
from webclean.model import Floats, Mask, Rows
from webclean.parse.columns import sum_before
from webclean.rules.page_schema import Concepts, WordGroup, WordPoints
from webclean.rules.rule_schema import cached_per_rule_set

Keys = NDArray[np.uint64]

LONGEST: Final = 400
"""Characters of the longest text whose words are read."""
LONGEST_NAME: Final = 20_000
"""Characters of a name that are read: some elements have hundreds of classes."""
LETTERS: Final = re.compile(r"[^\W\d_]+")
# the core makes ASCII lower-case itself
_BEYOND_ASCII: Final = re.compile(r"[^\x00-\x7f]+")
_NOT_ALONE: Final = "\u0130\u03a3"
"""Capitals whose small letter is two characters (the dotted i), or another one at the end of a word (the sigma)."""
_LETTER: Final = 1
_LOWER: Final = 2
_UPPER: Final = 3
"""Kinds of characters: other letters, and the lower-case and upper-case ASCII letters; 0 is no letter."""
_PLANES: Final = (1 << 16, 4 << 16)
"""Code points: the first plane of Unicode, which has nearly all letters, and the first four planes."""
# 2^64 / golden ratio, odd: its powers spread over all 64 bits (Knuth, 6.4)
_BASE: Final = 0x9E3779B97F4A7C15
_SPELLINGS: Final = (
    ("άέήίόύώϊϋΐΰς", "αεηιουωιυιυσ"),  # Greek capitals are written without accents
    ("ёı", "еi"),
    ("أإآٱىیک", "ااااييك"),  # forms of alef; final yeh, and the Persian yeh and kaf
    ("".join(map(chr, range(0xFF41, 0xFF5B))), "abcdefghijklmnopqrstuvwxyz"),  # full width
)
"""Pairs of lower-case letters: in labels the first is often written as the second."""
_OPTIONAL_MARKS: Final = re.compile("[\u0307\u0640\u064b-\u065f\u0670]")
"""The dot that remains above a Turkish i in lower case; Arabic kashida and vowel signs."""


class Words(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The words of some texts, one row for each, in the order of the texts.

    text: int64 [n_words], number of the text. key: uint64 [n_words], hash of the word. length: int64 [n_words], its
    characters.
    """

    text: Rows
    key: Keys
    length: Rows


def cut_words(texts: Sequence[str]) -> Words:
    """The words of texts, in lower case. A text over `LONGEST` characters counts as empty. texts: without newlines."""
    return Words(*core.cut_lower(list(texts), *describe_words()).take())


def describe_words() -> tuple[Any, ...]:
    """The settings of `core.cut_lower`."""
    return LONGEST, _list_kinds(_PLANES[1]), list_lower(), _BASE


def describe_name_words() -> tuple[NDArray[np.uint8], int, int, Callable[[str], str]]:
    """What the core must know of names: kinds of characters, base of the hash, characters of a name that are read, and
    what makes a name of other letters lower-case."""
    return _list_kinds(_PLANES[1]), _BASE, LONGEST_NAME, partial(_BEYOND_ASCII.sub, _lower)


@cache
def describe_label_words() -> tuple[tuple[Any, ...], Callable[[str], str]]:
    """What the core must know of labels: the settings of its `cut_labels`, and lower-case label -> as it is cut.

    In labels, which phrases are looked for in, each CJK character is a word, and `σχόλια` equals `σχολια`. One over
    `LONGEST` characters counts as empty.
    """

    def mend(label: str) -> str:
        # a long text announces nothing, and would cost as much as all labels of the page
        if len(label) > LONGEST:
            return ""
        return label if label.isascii() else _OPTIONAL_MARKS.sub("", label)

    # of each code point whether its script has no spaces, and as which one it is read
    unspaced, spellings = np.asarray(list_kinds() & UNSPACED != 0, dtype=np.uint8), np.arange(_PLANES[1] + 1)
    for letters, plain in _SPELLINGS:
        spellings[list(map(ord, letters))] = list(map(ord, plain))
    return (LONGEST, _list_kinds(_PLANES[1]), unspaced, spellings, _BASE), mend


def _lower(run: re.Match[str]) -> str:
    """The run in lower case, unless that changes its length."""
    lower = run[0].lower()
    # words are told by their places in the name, so it must keep its length
    return lower if len(lower) == len(run[0]) else run[0]


@cache
def _list_kinds(n: int) -> NDArray[np.uint8]:
    """uint8 [n + 1]: the kind of each code point below n; the last entry, 0, is for all beyond."""
    table = np.zeros(n + 1, dtype=np.uint8)
    for run in LETTERS.finditer(np.arange(n, dtype="<u4").tobytes().decode("utf-32-le", "surrogatepass")):
        table[run.start() : run.end()] = _LETTER
    table[ord("a") : ord("z") + 1] = _LOWER
    table[ord("A") : ord("Z") + 1] = _UPPER
    return table


@cache
def list_lower() -> NDArray[np.uint32]:
    """uint32 [2^16]: each code point in lower case, 0 for those of which that is several or depends on the next."""
    points = np.arange(_PLANES[0], dtype="<u4")
    # the core asks Python for words with these: what they become depends on what follows
    points[[ord(letter) for letter in _NOT_ALONE]] = 0
    lower = points.tobytes().decode("utf-32-le", "surrogatepass").lower()
    return np.frombuffer(lower.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


_ACCENTS: Final = str.maketrans(
    {a: b for letters, plain in _SPELLINGS for a, b in zip(letters, plain, strict=True) if a != "ς"}
)
"""Of `_SPELLINGS` without the sigma: Python writes it at the end of a word of capitals as people do."""


def list_spellings(text: str) -> tuple[str, ...]:
    """A text in lower case, and as it is in lower case where it was written in capitals: `σχόλια`, `σχολια`."""
    return tuple(dict.fromkeys((text, text.translate(_ACCENTS))))


SUM_UNIT: Final = 10.0**9
"""Sums of points are rounded to one part of this, so that they do not depend on the order: 0.1 + 0.2 becomes 0.3."""


@dataclass(frozen=True, slots=True, eq=False)
class WordSet:
    """Known words.

    key: uint64 [n + 1], their keys, rising; the last one is a sentinel. compiled: `core.WordSet`, which has them in
    buckets. words: in the order of `key`, so that a place found there is an index here; none where keys
    alone are known.
    """

    key: Keys
    compiled: Any
    words: tuple[str, ...] = ()

    def find(self, words: Words) -> tuple[Rows, Rows]:
        """The words that are in the set, as two int64 [n_found]: their rows in `words` and their places in `key`."""
        return cast("tuple[Rows, Rows]", self.compiled.find(words.key))


def make_word_set(key: Keys, words: tuple[str, ...] = ()) -> WordSet:
    """Build a set of words. key: uint64 [n], in any order, possibly with repetitions."""
    rising = np.unique(key)
    # two to four buckets a word, so that most have one word or none
    n_bits = len(rising).bit_length() + 1
    bucket = (rising >> np.uint64(64 - n_bits)).astype(np.intp)
    first = sum_before(np.bincount(bucket, minlength=1 << n_bits))
    key = np.append(rising, np.iinfo(np.uint64).max)
    return WordSet(key, core.WordSet(key, first, 64 - n_bits), words)


def make_lexicon(known: Iterable[str]) -> WordSet:
    """The set of lower-case words, with these. What is not a single word can never be found, so it is left out."""
    # `read-more` is two words, of which texts and names have one each
    words = [word for word in dict.fromkeys(known) if LETTERS.fullmatch(word) and len(word) <= LONGEST]
    key = cut_words(words).key
    return make_word_set(key, tuple(words[at] for at in np.argsort(key).tolist()))


def weigh_words(*kinds: Mapping[str, float]) -> tuple[WordSet, Floats]:
    """The words of several kinds of points, each lower-case word -> points; float64 [n_kinds, n_words], the points of
    each, 0 for a word that a kind lacks."""
    known = make_lexicon(chain(*kinds))
    return known, np.array([[points.get(word, 0.0) for word in known.words] for points in kinds], dtype=np.float64)


NEXT_WORD: Final = np.uint64(0xD6E8FEB86659FD93)
"""The key of a phrase is multiplied by this before that of the next word is added. Odd, so that no bits are lost."""


@dataclass(frozen=True, slots=True, eq=False)
class PhraseSet:
    """Phrases to look for.

    first: the words that begin a phrase. whole: the phrases. lengths: the numbers of words that phrases have, rising.
    """

    first: WordSet
    whole: WordSet
    lengths: tuple[int, ...]


def chain_words(words: Words, n_texts: int) -> tuple[Keys, Rows]:
    """uint64 [n_texts], one key for all words of each text; int64 [n_texts], how many these are."""
    n_words, key = np.bincount(words.text, minlength=n_texts), np.zeros(n_texts, dtype=np.uint64)
    start = n_words.cumsum() - n_words
    for step in range(n_words.max(initial=0)):
        longer = (n_words > step).nonzero()[0]
        key[longer] = key[longer] * NEXT_WORD + words.key[start[longer] + step]
    return key, n_words


def make_phrase_set(phrases: Sequence[str]) -> tuple[PhraseSet, Rows]:
    """A set of lower-case phrases, and int64 [n], the place of each; one without letters gets the last place + 1."""
    settings, mend = describe_label_words()
    words = Words(*core.cut_labels(list(map(mend, phrases)), *settings).take())
    key, n_words = chain_words(words, len(phrases))
    start, is_phrase = n_words.cumsum() - n_words, n_words > 0
    whole = make_word_set(key[is_phrase])
    # a phrase without letters, such as `+1`, gets the place of the sentinel, which no text reaches
    place = np.where(is_phrase, whole.key.searchsorted(key), len(whole.key) - 1)
    lengths = tuple(sorted(set(n_words[is_phrase].tolist()))) or (1,)
    return PhraseSet(make_word_set(words.key[start[is_phrase]]), whole, lengths), place


YARDSTICK: Final = "en"
"""The language from which points are derived: most words with learnt points are English."""


def weigh_phrases(concepts: Concepts, *kinds: Mapping[str, float]) -> tuple[PhraseSet, Mask, Floats]:
    """The phrases of all concepts in all languages; bool [n_kinds, n_concepts, n_phrases + 1], whether a phrase gives
    the points of the concept; float64 [n_kinds, n_concepts], these points: the mean of those of
    its English phrases.

    kinds: word -> learnt points, as a word of a text and of a heading.
    """
    entries = list(list_phrases(concepts))
    listed = list(dict.fromkeys(phrase for _, _, phrase in entries))
    phrases, place_of = make_phrase_set(listed)
    places = dict(zip(listed, place_of.tolist(), strict=True))
    names = tuple(concepts)
    # an English phrase in another language too (`podcast`) has its learnt points already
    english = {phrase for _, language, phrase in entries if language == YARDSTICK}
    gives_points = np.zeros((len(kinds), len(names), len(phrases.whole.key)), dtype=bool)
    for name, _, phrase in entries:
        gives_points[:, names.index(name), places[phrase]] = [
            phrase not in english and phrase not in points for points in kinds
        ]
    points = np.zeros((len(kinds), len(names)))
    for number, words in enumerate(concepts.values()):
        own = [phrase.split() for phrase in words.get(YARDSTICK, "").split(",")]
        for kind, known in enumerate(kinds):
            # the mean: a concept with many phrases weighs no more than one with few
            points[kind, number] = np.mean([sum(known.get(word, 0.0) for word in phrase) for phrase in own])
    return phrases, gives_points, points


def list_phrases(concepts: Concepts) -> Iterator[tuple[str, str, str]]:
    """(concept, language, phrase) of all phrases."""
    for name, by_language in concepts.items():
        for language, listed in by_language.items():
            for phrase in listed.split(","):
                yield name, language, phrase.strip()


NAME_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_A-Za-z]+")
"""The words of a class or id: `relatedPosts`, `related-posts` and `RELATED_POSTS` have the same."""
# the pages of a site have fewer names; the limit keeps a server that cleans many sites from growing
_MOST_NAMES: Final = 1 << 14


@lru_cache(maxsize=_MOST_NAMES)
def split_name(name: str) -> frozenset[str]:
    """The lower-case words of a class, id or role value: `relatedPosts-box` gives related, posts, box."""
    return frozenset(map(str.lower, NAME_WORD.findall(name)))


def split_text(text: str) -> frozenset[str]:
    """The lower-case words of a short text; consecutive CJK characters are one word."""
    return frozenset(LETTERS.findall(text.lower()))


@dataclass(frozen=True, slots=True, eq=False)
class CompiledWordPoints:
    """The points of words, as the rules have them.

    names, words, headings: lower-case word -> points in a name, a short text, a heading. concepts: concept -> language
    -> phrases.
    """

    names: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)
    headings: Mapping[str, float] = field(default_factory=dict)
    concepts: Concepts = field(default_factory=dict)


NO_POINTS: Final = CompiledWordPoints()


@cached_per_rule_set
def compile_word_points(points: WordPoints, concepts: Concepts) -> CompiledWordPoints:
    """Compile the sections `word_points` and `concepts` of a rule set."""
    changes = points.changes
    return CompiledWordPoints(
        names=_flatten(points.names, changes.names),
        words=_flatten(points.words, changes.words),
        headings=_flatten(points.headings, changes.headings),
        concepts=concepts,
    )


def _flatten(groups: tuple[WordGroup, ...], changes: Mapping[str, float]) -> dict[str, float]:
    return {word: group.points for group in groups for word in group.words.split()} | dict(changes)
