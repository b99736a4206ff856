"""The additive card: the one form in which everything that gives points is written.

    bias: -0.4                      # points that all start with
    lines:
      link_density:                 # a feature
        below: [0.1, 0.4]           # three bins: under 0.1, under 0.4, and the rest
        points: [0.6, 0.1, -0.9]    # one number a bin
      json_ld: 0.84                 # a number: times the value of the feature, which is 1 for a flag that holds

A card that tells classes apart has one number for each where this one has one: `bias: {article: 2.6, forum: -0.4}` and
`points: {article: [0.1, 0.2, 0], forum: [0, 0, 0.4]}`.
"""

from webclean.rules.section import FeatureName, Positive, Section

Points = float | dict[str, float]
"""A number, or class -> number; a class that is not named gets none."""


class Bins(Section, frozen=True, kw_only=True):
    """Points by the bin that the value of a feature falls in.

    below: rising limits; values under the first are in the first bin, those at or above the last in the last one.
        Higher: more values fall in the bins before.
    points: one number a bin, or class -> one number a bin. Higher: what falls in that bin is chosen more often.
    because: told with the points.
    """

    below: tuple[float, ...] = ()
    points: tuple[float, ...] | dict[str, tuple[float, ...]]
    because: str = ""


Line = Bins | float


class CardLines(Section, frozen=True, kw_only=True):
    """Points that are summed.

    bias: what every sum starts with. Higher: more is chosen.
    lines: feature -> its bins, or points times its value; a feature that is missing (NaN) says nothing. Higher: what
        has the feature is chosen more often.
    """

    bias: Points = 0.0
    lines: dict[FeatureName, Line] = {}


class Card(CardLines, frozen=True, kw_only=True):
    """An additive card.

    bias: points that every sum starts with; a mapping names the classes that the card tells apart. Higher: more is
        chosen.
    lines: feature -> its bins, or points times its value. Higher: what has the feature is chosen more often.
    given: more lines, written by hand, which learning leaves alone. Higher: what has the feature is chosen more often.
    by_type: type or subtype -> what is added as far as the page is of it.
    words: channel -> word -> points. Higher: pages with the word get the class more often.
    temperature: sums are divided by it before they become probabilities. Higher: less sure answers, the same ones.
    """

    given: dict[FeatureName, Line] = {}
    by_type: dict[str, CardLines] = {}
    words: dict[str, dict[str, Points]] = {}
    temperature: Positive = 1.0

    @property
    def classes(self) -> tuple[str, ...]:
        """What the card tells apart; none for a card whose sum is one number."""
        return tuple(self.bias) if isinstance(self.bias, dict) else ()
