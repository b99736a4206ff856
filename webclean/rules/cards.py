"""Cards in a rule set: their places and faults, and the earlier forms that `webclean rules convert` writes anew.

{n_words: [{below: 4, points: -1}, {points: 0.5}]}     ->  {n_words: {below: [4], points: [-1, 0.5]}}
{rank: [{below: 4, points: {form: 1}}, {points: {}}]}  ->  {rank: {below: [4], points: {form: [1, 0]}}}
cut: 2, points: {h1: 0.5, rank: [[4, -1], [null, 2]]}  ->  bias: -2, lines: {h1: 0.5, rank: {below: [4], ...}}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from typing import Any, Final

from webclean.rules.card_schema import Bins, Card, Line, Points
from webclean.rules.files import Path_, RuleText, write_yaml

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


def convert_cards(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a rule file with all its cards in the current form."""
    made = dict(values)
    for path in CARDS:
        made = _replace(made, path)
    if "replaces" in made:
        made["replaces"] = [_rename(path) for path in made["replaces"]]
    return made


def convert_text(text: RuleText) -> str:
    """The text of a rule file with its sections that have such cards rewritten; the others stay as they are."""
    made = convert_cards(text.values)
    lines = text.text.splitlines(keepends=True)
    # sections are replaced as whole lines: comments and order of the others stay
    starts = [text.lines[key,] - 1 for key in made]
    out = lines[: starts[0]] if starts else lines
    for key, start, end in zip(made, starts, [*starts[1:], len(lines)], strict=True):
        own = lines[start:end]
        # comments above the next section stand at the end of this one
        n_own = next((n for n in range(len(own), 0, -1) if own[n - 1].strip() and own[n - 1][0] != "#"), 0)
        out += own if made[key] == text.values[key] else [write_yaml({key: made[key]}), *own[n_own:]]
    return "".join(out)


def list_old_cards(values: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Paths of the cards of a rule file that are in an earlier form."""
    return [path for path in CARDS if _replace(values, path) != values]


def _rename(path: str) -> str:
    """`fields.title.card.points` -> `fields.title.card.lines`."""
    return path.replace(".cut", ".bias").replace("card.points", "card.lines") if path.startswith("fields.") else path


def _replace(values: Mapping[str, Any], path: Sequence[str]) -> dict[str, Any]:
    """The values with the card at a path converted."""
    if not path:
        return _convert_card(values)
    inner = values.get(path[0])
    return {**values, path[0]: _replace(inner, path[1:])} if isinstance(inner, Mapping) else dict(values)


def _convert_card(card: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in card.items():
        if key == "cut" and isinstance(value, int | float):
            made["bias"] = -value
        elif key in ("lines", "given", "points") and isinstance(value, Mapping):
            made["lines" if key == "points" else key] = {name: _convert_line(line) for name, line in value.items()}
        elif key == "by_type" and isinstance(value, Mapping):
            made[key] = {kind: _convert_card(added or {}) for kind, added in value.items()}
        else:
            made[key] = value
    return made


def _convert_line(line: Any) -> Any:
    """Bins from a list of lines, each [below, points] or {below, points, because}; other values are unchanged."""
    if not isinstance(line, list):
        return line
    rows = [dict(zip(("below", "points"), row, strict=False)) if isinstance(row, list) else row for row in line]
    if not all(isinstance(row, Mapping) and "points" in row for row in rows):
        return line
    if not all("below" in row for row in rows[:-1]):
        return line
    points = [row["points"] for row in rows]
    names = list(dict.fromkeys(name for row in points if isinstance(row, Mapping) for name in row))
    by_class = {name: [row.get(name, 0) for row in points] for name in names}
    because = "; ".join(dict.fromkeys(row["because"] for row in rows if row.get("because")))
    return {
        "below": [row["below"] for row in rows[:-1]],
        "points": by_class if any(isinstance(row, Mapping) for row in points) else points,
        **({"because": because} if because else {}),
    }
