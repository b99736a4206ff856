"""Columns and a score card -> a score for each text block and the cut (kept or dropped)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webclean.blocks.features import PageColumns, measure
from webclean.model import Floats, Mask, Reason
from webclean.rules.schema import Line, ScoreCard


@dataclass(frozen=True, slots=True, eq=False)
class BlockDecisions:
    """score: float64 [n_blocks]; kept: bool [n_blocks]; cut: the score from which blocks are kept."""

    score: Floats
    kept: Mask
    cut: float


def decide_blocks(columns: PageColumns, card: ScoreCard) -> BlockDecisions:
    """Sum the card's points and cut."""
    score = np.full(len(columns.blocks), card.bias)
    for name, lines in card.lines.items():
        values = measure(columns, name)
        score += np.array([line.points for line in lines])[_find_line(values, lines)]
    kept = (score > card.cut) & columns.blocks.visible
    return BlockDecisions(score, kept, card.cut)


def decide_by_mask(kept: Mask) -> BlockDecisions:
    """Decisions of a method that selects without scores: 1 for what it keeps, 0 for the rest."""
    return BlockDecisions(kept.astype(np.float64), kept, 0.5)


def explain_block(columns: PageColumns, card: ScoreCard, block: int) -> tuple[Reason, ...]:
    """The lines that gave one block its points, the largest first."""
    reasons = []
    for name, lines in card.lines.items():
        value = float(measure(columns, name)[block])
        line = lines[int(_find_line(np.array([value]), lines)[0])]
        if line.points:
            reasons.append(Reason("score card", name, f"{name} = {value:g}. {line.because}".strip(), line.points))
    return tuple(sorted(reasons, key=lambda reason: -abs(reason.points or 0)))


def _find_line(values: Floats, lines: tuple[Line, ...]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    edges = np.array([np.inf if line.below is None else line.below for line in lines[:-1]])
    return np.searchsorted(edges, values, side="right")
