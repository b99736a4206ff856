"""Sections of the stage `decide`: the cards that give text blocks points, the cut, and the page's confidence."""

from webclean.rules.section import Count, FeatureName, Positive, Section, Share


class Line(Section, frozen=True, kw_only=True):
    """One line of a score card: `points` for values below `below` (the last line: for all the others)."""

    points: float
    below: float | None = None
    because: str = ""


class CardLines(Section, frozen=True, kw_only=True):
    """Points for each bin of each feature, summed onto the bias."""

    bias: float = 0.0
    lines: dict[FeatureName, tuple[Line, ...]] = {}


class ScoreCard(CardLines, frozen=True, kw_only=True):
    """The base card, and what is added on pages of a type or subtype.

    The sum is the logarithm of the odds that the block belongs to the main content. bias: points every block starts
    with. by_type: type or subtype -> what is added there.
    """

    by_type: dict[str, CardLines] = {}


class Passes(Section, frozen=True, kw_only=True):
    """How the two passes make the score of a block.

    second: share of the second pass; the rest is the first's. The mean of both errs less than either.
    """

    second: Share = 0.5


class PlainPages(Section, frozen=True, kw_only=True):
    """Which pages the `plain_card` scores: those whose class and id names say little, as on pages laid out with tables.

    all_below: a page with at most so many known names is scored by the plain card alone. none_from: one with at least
    so many by the two learnt passes alone; in between both count in proportion.
    """

    all_below: Positive = 20.0
    none_from: Positive = 40.0


class Cut(Section, frozen=True, kw_only=True):
    """How many of the ordered blocks are kept: the number with the best expected F score (patent S303).

    beta: weight of recall; under 1 keeps less, over 1 more. spread: standard deviation, in points, of the error that
    all blocks of a page share. shift: points added to every block before the cut. least_words, least_share: a text with
    fewer words that is also a smaller share of the page is no main content, and nothing is kept.
    """

    beta: Positive = 1.0
    spread: Positive = 1.0
    shift: float = 0.0
    least_words: float = 0.0
    least_share: Share = 0.5


class Calibrated(Section, frozen=True, kw_only=True):
    """A page whose cut expects the F score `expected` has reached `reached` on labelled pages, on average."""

    expected: Share
    reached: Share


class Confidence(Section, frozen=True, kw_only=True):
    """How the F score that the cut expects becomes the page's confidence: straight lines between the points.

    points: expected and reached F scores, rising.
    """

    points: tuple[Calibrated, ...] = (Calibrated(expected=0.0, reached=0.0), Calibrated(expected=1.0, reached=1.0))


__all__ = ["Calibrated", "CardLines", "Confidence", "Count", "Cut", "Line", "Passes", "PlainPages", "ScoreCard"]
