"""The forms in which what decides by learnt numbers is written: the additive card and the decision tree.

A card gives points:

    bias: -0.4                      # points that all start with
    lines:
      link_density:                 # a feature
        below: [0.1, 0.4]           # three bins: under 0.1, under 0.4, and the rest
        points: [0.6, 0.1, -0.9]    # one number a bin
      json_ld: 0.84                 # a number: for a flag that holds, or a value of 1 and more

A card that tells classes apart has one number for each where this one has one: `bias: {article: 2.6, forum: -0.4}` and
`points: {article: [0.1, 0.2, 0], forum: [0, 0, 0.4]}`.

A tree is a nested if/else that is walked from its root to a leaf:

    if: text_to_link_text >= 2
    then: {is: content, counts: {content: 40, index: 2}}
    else:
      if: has_full_stop            # a bare name asks whether the value is at least one half
      then: {is: multi_block}
      else: {is: index, because: links only}

`then` is taken if the test holds; for a missing value (NaN) no test holds, so `else` is taken. `counts` are the
training examples of each class that reached the leaf: they give the leaf's confidence, and may be left out.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from webclean.rules.rule_schema import FeatureName, Section

Points = float | dict[str, float]
"""A number, or class -> number; a class that is not named gets none."""


class Bins(Section, frozen=True, kw_only=True, omit_defaults=True):
    """Points by the bin that the value of a feature falls in."""

    below: tuple[float, ...] = ()
    points: tuple[float, ...] | dict[str, tuple[float, ...]]
    because: str = ""


Line = Bins | float


class CardLines(Section, frozen=True, kw_only=True, omit_defaults=True):
    """Points that are summed."""

    bias: Points = 0.0
    lines: dict[FeatureName, Line] = {}


class Card(CardLines, frozen=True, kw_only=True, omit_defaults=True):
    """An additive card.

    bias: points that every sum starts with; a mapping names the classes that the card tells apart. Higher: more is
        chosen.
    lines: feature -> its bins, or points of a value of 1 and more. Higher: what has the feature is chosen more often.
    """

    given: dict[FeatureName, Line] = {}
    by_type: dict[str, CardLines] = {}
    words: dict[str, dict[str, Points]] = {}

    @property
    def classes(self) -> tuple[str, ...]:
        """What the card tells apart; none for a card whose sum is one number."""
        return tuple(self.bias) if isinstance(self.bias, dict) else ()


_TEST: Final = r"^\s*([A-Za-z_]\w*)\s*(?:(>=|<)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*)?$"
_MATCH_TEST: Final = re.compile(_TEST)

_Test = Annotated[
    str, Meta(pattern=_TEST, description="NAME, NAME >= NUMBER or NAME < NUMBER", extra={"check": "tree test"})
]
_Weight = Annotated[float, Meta(ge=0)]


class TreeNode(Section, frozen=True, kw_only=True, omit_defaults=True):
    """A branch (`if`, `then`, `else`) or a leaf (`is`)."""

    test: _Test | None = msgspec.field(name="if", default=None)
    then: "TreeNode | None" = None
    otherwise: "TreeNode | None" = msgspec.field(name="else", default=None)
    answer: str | None = msgspec.field(name="is", default=None)
    counts: dict[str, _Weight] = {}
    because: str = ""

    def __post_init__(self) -> None:
        branch = (self.test is not None, self.then is not None, self.otherwise is not None)
        if self.answer is None and not all(branch):
            raise ValueError("a branch needs `if`, `then` and `else`; a leaf needs `is`")
        if self.answer is not None and any(branch):
            raise ValueError("a node is a branch (`if`) or a leaf (`is`), not both")


@dataclass(frozen=True, slots=True)
class Condition:
    """A parsed test: `name >= threshold`, or `name < threshold` when `below`."""

    name: str
    threshold: float
    below: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One test on the way to a leaf: the condition, the page's value and whether it holds."""

    condition: Condition
    value: float
    held: bool
    because: str = ""


@lru_cache(maxsize=4096)
def parse_test(test: str) -> Condition:
    """`NAME >= NUMBER`, `NAME < NUMBER` or `NAME` -> `Condition`. Raises `ValueError`."""
    found = _MATCH_TEST.match(test)
    if not found:
        raise ValueError(f"not a test: {test!r}")
    name, sign, number = found.groups()
    return Condition(name, float(number) if number else 0.5, sign == "<")


def walk_tree(root: TreeNode, read: Callable[[str], float]) -> tuple[TreeNode, tuple[Step, ...]]:
    """The leaf for a case and the tests on the way to it. read: name of a feature -> its value."""
    node, path = root, []
    while node.test is not None and node.then is not None and node.otherwise is not None:
        condition = parse_test(node.test)
        value = read(condition.name)
        # NaN never does
        held = value < condition.threshold if condition.below else value >= condition.threshold
        path.append(Step(condition, value, held, node.because))
        node = node.then if held else node.otherwise
    return node, tuple(path)


def read_probabilities(leaf: TreeNode) -> dict[str, float]:
    """Class -> share of the examples at a leaf; without counts, the answer has probability 1."""
    total = sum(leaf.counts.values())
    if not total:
        return {str(leaf.answer): 1.0}
    return {name: count / total for name, count in leaf.counts.items()}
