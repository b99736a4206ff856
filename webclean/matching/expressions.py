r"""Regular expressions of RE2, compiled once: matching takes time linear in the text.

Texts and patterns of rules, so that straight and typographic signs find each other.

An author types `don't - really`; the page says `don’t – really`, perhaps with a no-break space. Texts are compared
folded. A pattern cannot be folded (a dash is a range inside brackets, and escapes name characters by number), so it is
widened: each quote or dash that stands for itself becomes the class of its variants.

Expressions of RE2 -> literals of which a text must have one for an expression to occur in it.

    (?i)\bin your inbox\b|\b(?:sign up|subscribe)\b.{0,30}newsletter     in your inbox, sign up, subscribe
    ^(?i:read (?:more|next)|see also)(?:$|\s)                            read more, read next, see also; at the start

Most expressions of rules have such literals, and few texts of a page have any of them, so nearly all texts need not be
asked. What is found is never too little: where a part of an expression is not understood, nothing is known of it. Case
is passed over (`core.list_case_folds`), for an expression may do so and literals are found alike.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from importlib import import_module
from itertools import product, starmap
from threading import Lock
from typing import Any, Final, NamedTuple

import re2

from webclean import core
from webclean.errors import RuleError

_ANYWHERE: Final = re2._Anchor.UNANCHORED


class Expression(re2._Regexp):  # type: ignore[misc]
    """An expression of RE2 without the objects that its wrapper makes of each text and match."""

    __slots__ = ()

    def search(self, text: Any, pos: int = 0, endpos: int | None = None) -> Any:
        data = text.encode() if isinstance(text, str) else text
        # of ASCII, characters and bytes are counted alike
        if endpos is None and (not pos or len(data) == len(text)):
            spans = self._regexp.Match(_ANYWHERE, data, pos, len(data))
            if spans[0][0] < 0:
                return None
            if len(data) == len(text):
                return re2._Match(self, text, pos, len(text), spans)
        return super().search(text, pos, endpos)

    def list_spans(self, text: bytes) -> list[tuple[tuple[int, int], ...]]:
        """Of each match in UTF-8 its start and end, then those of its groups, (-1, -1) of one that is not in it."""
        found, at = [], 0
        while at <= len(text) and (spans := self._regexp.Match(_ANYWHERE, text, at, len(text)))[0][0] >= 0:
            found.append(spans)
            # behind an empty match the search goes on at the next byte
            at = spans[0][1] + (spans[0][1] == at)
        return found


_STATE_BYTES: Final = 32 << 20
"""Of the states of one automaton at most; they are made as texts need them. With the 8 MB that RE2 takes where nothing
is said, one over words of all languages (dates, a dozen rules) forgot its states and was six times slower."""


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> Any:
    """An RE2 expression: matching takes time linear in the text. Raises `RuleError`."""
    options = re2.Options()
    # RE2 writes faults to standard error, where they would stand in the output of a command
    options.log_errors, options.max_mem = False, _STATE_BYTES
    try:
        return Expression(pattern, options)
    except re2.error as error:
        (message,) = error.args
        message = message.decode() if isinstance(message, bytes) else message
        # what authors know from other languages
        is_missing = "perl operator" in message or "escape sequence" in message
        hint = f"; {_MISSING}" if is_missing else ""
        raise RuleError(f"not a regular expression of RE2: {pattern!r} ({message}){hint}") from error


_MISSING: Final = (
    "it has no look-ahead, look-behind and references back, so that matching takes time linear in the text: say what "
    "must not be there by `outside`, `page_lacks`, or a rule of its own that keeps it"
)


@lru_cache(maxsize=4096)
def compile_set(patterns: tuple[str, ...]) -> Any:
    """Several RE2 expressions as one automaton: it tells which of them occur in a text, not where."""
    options = re2.Options()
    options.max_mem = _STATE_BYTES
    found = re2.Set.SearchSet(options)
    for pattern in patterns:
        compile_pattern(pattern)
        found.Add(pattern)
    found.Compile()
    return found


_VARIANTS: Final = {
    "'": "'‘’‚‛ʼ′´＇",
    '"': '"“”„‟″＂',
    "-": "-‐‑‒–—―−﹣－",
}
"""Plain sign -> what may stand for it: quotation marks and dashes of Unicode, and their wide and small forms."""
_PLAIN: Final = {variant: plain for plain, variants in _VARIANTS.items() for variant in variants}
_INVISIBLE: Final = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_FOLD: Final = str.maketrans({**_PLAIN, **dict.fromkeys(_INVISIBLE, "")})
_SPACES: Final = "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_TOKEN: Final = re.compile(
    r"(?P<same>\\Q.*?(?:\\E|\Z)|\\[pPx]\{[^}]*\}|\(\?[A-Za-z-]*[:)])"  # literal runs, escapes with a name, flags
    r"|(?P<members>\[\^?\]?(?:\[:\^?\w+:\]|\\[pPx]\{[^}]*\}|\\.|[^\]\\])*\])"
    r"|\\?(?P<sign>.)",
    re.DOTALL,
)
_MEMBER: Final = re.compile(
    r"(?P<same>\[:\^?\w+:\]|\\[pPx]\{[^}]*\}|(?:\\.|[^\\])-(?:\\.|[^\\]))|\\?(?P<sign>.)", re.DOTALL
)


def fold_typography(text: str) -> str:
    """The text with straight quotes, hyphens for dashes, single spaces, and without invisible characters."""
    return " ".join((text if text.isascii() else text.translate(_FOLD)).split())


@lru_cache(maxsize=4096)
def widen_pattern(pattern: str) -> str:
    """An RE2 expression that finds, besides what it found, the variants of its quotes, dashes and spaces.

    Ranges, named classes, `\\Q...\\E` and characters given by number stay as they are.
    """
    if _PLAIN.keys().isdisjoint(pattern) and set(_SPACES).isdisjoint(pattern):
        return pattern
    return _TOKEN.sub(_widen_token, pattern)


def _widen_token(token: re.Match[str]) -> str:
    members, sign = token["members"], token["sign"]
    if members is not None:
        # a class that excludes a quote excludes its variants too
        start = 2 if members.startswith("[^") else 1
        # a member of a class, with its variants as further members
        wider = _MEMBER.sub(lambda member: _list_variants(member["sign"]) or member[0], members[start:-1])
        return f"{members[:start]}{wider}]"
    variants = _list_variants(sign)
    return f"[{variants}]" if variants else " " if sign is not None and sign in _SPACES else token[0]


def _list_variants(sign: str | None) -> str:
    """The variants of a sign, to stand inside brackets; '' for any other character."""
    return _VARIANTS[_PLAIN[sign]].replace("-", "\\-") if sign is not None and sign in _PLAIN else ""


_MOST: Final = 256
"""Literals of a part of an expression: beyond that, fewer and shorter ones of a smaller part tell nearly as much."""
_MOST_MEMBERS: Final = 12
"""Of a class of characters that is spelt out; a quotation mark has eight forms, a dash ten (`matching.expressions`)."""
_LAST_FOLDED: Final = 0xFFFF
_LEAST_WEIGHT: Final = 3
"""Of a literal inside a text: two letters of ASCII are in every other text, one sign beyond it is in few."""
_SIGNS: Final = frozenset("%#@$=+*<>{}[]|\\^~_")
"""Of ASCII, in as few texts as one beyond it."""
_ENOUGH: Final = 6
"""Weight from which a literal is rare: of two sets of such, the smaller one is better."""
_parser, _codes = import_module("re._parser"), import_module("re._constants")
"""The parser of Python, whose syntax is that of RE2 but for names of characters. `re` has it under these names since
3.11, without promising them; tests of the literals of expressions would tell of a change."""
_WARNINGS: Final = Lock()  # filters of warnings are of the process: what another thread puts back must not be ours
_CHARACTER: Final = re.compile(r"\\x\{([0-9a-fA-F]+)\}")
_CLASS: Final = re.compile(r"\\[pP](?:\{[^}]*\}|[A-Z])|\[:\^?\w+:\]")
_BY_LINES: Final = re.compile(r"\(\?[A-Za-z]*m")  # then `^` is no start of the text


class Literals(NamedTuple):
    """What an expression needs: one of the texts, folded; at_start: at the start of the text."""

    texts: frozenset[str]
    at_start: bool


class _Part(NamedTuple):
    """What is known of a part of an expression; None where nothing is.

    exact: all that it matches. needed: one of these is in all that it matches. begins: one of these begins all that it
    matches. is_anchored: it matches at the start of a text alone.
    """

    exact: frozenset[str] | None = None
    needed: frozenset[str] | None = None
    begins: frozenset[str] | None = None
    is_anchored: bool = False


_NOTHING: Final = frozenset([""])
_UNKNOWN: Final = _Part()


@lru_cache(maxsize=4096)
def find_literals(pattern: str) -> Literals | None:
    """What a text must have for an expression of RE2 to occur in it; None where that is unknown, or too common."""
    plain = _CHARACTER.sub(lambda found: f"\\U{found[1]:0>8}", pattern).replace("\\z", "\\Z")
    try:
        with _WARNINGS, warnings.catch_warnings():
            # of a class within a class, which is none here
            warnings.simplefilter("ignore", FutureWarning)
            part = _read_sequence(_parser.parse(_CLASS.sub(r"\\w", plain)))
    # RE2 takes groups in groups that are too deep for Python: without literals each text is searched
    except (re.error, RecursionError, OverflowError):
        return None
    if _BY_LINES.search(pattern):
        return None
    # only the start of each text is compared: `^read` is in no text that merely has the word
    needed = _choose(part.exact, part.needed)
    # `^(?:subscribe|s.inscrire)` begins with an s, as a tenth of all texts does: what is inside tells more
    is_telling = needed is None or _weigh(part.begins) > 0
    if part.is_anchored and part.begins and "" not in part.begins and is_telling:
        return Literals(_leave_out_longer(part.begins, str.startswith), at_start=True)
    return Literals(_leave_out_longer(needed, str.__contains__), at_start=False) if needed else None


def compile_literals(needs: Sequence[Literals | None]) -> Any:
    """What finds the texts that have what is needed, by the place in `needs`; nothing for None."""
    known = [(number, need) for number, need in enumerate(needs) if need is not None]
    listed = [(text, number, need.at_start) for number, need in known for text in sorted(need.texts)]
    texts, numbers, starts = map(list, zip(*listed, strict=True)) if listed else ([], [], [])
    return core.LiteralSet(texts, numbers, starts)


def _unite(
    sets: Sequence[frozenset[str] | None], has: Callable[[str, str], bool] | None = None
) -> frozenset[str] | None:
    """What is known of alternatives. has: of literals of which one is enough, whether one has another."""
    known = [one for one in sets if one is not None]
    whole = frozenset().union(*known)
    if len(whole) > _MOST and has is not None:
        whole = _leave_out_longer(whole, has)
    # all alternatives must be known: an unknown one may match anything
    return whole if len(known) == len(sets) and len(whole) <= _MOST else None


def _read_item(kind: Any, about: Any) -> _Part:
    """What is known of an item as Python parses it."""
    found = _UNKNOWN
    if kind is _codes.LITERAL:
        found = _read_signs([about])
    elif kind is _codes.IN and len(about) <= _MOST_MEMBERS and all(one is _codes.LITERAL for one, _ in about):
        found = _read_signs([sign for _, sign in about])
    elif kind is _codes.BRANCH:
        choices = list(map(_read_sequence, about[1]))
        found = _Part(
            _unite([part.exact for part in choices]),
            _unite([_choose(part.exact, part.needed) for part in choices], str.__contains__),
            _unite([part.begins for part in choices], str.startswith),
            all(part.is_anchored for part in choices),
        )
    elif kind is _codes.SUBPATTERN:
        found = _read_sequence(about[-1])
    elif kind in (_codes.MAX_REPEAT, _codes.MIN_REPEAT):
        least, most, inside = about
        part = _read_sequence(inside)
        if least:
            found = part._replace(exact=None, needed=_choose(part.exact, part.needed))
        # there or not: both are exact
        elif most == 1 and part.exact is not None:
            found = _make_exact(part.exact | _NOTHING)
    elif kind is _codes.AT:
        is_start = about in (_codes.AT_BEGINNING, _codes.AT_BEGINNING_STRING)
        found = _make_exact(_NOTHING)._replace(is_anchored=is_start)
    return found


def _read_signs(signs: Sequence[int]) -> _Part:
    """One of some characters."""
    # the table of folds ends there
    if max(signs) > _LAST_FOLDED:
        return _UNKNOWN
    folds = core.list_case_folds()
    return _make_exact(frozenset(chr(folds[sign]) for sign in signs))


def _make_exact(texts: frozenset[str]) -> _Part:
    return _Part(texts, None, texts)


def _read_sequence(items: Iterable[tuple[Any, Any]]) -> _Part:
    """Literals that follow each other become longer ones, as long as they are few."""
    run: frozenset[str] = _NOTHING  # of exact parts that follow each other
    needed: frozenset[str] | None = None
    begins: frozenset[str] | None = None
    is_whole, is_anchored = True, False
    for part in starmap(_read_item, items):
        is_anchored |= part.is_anchored and is_whole and run == _NOTHING
        longer = _multiply(run, part.exact)
        if longer is not None:
            run = longer
            continue
        if is_whole:
            begins, is_whole = _multiply(run, part.begins) or run, False
        needed = _choose(_choose(_choose(needed, run), part.exact), part.needed)
        # an inexact part ends the run of literals: after `.{0,30}` another run begins
        run = part.exact or _NOTHING
    if is_whole:
        return _Part(run, None, run, is_anchored)
    return _Part(None, _choose(needed, run), begins, is_anchored)


def _multiply(texts: frozenset[str], following: frozenset[str] | None) -> frozenset[str] | None:
    """Each text with each that may follow it; None for too many."""
    if following is None or len(texts) * len(following) > _MOST:
        return None
    return frozenset(map("".join, product(texts, following)))


def _choose(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    """The set of literals that tells more; None where neither tells anything."""
    # the rarer set; of equally rare ones the smaller, for each literal is looked for
    best = max((one, other), key=lambda texts: (_weigh(texts), -len(texts or ())))
    return best if _weigh(best) else None


@lru_cache(maxsize=4096)
def _weigh(texts: frozenset[str] | None) -> int:
    """How rare the most common of some literals is; 0 where they are too common to be worth a look."""
    least = min(
        (sum(1 if char.isascii() and char not in _SIGNS else _LEAST_WEIGHT for char in text) for text in texts or ()),
        default=0,
    )
    return 0 if least < _LEAST_WEIGHT else min(least, _ENOUGH)


def _leave_out_longer(texts: frozenset[str], has: Callable[[str, str], bool]) -> frozenset[str]:
    """The texts without those of which another one is a part."""
    return frozenset(text for text in texts if not any(other != text and has(text, other) for other in texts))
