"""Searches many short texts for the regular expressions of the rules in two steps: what is quick to search for first,
then Python's `re`.

Most expressions need one of a few literals, which the core finds (`matching.expressions`). For the others there is RE2.
RE2 (https://github.com/google/re2) searches all texts of a page in one pass, in linear time, but supports neither
lookaround nor Unicode word boundaries. It is therefore given a looser expression, which matches wherever the original
one does and possibly elsewhere; `re` then applies the original expression only at the places that RE2 found. Example:
`(?<!un)known\\b` is loosened to `known`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

import re2

from webclean.caching import cached_property
from webclean.errors import RuleError
from webclean.matching.expressions import Expression, compile_literals, find_literals

_END: Final = "\n"
"""Stands between texts, where a newline is a space: no expression of the rules asks for a newline."""
SCAN_CHARS: Final = 400
"""Of a text that an expression is asked of: Python's `re` may take time that grows with the square of the length."""
_MAX_MEMORY: Final = 64 << 20
"""Bytes of memory for the automaton of one RE2 expression; if it needs more, searches are slower but still right. With
half of it that of the dates of all languages forgot its states at every other text."""

_TOKEN: Final = re.compile(
    r"\\u[0-9a-fA-F]{4}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?P<\w+>|\(\?<?[=!]|\(\?[ims-]*:|.", re.DOTALL
)
_IN_CLASS: Final = re.compile(r"\\u([0-9a-fA-F]{4})|\\([wdsWDS])")
_WIDER: Final = {
    "w": r"\pL\pN\pM\pP_",
    "d": r"\p{Nd}",
    "s": r"\s\x{b}\x{1c}-\x{1f}\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}",
}
"""Classes of `re` on text -> what RE2 calls at least as much, its own being ASCII; W, D and S may be anything."""
_ANY: Final = r"\x{0}-\x{10ffff}"
_LOOSE: Final = {
    r"\b": "",
    r"\B": "",
    r"\A": f"(?:^|{_END})",
    "^": f"(?:^|{_END})",
    r"\Z": f"(?:{_END}|$)",
    "$": f"(?:{_END}|$)",
}
_LOOKAROUND: Final = frozenset(("(?=", "(?!", "(?<=", "(?<!"))


def loosen_pattern(pattern: str) -> str:
    """An RE2 expression that matches wherever an expression of `re` does: no lookaround, no word bounds, no groups."""
    parts: list[str] = []
    depth, skipped = 0, 0
    for token in _TOKEN.findall(pattern):
        depth += token[0] == "("
        # a look-around is left out whole, with nested brackets: without it the pattern matches more, never less
        if token in _LOOKAROUND and not skipped:
            skipped = depth  # until this bracket is closed
        if not skipped:
            parts.append(_loosen_token(token))
        depth -= token == ")"
        if skipped and depth < skipped:
            skipped = 0
    return "".join(parts)


def _loosen_token(token: str) -> str:
    if token in _LOOSE:
        return _LOOSE[token]
    if token[0] == "[":
        negated = token.startswith("[^")
        loose = _IN_CLASS.sub(lambda found: _loosen_escape(found, negated), token)
        # a class of which all escapes were left out excludes nothing
        return loose if loose != "[^]" else f"[{_ANY}]"
    if _IN_CLASS.fullmatch(token):
        return f"[{_IN_CLASS.sub(lambda found: _loosen_escape(found, False), token)}]"
    return "(?:" if token == "(" or token.startswith("(?P<") else token


def _loosen_escape(found: re.Match[str], negated: bool) -> str:
    """The RE2 equivalent of an escape in a character class. In a negated class it is left out, which matches more."""
    code, letter = found.groups()
    if code:
        return rf"\x{{{code}}}"
    return "" if negated else _WIDER.get(letter, _ANY)


def _make_options() -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MAX_MEMORY
    return options


class Finder:
    """One regular expression of the rules, compiled when it is asked for: of the dates of many languages a page has
    those of one. written: an expression of RE2 that matches wherever it does."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._pattern, self._flags = pattern, flags
        self.written = f"(?{'i' * bool(flags & re.IGNORECASE)}:{loosen_pattern(pattern)})"

    @cached_property
    def exact(self) -> re.Pattern[str]:
        """The expression itself. Raises `RuleError`."""
        try:
            return re.compile(self._pattern, self._flags)
        except re.error as error:
            raise RuleError(f"not a regular expression: {self._pattern!r} ({error})") from error

    @cached_property
    def loose(self) -> Any:
        """The one of RE2, on bytes. Raises `RuleError`."""
        return _compile_loose(self.written)


def _compile_loose(written: str) -> Any:
    try:
        return Expression(written.encode(), _make_options())
    except re2.error as error:
        raise RuleError(f"not a regular expression: {written!r} ({error})") from error


class FinderSet:
    """Several regular expressions that are searched for together.

    Most need one of a few literals (`author`, `by-line`), which the core finds in all texts at once; the others are one
    RE2 automaton.
    """

    def __init__(self, finders: Iterable[Finder], also: str = "") -> None:
        """also: an expression that `loose` matches in addition."""
        self.finders = tuple(finders)
        self._patterns = [finder.written for finder in self.finders]
        self._also = [also] if also else []
        needs = [find_literals(pattern) for pattern in self._patterns]
        self._literals = compile_literals(needs)
        self._others = [number for number, need in enumerate(needs) if need is None]
        self._test = re2.Set.SearchSet(_make_options())
        for number in self._others:
            self._test.Add(self._patterns[number])
        self._test.Compile()

    @cached_property
    def loose(self) -> Any:
        """What matches wherever one of the expressions does (RE2, on bytes)."""
        return _compile_loose("|".join([*self._patterns, *self._also]))

    @cached_property
    def _starting(self) -> Any:
        """Which of the expressions may match at the start of a text."""
        found = re2.Set.MatchSet(_make_options())
        for pattern in self._patterns:
            found.Add(pattern)
        found.Compile()
        return found

    @cached_property
    def _loose_others(self) -> Any:
        return _compile_loose("|".join([self._patterns[number] for number in self._others]))

    def list_possible(self, text: str) -> list[int]:
        """Indices of the expressions that may match a text."""
        found = [number for _, number in self._literals.find([text])]
        if self._others and (others := self._test.Match(text)):
            found += map(self._others.__getitem__, others)
        return sorted(found)

    def find_each(self, texts: list[str]) -> Iterator[tuple[int, list[int]]]:
        """(index of a text, numbers of the expressions that may match it), of the texts where one may."""
        found: dict[int, list[int]] = {}
        for i, number in self._literals.find(texts):
            found.setdefault(i, []).append(number)
        if self._others:
            for i in TextScan(texts).find_texts(self._loose_others):
                possible = self._test.Match(texts[i][:SCAN_CHARS]) or ()
                found.setdefault(i, []).extend([self._others[number] for number in possible])
        return ((i, sorted(found[i])) for i in sorted(found))

    def find_all(self, text: str) -> Iterator[re.Match[str]]:
        """Matches by place, of which none overlap; where several expressions match, that of the first of them.

        RE2 says where to try, and which of them.
        """
        data, at = text.encode("utf-8", "replace"), 0
        is_plain = len(data) == len(text)
        while at < len(data) and (found := self.loose.search(data, at)):
            at = found.start()
            start = at if is_plain else len(data[:at].decode("utf-8", "replace"))
            # `re` tries the names of all months one after the other
            possible = sorted(self._starting.Match(data[at:]) or ())
            at += 1  # where no expression matches exactly, the next byte may begin another place
            for number in possible:
                if match := self.finders[number].exact.match(text, start):
                    yield match
                    end = match.end()
                    at = max(at, end if is_plain else len(text[:end].encode("utf-8", "replace")))
                    break


@lru_cache(maxsize=512)
def compile_finder(pattern: str, flags: int = re.IGNORECASE) -> Finder:
    """The finder of an expression, made once."""
    return Finder(pattern, flags)


@lru_cache(maxsize=64)
def compile_finders(*patterns: str) -> FinderSet:
    """The finders of several expressions, made once."""
    return FinderSet(map(compile_finder, patterns))


class TextScan:
    """Many short texts, searched together.

    joined: the texts with a newline between, where they are joined already and hold none.
    """

    def __init__(self, texts: Sequence[str], joined: str = "") -> None:
        self.texts = texts
        if not joined:
            joined = _END.join(texts)
            # some text has a newline of its own, which would be taken for an end
            if joined.count(_END) >= max(1, len(texts)):
                joined = _END.join([text.replace(_END, " ") for text in texts])
        # lone surrogates have no UTF-8: a `?` in their place keeps the count of texts
        self._data = joined.encode("utf-8", "replace")

    def find_texts(self, loose: Any) -> Iterator[int]:
        """Indices of the texts, whole, that a looser expression (RE2, on bytes) matches, in order."""
        data, number, at = self._data, 0, 0
        # a text is told once: the search goes on behind its end
        while at >= 0 and data and (found := loose.search(data, at)):
            # at least one further, so that an empty match cannot loop
            start = found.start() + 1
            number += data.count(b"\n", at, start)
            yield number
            at = data.find(b"\n", start)
