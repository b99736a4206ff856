"""Cards of rule files in an earlier form -> the form of `card_schema`.

{n_words: [{below: 4, points: -1}, {points: 0.5}]}     ->  {n_words: {below: [4], points: [-1, 0.5]}}
{rank: [{below: 4, points: {form: 1}}, {points: {}}]}  ->  {rank: {below: [4], points: {form: [1, 0]}}}
cut: 2, points: {h1: 0.5, rank: [[4, -1], [null, 2]]}  ->  bias: -2, lines: {h1: 0.5, rank: {below: [4], ...}}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from webclean.rules.cards import CARDS
from webclean.rules.files import RuleText
from webclean.rules.write import write_yaml


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
    starts = [text.lines[key,] - 1 for key in made]
    out = lines[: starts[0]] if starts else lines
    for key, start, end in zip(made, starts, [*starts[1:], len(lines)], strict=True):
        own = lines[start:end]
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
