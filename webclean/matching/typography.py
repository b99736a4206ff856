"""Texts and patterns of rules, so that straight and typographic signs find each other.

An author types `don't - really`; the page says `don’t – really`, perhaps with a no-break space. Texts are compared
folded. A pattern cannot be folded (a dash is a range inside brackets, and escapes name characters by number), so it is
widened: each quote or dash that stands for itself becomes the class of its variants.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

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
        start = 2 if members.startswith("[^") else 1
        return members[:start] + _MEMBER.sub(_widen_member, members[start:-1]) + "]"
    variants = _list_variants(sign)
    return f"[{variants}]" if variants else " " if sign is not None and sign in _SPACES else token[0]


def _widen_member(member: re.Match[str]) -> str:
    """A member of a class, with its variants as further members."""
    return _list_variants(member["sign"]) or member[0]


def _list_variants(sign: str | None) -> str:
    """The variants of a sign, to stand inside brackets; '' for any other character."""
    return _VARIANTS[_PLAIN[sign]].replace("-", "\\-") if sign is not None and sign in _PLAIN else ""
