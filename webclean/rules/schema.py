"""What a rule set may say: one frozen struct for each section, named after the stage that reads it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[float, Meta(gt=0)]


class Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of all sections: frozen, unknown keys are errors."""


class Line(Section, frozen=True, kw_only=True):
    """One line of a score card: `points` for values below `below` (the last line: for all the others)."""

    points: float
    below: float | None = None
    because: str = ""


class ScoreCard(Section, frozen=True, kw_only=True):
    """Points for each bin of each feature, summed; kept when the sum is over `cut`."""

    bias: float = 0.0
    cut: float = 0.0
    lines: dict[str, tuple[Line, ...]] = {}


class RuleSet(Section, frozen=True, kw_only=True):
    """All sections of a rule set."""

    version: int
    hash: str = ""
    score_card: ScoreCard
