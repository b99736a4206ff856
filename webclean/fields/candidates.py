"""Candidates for title, date and author: their features, how spellings of one text are told to be equal, and the card
that chooses one.

Each source that states a value adds a feature to that candidate, so sources that agree add up. If no candidate has at
least 0 points, the field is empty.

`candidate_features.toml` lists the features, with their units and meanings; the modules that find a candidate (`title`,
`date`, `author`) set them, and one that is not set is 0. Features of the page are equal for all candidates, so they
decide only whether the field has a value at all (`choose_candidate`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final
from unicodedata import normalize

import msgspec

from webclean.features.cards import compile_card, softmax
from webclean.model import FieldValue
from webclean.parse.limits import check_time
from webclean.registry import FeatureRegistry
from webclean.rules.card_schema import Card
from webclean.storage import read_table

MAX_ALTERNATIVES: Final = 5
"""Other values that a result tells: what is further down is hardly ever right."""
_SIGN: Final = re.compile(r"[^\w\s]|_")
"""What is in no word."""
_SIGNS: Final = bytes(code for code in range(128) if not chr(code).isalnum() and not chr(code).isspace())
"""The same in ASCII; white space parts words and stays."""
_LOWER: Final = bytes(range(256)).lower()
# Letters that Unicode does not decompose into a letter and an accent, and the i of Turkish with and without its dot.
_STROKES: Final = str.maketrans("łŁøØđĐıİ", "lLoOdDii")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
"""Combining marks of Latin, Greek and Cyrillic; those of kana are different characters."""


class Candidate(msgspec.Struct):
    """A possible value: its first source, its features (name -> value), the row of its element or -1, and of a list of
    authors their names."""

    value: str
    source: str
    features: dict[str, float] = {}
    row: int = -1
    names: tuple[str, ...] = ()


class Pool:
    """Collects what a page states of a field, in the order in which its sources are trusted; the spellings of one key
    share a candidate."""

    def __init__(self) -> None:
        self.found: dict[str, Candidate] = {}
        self._marked: set[str] = set()

    def mark_first(self, feature: str) -> list[str]:
        """The feature the first time it is asked for; nothing afterwards."""
        if feature in self._marked:
            return []
        self._marked.add(feature)
        return [feature]

    def put(self, key: str, value: str, source: str, features: Iterable[str], row: int) -> Candidate:
        """The candidate of a key, with further features."""
        known = self.found.get(key)
        if known is None:
            known = self.found[key] = Candidate(value, source, row=row)
        elif known.value.isupper() and not value.isupper():
            known.value = value  # capitals are typography: the h1 shouts what `<title>` says
        for feature in features:
            known.features[feature] = 1.0
        return known


@lru_cache(maxsize=1024)
def fold_words(text: str) -> tuple[str, ...]:
    """The letters and digits of each word, case folded and without accents; a word without any is left out."""
    # most titles are ASCII, of which all words are folded in three calls; pages have dozens of candidates
    if text.isascii():
        return tuple(text.encode().translate(_LOWER, _SIGNS).decode().split())
    # Hangul and kana stay as they are
    text = normalize("NFC", _ACCENTS.sub("", normalize("NFD", text.translate(_STROKES))))
    return tuple(_SIGN.sub("", text).casefold().split())


@lru_cache(maxsize=1024)
def fold_text(text: str) -> str:
    """Letters and digits, case folded: equal for all spellings of one title or name."""
    return "".join(fold_words(text))


def score_candidates(candidates: Iterable[Candidate], card: Card, page: dict[str, float] | None = None) -> list[float]:
    """Points of each candidate: of its own features plus those of the page. Features not in the card have 0 points."""
    check_time()
    # features of the page are the same for all candidates, so their points are summed once
    compiled = compile_card(card)
    score, start = compiled.row_plan.score, compiled.start
    of_page: float = score(page, start)[0] - start[0] if page else 0.0
    return [of_page + score(candidate.features, start)[0] for candidate in candidates]


def choose_candidate(
    candidates: Sequence[Candidate], card: Card, page: dict[str, float] | None = None
) -> tuple[Candidate | None, FieldValue]:
    """The candidate with the most points (of equals, the first) if it has at least 0, else None; and the field's value.

    The confidence is the probability of that choice in a softmax over the points of all candidates and of the choice
    "no value", which has 0 points.
    """
    if not candidates:
        return None, FieldValue(None)
    points = score_candidates(candidates, card, page)
    # stable: of equals the first stays first, and candidates come in the order of trust
    order = sorted(range(len(points)), key=points.__getitem__, reverse=True)
    ranked = [candidates[number] for number in order]
    probabilities = softmax([0.0, *[points[number] for number in order]])
    if points[order[0]] < 0:
        return None, FieldValue(None, "", probabilities[0], list_alternatives(ranked))
    best = ranked[0]
    return best, FieldValue(best.value, best.source, probabilities[1], list_alternatives(ranked[1:]))


def list_alternatives(candidates: Iterable[Candidate]) -> tuple[tuple[str, str], ...]:
    """(value, source) of the best of the given candidates, which are in order of points; each value once."""
    found: dict[str, str] = {}
    for candidate in candidates:
        found.setdefault(candidate.value, candidate.source)
        if len(found) == MAX_ALTERNATIVES:
            break
    return tuple(found.items())


@cache
def read_features() -> dict[str, FeatureRegistry[Mapping[str, float], float]]:
    """The registries of `candidate_features.toml`: `title`, `title_text`, `date`, `author`. Their subject is the
    features of a candidate. What checks rules, learns cards and writes documents asks for them; a page does not."""
    found = {}
    for key, table in read_table(__file__, "candidate_features.toml").items():
        learnt = tuple(table["sections"][:1])  # that of a modified date is written by hand
        registry = FeatureRegistry[Mapping[str, float], float](table["subject"], *table["sections"], cards=learnt)
        entries = list(table["features"].items())
        entries += [
            (f"{name}_first", (unit, f"the first of those: {meaning}"))
            for name, (unit, meaning) in entries
            if name in table.get("firsts", ())
        ]
        entries += [
            (f"{name}_on_NAME", ("0 or 1", f"`{name}`, on a page that says it is of this kind (`on_`)"))
            for name in table.get("of_kind", ())
        ]
        for name, (unit, meaning) in entries:
            if name.endswith("NAME"):
                prefix = name.removesuffix("NAME")
                registry.family(prefix, unit, meaning)(lambda rest, prefix=prefix: _make_reader(prefix + rest))
            else:
                registry.feature(unit, meaning, name=name)(_make_reader(name))
        found[key] = registry
    return found


def _make_reader(name: str) -> Callable[[Mapping[str, float]], float]:
    return lambda values: values.get(name, 0.0)
