"""Fitted cards and word evidence -> YAML text that people read and change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from webclean.learn.additive import AdditiveModel
from webclean.model import Floats
from webclean.rules.word_points_schema import WordGroup, WordPoints

_WIDTH = 116
_KINDS = ("names", "words", "headings")


def write_card(
    section: str,
    names: Sequence[str],
    model: AdditiveModel,
    notes: Mapping[str, str],
    head: str,
    kinds: Sequence[str] = (),
) -> str:
    """One card as YAML: bias, then for each feature one line a bin, then what page types add.

    notes: feature -> comment above its lines. kinds: the types, in the order of the model's adjustments.
    """
    text = [*_begin(section, head, [section]), f"  bias: {model.bias:g}", "  lines:"]
    for column, name in enumerate(names):
        points = model.points[0][column]
        if len(points) > 1:
            text.append(f"    {name}:  # {notes.get(name, '')}".rstrip(" #"))
            text += _write_lines(model.edges[column], points, "      ")
    text += ["  by_type:"] if kinds else []
    for kind, part in zip(kinds, model.points[1:], strict=True):
        adjusted = [(name, i) for i, name in enumerate(names) if part[i].any()]
        text += [f"    {kind}:", "      lines:"] if adjusted else [f"    {kind}: {{}}"]
        for name, i in adjusted:
            text += [f"        {name}:", *_write_lines(*_join_equal(model.edges[i], part[i]), "          ")]
    return "\n".join(text) + "\n"


def _begin(section: str, head: str, replaced: Sequence[str]) -> list[str]:
    """What stands above the values: over another layer, what is learnt takes the place of what was learnt below."""
    return [*(f"# {line}" for line in head.splitlines()), f"replaces: [{', '.join(replaced)}]", f"{section}:"]


def _join_equal(edges: Floats, points: Floats) -> tuple[Floats, Floats]:
    """Without the edges whose two sides have the same points."""
    kept = np.flatnonzero(np.diff(points))
    return edges[kept], points[np.append(kept, len(points) - 1)]


def _write_lines(edges: Floats, points: Floats, indent: str) -> list[str]:
    limits = [np.format_float_positional(edge, precision=12, fractional=False, trim="-") for edge in edges]
    lines = [
        f"{indent}- {{below: {limit}, points: {point + 0.0:g}}}" for limit, point in zip(limits, points, strict=False)
    ]
    return [*lines, f"{indent}- {{points: {points[-1] + 0.0:g}}}"]


def write_word_points(evidence: WordPoints, head: str) -> str:
    """The `evidence` section as YAML: words of the same points in one folded line."""
    text = _begin("word_points", head, [f"word_points.{kind}" for kind in _KINDS])
    for kind in _KINDS:
        groups: tuple[WordGroup, ...] = getattr(evidence, kind)
        if groups:
            text.append(f"  {kind}:")
            for group in groups:
                text += _write_group(group)
    return "\n".join(text) + "\n"


def _write_group(group: WordGroup) -> list[str]:
    lines, line = [f"    - points: {group.points:g}", "      words: >-"], ""
    for word in group.words.split():
        if len(line) + len(word) + 9 > _WIDTH and line:
            lines.append(f"        {line}")
            line = word
        else:
            line = f"{line} {word}".strip()
    return [*lines, f"        {line}"]
