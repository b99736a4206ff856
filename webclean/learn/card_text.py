"""Learnt cards and word points -> YAML text that people read and change: one writer for all cards."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from textwrap import TextWrapper
from typing import Final

import numpy as np

from webclean.features.cards.compile import Registry
from webclean.learn.additive import AdditiveModel
from webclean.model import Floats
from webclean.rules.card_schema import Bins, Card, CardLines, Line, Points
from webclean.rules.features_schema import WordGroup, WordPoints

_WIDTH = 116
_KINDS = ("names", "words", "headings")
_PLAIN_KEY: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.-]*(?::[a-z0-9_.-]+)?")
_NOT_KEYS: Final = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null", "none"))
_MEND: Final = """\
To mend a site, use `webclean rules new`, not this file: rules of a site win over every card, and no other site changes.
"""
_HOW_TO_READ: Final = """
How to read it: all start with the points of `bias`; each feature adds those of the bin that its value falls in.
  n_words:                         `below: [4, 12]` makes three bins: under 4, under 12, and the rest
    below: [4, 12]                 `points` has a number for each bin; over 0 speaks for, under 0 against
    points: [-0.9, 0.1, 0.5]       0.7 more doubles the odds, 0.7 less halves them, 0 is silent
  h1: 0.84                         a single number is for a feature that holds or does not
  points: {forum: [0, 0, 0.5]}     where there are classes, each has numbers of its own, and the largest sum wins
A feature that says nothing of a page adds nothing; nothing interacts. To change a line, write it, limits and points, in
a file of your own that is laid over this one (`--rules FILE`); `n_words: 0` silences it."""


def write_cards(
    cards: Sequence[tuple[tuple[str, ...], Card, Registry]], head: str, replaced: Sequence[str] = ()
) -> str:
    """A rule file of cards.

    Args:
        cards: each with its path in the rule set, and the features that it is written in.
        head: what the file is and how it was learnt.
        replaced: paths of what the file puts in the place of the layers below.
    """
    text, opened = begin_file(head, replaced), set[tuple[str, ...]]()
    for path, card, known in cards:
        for depth in range(1, len(path) + 1):
            if path[:depth] not in opened:
                opened.add(path[:depth])
                text.append(f"{'  ' * (depth - 1)}{path[depth - 1]}:")
        text += format_card(card, known, 2 * len(path))
    return "\n".join(text) + "\n"


def begin_file(head: str, replaced: Sequence[str] = (), note: str = _HOW_TO_READ) -> list[str]:
    """What stands above the values; over another layer, what is learnt takes the place of what was learnt below."""
    lines = [f"# {line}".rstrip() for line in f"{_MEND if note else ''}{head}{note}".splitlines()]
    return [*lines, *([f"replaces: [{', '.join(replaced)}]"] if replaced else [])]


def format_card(card: Card, known: Registry | None, indent: int) -> Iterator[str]:
    """The lines of one card."""
    space = " " * indent
    if card.temperature != 1:
        yield f"{space}temperature: {card.temperature:g}"
    yield from _format_lines(card, known, indent)
    if card.by_type:
        yield f"{space}by_type:"
    for kind, added in card.by_type.items():
        yield f"{space}  {kind}:" if added.lines else f"{space}  {kind}: {{}}"
        yield from _format_lines(added, None, indent + 4) if added.lines else ()
    found = {channel: words for channel, words in card.words.items() if words}
    if found:
        yield f"{space}words:"
    for channel, words in found.items():
        yield f"{space}  {channel}:"
        yield from (f"{space}    {quote_key(word)}: {write_points(points)}" for word, points in words.items())


def _format_lines(part: CardLines, known: Registry | None, indent: int) -> Iterator[str]:
    space = " " * indent
    if part.bias:
        yield f"{space}bias: {write_points(part.bias)}"
    if part.lines:
        yield f"{space}lines:"
    for name, line in part.lines.items():
        feature = known.find(name) if known is not None else None
        note = f"  # {feature.meaning} ({feature.unit})" if feature is not None else ""
        yield from _format_line(name, line, note, f"{space}  ")


def _format_line(name: str, line: Line, note: str, space: str) -> Iterator[str]:
    if not isinstance(line, Bins):
        yield f"{space}{name}: {line:g}{note}"
        return
    yield f"{space}{name}:{note}"
    if line.below:
        limits = (np.format_float_positional(limit, precision=12, fractional=False, trim="-") for limit in line.below)
        yield f"{space}  below: [{', '.join(limits)}]"
    if isinstance(line.points, dict):
        yield f"{space}  points:"
        yield from (f"{space}    {label}: {_format_row(row)}" for label, row in line.points.items())
    else:
        yield f"{space}  points: {_format_row(line.points)}"
    if line.because:
        yield f"{space}  because: {json.dumps(line.because, ensure_ascii=False)}"


def _format_row(row: Sequence[float]) -> str:
    return f"[{', '.join(f'{points + 0.0:g}' for points in row)}]"


def write_points(points: Points) -> str:
    """`0.4` or `{article: 0.4, forum: -0.2}`, the largest first, equal ones by name."""
    if not isinstance(points, dict):
        return f"{points + 0.0:g}"
    ranked = sorted(points.items(), key=lambda item: (-item[1], item[0]))
    return "{" + ", ".join(f"{name}: {value:g}" for name, value in ranked) + "}"


def quote_key(word: str) -> str:
    """A word as a YAML key: in quotes where YAML would read something else."""
    if _PLAIN_KEY.fullmatch(word) and word.lower() not in _NOT_KEYS:
        return word
    return json.dumps(word, ensure_ascii=False)


def read_model(names: Sequence[str], model: AdditiveModel, kinds: Sequence[str] = ()) -> Card:
    """The card of a fitted model. kinds: the types, in the order of the model's adjustments."""
    base, *parts = model.points
    added = {
        kind: CardLines(
            lines={
                name: _make_bins(*_join_equal(edges, points))
                for name, edges, points in zip(names, model.edges, part, strict=True)
                if points.any()
            }
        )
        for kind, part in zip(kinds, parts, strict=True)
    }
    lines: dict[str, Line] = {
        name: _make_bins(edges, points)
        for name, edges, points in zip(names, model.edges, base, strict=True)
        if len(points) > 1
    }
    return Card(bias=model.bias, lines=lines, by_type=added)


def _make_bins(edges: Floats, points: Floats) -> Bins:
    return Bins(below=tuple(edges.tolist()), points=tuple(points.tolist()))


def _join_equal(edges: Floats, points: Floats) -> tuple[Floats, Floats]:
    """Without the edges whose two sides have the same points."""
    kept = np.flatnonzero(np.diff(points))
    return edges[kept], points[np.append(kept, len(points) - 1)]


def write_word_points(word_points: WordPoints, head: str) -> str:
    """The `word_points` section as YAML: words of the same points in one folded line."""
    text = [*begin_file(head, [f"word_points.{kind}" for kind in _KINDS], note=""), "word_points:"]
    for kind in _KINDS:
        groups: tuple[WordGroup, ...] = getattr(word_points, kind)
        if groups:
            text.append(f"  {kind}:")
            for group in groups:
                text += _write_group(group)
    return "\n".join(text) + "\n"


def _write_group(group: WordGroup) -> list[str]:
    indent = " " * 8
    wrap = TextWrapper(_WIDTH, indent, indent, break_long_words=False, break_on_hyphens=False)
    return [f"    - points: {group.points:g}", "      words: >-", *wrap.wrap(group.words)]
