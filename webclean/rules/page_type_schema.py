"""Section `page_type`: the types of pages and what tells them apart."""

from typing import Annotated, Literal

from msgspec import Meta

from webclean.rules.decision_tree import TreeNode
from webclean.rules.rule_schema import Pattern
from webclean.rules.section import Count, FeatureName, Positive, Section

FourTypes = Literal["content", "multi_block", "index", "no_feature"]
Points = dict[str, float]
"""Class -> points; a class that is not named gets none."""


class PatentThresholds(Section, frozen=True, kw_only=True):
    """Thresholds of the patent's 13 attributes; the numbers are those of the attributes, see `classify.attributes`.

    largest_text_chars: 1, the largest text block is longer. largest_to_second_ratio: 2, largest / second is below.
    second_text_chars: 3, the second is longer. copyright: 4, the second is a copyright notice. full_stop: 6, what ends
    a sentence. text_to_link_ratio: 9, text / link text of the body is above. largest_to_link_low: 10, largest / link
    text of the page is below. largest_to_link_high: 11, the same ratio is above. paragraph_chars: 11, and a block with
    `p` holds more. unclear_text_chars: 12, without clear blocks the largest is below.
    """

    largest_text_chars: Count
    largest_to_second_ratio: Positive
    second_text_chars: Count
    copyright: Pattern
    full_stop: Pattern
    text_to_link_ratio: Positive
    largest_to_link_low: Positive
    largest_to_link_high: Positive
    paragraph_chars: Count
    unclear_text_chars: Count


class PatentClassifier(Section, frozen=True, kw_only=True):
    """The patent's decision tree over its 13 attributes; its leaves are the four types."""

    thresholds: PatentThresholds
    tree: TreeNode


class PageLines(Section, frozen=True, kw_only=True):
    """Points by one feature.

    below: rising limits; values under the first make the first bin, those at or above the last the last bin.
    points: class -> one number for each bin; a class that is not named gets none. because: told with the points.
    """

    below: tuple[float, ...]
    points: dict[str, tuple[float, ...]]
    because: str = ""


class PageCard(Section, frozen=True, kw_only=True):
    """An additive card a class: points for the bin of each feature and for each word, summed; softmax.

    bias: class -> points every page gets; its keys are the subtypes that the card tells apart. lines: by feature.
    words: channel -> word -> points. temperature: the sums are divided by it before the softmax.
    """

    bias: Points
    lines: dict[FeatureName, PageLines] = {}
    words: dict[str, dict[str, Points]] = {}
    temperature: Positive = 1.0


class Bounds(Section, frozen=True, kw_only=True):
    """A comparison: at least `above` and less than `below`."""

    above: float | None = None
    below: float | None = None


class Refinement(Section, frozen=True, kw_only=True):
    """A finer label for a page of one of the subtypes `of` (any when empty).

    All of `features` must hold, and at least one of `words`, written channel:word, where some are given.
    subtype: the label replaces the subtype, not only refines it. type: and the page's type becomes this.
    """

    of: tuple[str, ...] = ()
    features: dict[FeatureName, Bounds] = {}
    words: tuple[str, ...] = ()
    title: Pattern | None = None
    subtype: bool = False
    type: FourTypes | None = None
    because: str = ""


class PageTypeRules(Section, frozen=True, kw_only=True):
    """How a page gets its type.

    method: `card`, or `patent` for the patent's tree. types: subtype -> type. no_feature_words: a page with fewer
    words has no obvious feature. long_block_words: a block with at least as many words is running text. label_chars: a
    text of at most as many characters is a label. label_count: so many labels are read, from the top. short_chars: a
    text of at most as many characters is short, one that prices and dates stand in. sample_chars: about how many
    characters of the short texts are read, all over the page. same_words: an English word of labels -> words of other
    languages, separated by spaces, that mean the same.
    """

    method: Literal["card", "patent"] = "card"
    types: dict[str, FourTypes]
    no_feature_words: Count
    long_block_words: Count
    label_chars: Count
    label_count: Count
    short_chars: Count
    sample_chars: Annotated[int, Meta(ge=500)]
    same_words: dict[str, str] = {}
    refinements: dict[str, Refinement] = {}
    patent: PatentClassifier
    card: PageCard
