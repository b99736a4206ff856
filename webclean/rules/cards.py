"""The cards of a rule set: where they are, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from itertools import pairwise
from typing import Any, Final

from webclean.rules.card_schema import Bins, Card, Line, Points
from webclean.rules.files import Path_

CARDS: Final[dict[tuple[str, ...], tuple[str, ...]]] = {
    ("score_card",): ("by_type",),
    ("second_card",): ("by_type",),
    ("article_card",): ("by_type",),
    ("plain_card",): ("by_type",),
    ("page_type", "card"): ("words", "temperature"),
    ("roles",): ("given",),
    ("splits",): ("given",),
    ("sections",): ("given",),
    ("fields", "title", "card"): (),
    ("fields", "date", "card"): (),
    ("fields", "date", "modified_card"): (),
    ("fields", "author", "card"): (),
}
"""Path of each card -> the keys that it may have beside `bias` and `lines`."""
_OPTIONAL: Final = ("given", "by_type", "words", "temperature")
_EMPTY: Final = Card()

Fault = tuple[Path_, str]


def list_cards(rules: Any) -> Iterator[tuple[tuple[str, ...], Card]]:
    """All cards of a rule set, with their paths."""
    for path in CARDS:
        yield path, reduce(getattr, path, rules)


def find_misplaced(card: Card, path: tuple[str, ...]) -> Iterator[Fault]:
    """The keys of a card that have no effect at its place."""
    for key in _OPTIONAL:
        if key not in CARDS[path] and getattr(card, key) != getattr(_EMPTY, key):
            yield (*path, key), f"a card has no {key!r} here"


def find_card_faults(card: Card, path: Path_ = ()) -> Iterator[Fault]:
    """Faults of a card: limits that do not rise, points that do not fit their bins, classes that the bias has not."""
    for part, lines in list_lines(card):
        for name, line in lines.items():
            yield from _find_line_faults(line, card.classes, (*path, *part, name))
    for kind, added in card.by_type.items():
        yield from _find_class_faults(added.bias, card.classes, (*path, "by_type", kind, "bias"))
    for channel, words in card.words.items():
        for word, points in words.items():
            yield from _find_class_faults(points, card.classes, (*path, "words", channel, word))


def list_lines(card: Card) -> Iterator[tuple[tuple[str, ...], Mapping[str, Line]]]:
    """The lines of all parts of a card, with their paths in it."""
    yield ("lines",), card.lines
    yield ("given",), card.given
    for kind, added in card.by_type.items():
        yield ("by_type", kind, "lines"), added.lines


def _find_line_faults(line: Line, classes: tuple[str, ...], path: Path_) -> Iterator[Fault]:
    if not isinstance(line, Bins):
        yield from _find_class_faults(line, classes, path)
        return
    if not all(low < high for low, high in pairwise(line.below)):
        yield (*path, "below"), "the limits of `below` must rise"
    by_class = line.points if isinstance(line.points, dict) else None
    yield from _find_class_faults(1.0 if by_class is None else dict.fromkeys(by_class, 1.0), classes, path)
    for name, points in by_class.items() if by_class is not None else [("points", line.points)]:
        if len(points) != len(line.below) + 1:
            yield (*path, "points"), f"{name}: {len(points)} points for {len(line.below) + 1} bins"


def _find_class_faults(points: Points, classes: tuple[str, ...], path: Path_) -> Iterator[Fault]:
    known = f"one of {', '.join(classes)} (the keys of `bias`)" if classes else "the bias of the card names none"
    if isinstance(points, dict):
        for name in points:
            if name not in classes:
                yield path, f"no class {name!r}: {known}"
    elif classes and points:
        yield path, f"points of this card need a class: {known}"
