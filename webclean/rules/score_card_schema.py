"""Sections `score_card`, `second_card` and `cut`: how text blocks get points and how many are kept."""

from __future__ import annotations

from webclean.rules.section import Count, Positive, Section, Share


class Line(Section, frozen=True, kw_only=True):
    """One line of a score card: `points` for values below `below` (the last line: for all the others)."""

    points: float
    below: float | None = None
    because: str = ""


class CardLines(Section, frozen=True, kw_only=True):
    """Points for each bin of each feature, summed onto the bias."""

    bias: float = 0.0
    lines: dict[str, tuple[Line, ...]] = {}


class ScoreCard(CardLines, frozen=True, kw_only=True):
    """The base card, and what is added on pages of a type or subtype.

    The sum is the logarithm of the odds that the block belongs to the main content.
    """

    by_type: dict[str, CardLines] = {}


class Cut(Section, frozen=True, kw_only=True):
    """How many of the ordered blocks are kept: the number with the best expected F score (patent S303).

    beta: weight of recall; under 1 keeps less, over 1 more. spread: standard deviation, in points, of the error that
    all blocks of a page share. shift: points added to every block before the cut.
    """

    beta: Positive = 1.0
    spread: Positive = 1.0
    shift: float = 0.0


__all__ = ["CardLines", "Count", "Cut", "Line", "ScoreCard", "Share"]
