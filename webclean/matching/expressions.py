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
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
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


@lru_cache(maxsize=4096)
def compile_pattern(pattern: str) -> Any:
    """An RE2 expression: matching takes time linear in the text. Raises `RuleError`."""
    options = re2.Options()
    # RE2 writes faults to standard error, where they would stand in the output of a command
    options.log_errors = False
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


_SET_BYTES: Final = 32 << 20
"""Of the states of one automaton at most; they are made as texts need them. With the 8 MB that RE2 takes where nothing
is said, that of a dozen expressions over words of all languages forgot and remade its states at every other text."""


@lru_cache(maxsize=4096)
def compile_set(patterns: tuple[str, ...]) -> Any:
    """Several RE2 expressions as one automaton: it tells which of them occur in a text, not where."""
    options = re2.Options()
    options.max_mem = _SET_BYTES
    found = re2.Set.SearchSet(options)
    for pattern in patterns:
        compile_pattern(pattern)
        found.Add(pattern)
    found.Compile()
    return found


@lru_cache(maxsize=4096)
def compile_test(pattern: str) -> Callable[[str], bool]:
    """Compile an RE2 expression to a function that tells whether it occurs in a text."""
    match = compile_set((pattern,)).Match
    return lambda text: bool(match(text))


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
_LEAST_WEIGHT: Final = 3
"""Of a literal inside a text: two letters of ASCII are in every other text, one sign beyond it is in few."""
_SIGNS: Final = frozenset("%#@$=+*<>{}[]|\\^~_")
"""Of ASCII, in as few texts as one beyond it."""
_ENOUGH: Final = 6
"""Weight from which a literal is rare: of two sets of such, the smaller one is better."""
_ITEM: Final = re.compile(
    r"(?P<plain>[^\\()\[\]*+?{|^$.]+(?![*+?{]))"  # words, which stand for themselves
    r"|(?P<open>\((?:\?(?:P?<\w+>|[imsU]*:))?(?!\?))|(?P<flags>\(\?[imsU]+\))|(?P<close>\))|(?P<or>\|)"
    r"|(?P<anchor>\^|\\A)|(?P<empty>\$|\\[bBz])"
    r"|(?P<members>\[(?!\^)(?:\\[^a-zA-Z0-9]|[^\]\\[\-])(?:\\[^a-zA-Z0-9]|[^\]\\[\-])*\])"
    r"|(?P<any>\.|\\[dDsSwW]|\\[pPx]\{[^}]*\}|\[\^?\]?(?:\[:\^?\w+:\]|\\[pPx]\{[^}]*\}|\\.|[^\]\\])*\])"
    r"|\\(?P<escaped>[^a-zA-Z0-9])|(?P<sign>[^\\()\[\]*+?{|^$.])",
    re.DOTALL,
)
# how often the item before it; group 1 is the least number
_REPEAT: Final = re.compile(r"(?:[*+?]|\{(\d+)(?:,\d*)?\})\??")


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


class _Unknown(Exception):  # noqa: N818  no error: it is caught in this file
    """A construct that is not understood."""


_NOTHING: Final = frozenset([""])
_UNKNOWN: Final = _Part()


@lru_cache(maxsize=4096)
def find_literals(pattern: str) -> Literals | None:
    """What a text must have for an expression of RE2 to occur in it; None where that is unknown, or too common."""
    try:
        part, at = _read_choice(pattern, 0)
    except _Unknown:
        return None
    if at < len(pattern):
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


def _read_choice(pattern: str, at: int) -> tuple[_Part, int]:
    """The alternatives from a place on, and where they end: at a closing bracket, or with the expression."""
    choices = []
    while True:
        part, at = _read_sequence(pattern, at)
        choices.append(part)
        if pattern[at : at + 1] != "|":
            break
        at += 1
    if len(choices) > 1:
        part = _Part(
            _unite([part.exact for part in choices]),
            _unite([_choose(part.exact, part.needed) for part in choices]),
            _unite([part.begins for part in choices]),
            all(part.is_anchored for part in choices),
        )
    return part, at


def _unite(sets: Sequence[frozenset[str] | None]) -> frozenset[str] | None:
    known = [one for one in sets if one is not None]
    whole = frozenset[str]().union(*known)
    # all alternatives must be known: an unknown one may match anything
    return whole if len(known) == len(sets) and len(whole) <= _MOST else None


def _read_sequence(pattern: str, at: int) -> tuple[_Part, int]:
    """What stands from a place on, up to `|`, a closing bracket or the end."""
    parts = []
    while at < len(pattern):
        item = _ITEM.match(pattern, at)
        if item is None:
            raise _Unknown
        if item["or"] or item["close"]:
            break
        part, at = _read_item(pattern, item)
        repeat = _REPEAT.match(pattern, at)
        if repeat is not None:
            part, at = _repeat(part, repeat), repeat.end()
        parts.append(part)
    return _join_sequence(parts), at


def _read_item(pattern: str, item: re.Match[str]) -> tuple[_Part, int]:
    if item["open"]:
        if "m" in item["open"].partition("<")[0]:  # then `^` is no start of the text
            raise _Unknown
        part, at = _read_choice(pattern, item.end())
        if pattern[at : at + 1] != ")":
            raise _Unknown
        return part, at + 1
    if item["flags"] and "m" in item["flags"]:
        raise _Unknown
    if item["flags"] or item["empty"]:
        return _make_exact(_NOTHING), item.end()
    if item["anchor"]:
        return _Part(_NOTHING, None, _NOTHING, is_anchored=True), item.end()
    if item["any"]:
        return _UNKNOWN, item.end()
    written = item["plain"] or item["escaped"] or item["sign"]
    members = re.sub(r"\\(.)", r"\1", item["members"][1:-1]) if item["members"] else [written]
    if len(members) > _MOST_MEMBERS:
        return _UNKNOWN, item.end()
    # the table of folds ends there
    if max(map(max, members)) > "\uffff":
        raise _Unknown
    return _make_exact(frozenset(map(_fold_case, members))), item.end()


def _fold_case(text: str) -> str:
    folds = core.list_case_folds()
    return text.lower() if text.isascii() else "".join([chr(folds[ord(sign)]) for sign in text])


def _make_exact(texts: frozenset[str]) -> _Part:
    return _Part(texts, None, texts)


def _repeat(part: _Part, repeat: re.Match[str]) -> _Part:
    # there or not: both are exact
    if repeat[0].startswith("?"):
        return _make_exact(part.exact | _NOTHING) if part.exact is not None else _UNKNOWN
    may_lack = repeat[0].startswith("*") or (repeat[1] is not None and int(repeat[1]) == 0)
    return _UNKNOWN if may_lack else part._replace(exact=None, needed=_choose(part.exact, part.needed))


def _join_sequence(parts: Sequence[_Part]) -> _Part:
    """Literals that follow each other become longer ones, as long as they are few."""
    run: frozenset[str] = _NOTHING  # of exact parts that follow each other
    needed: frozenset[str] | None = None
    begins: frozenset[str] | None = None
    is_whole, is_anchored = True, False
    for part in parts:
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
