"""Section `page_type`: the types of pages and what tells them apart."""

from typing import Annotated, Literal

from msgspec import Meta

from webclean.rules.card_schema import Card, TreeNode
from webclean.rules.rule_schema import Count, FeatureName, Pattern, Positive, Section, Share

FourTypes = Literal["content", "multi_block", "index", "no_feature"]


class PatentThresholds(Section, frozen=True, kw_only=True):
    """Thresholds of the patent's 13 attributes (A3); the first word says which, see `classify.patent_tree`.

    largest_text_chars: attribute 1: the largest text block has more characters. Higher: it holds on fewer pages.
    largest_to_second_ratio: attribute 2: largest / second-largest text block is below. Higher: it holds on more pages.
    second_text_chars: attribute 3: the second-largest has more characters. Higher: it holds on fewer pages.
    copyright: attribute 4: the second-largest text block matches, and is a copyright notice.
    full_stop: attribute 6: the largest text block has a mark that ends a sentence.
    text_to_link_ratio: attribute 9: text / link text of the body is above. Higher: it holds on fewer pages.
    largest_to_link_low: attribute 10: largest / link text of the page is below. Higher: it holds on more pages.
    largest_to_link_high: attribute 11: the same ratio is above. Higher: it holds on fewer pages.
    paragraph_chars: attribute 11: and a block with `p` has more characters. Higher: it holds on fewer pages.
    unclear_text_chars: attribute 12: on a page without clear blocks the largest has fewer characters; the patent leaves
        the number open. Higher: it holds on more pages.
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
    """The patent's decision tree over its 13 attributes; its leaves are the four types.

    tree: the tests, learnt; `is` names the type of a leaf.
    """

    thresholds: PatentThresholds
    tree: TreeNode


class Doubt(Section, frozen=True, kw_only=True):
    """Where the card is unsure of the type, the patent's tree decides between those that it tells well.

    below: probability of the card's type below which the tree is asked. Higher: it decides more pages; 0: none.
    sure: share of the examples at the tree's leaf that are of its answer, from which on it is believed. Higher: fewer
        answers count.
    least: probability that the card must give to the tree's answer. Higher: fewer answers count.
    answers: types for which the tree is believed.
    """

    below: Share = 0.0
    sure: Share = 0.0
    least: Share = 0.0
    answers: tuple[FourTypes, ...] = ()


class Bounds(Section, frozen=True, kw_only=True):
    """A comparison.

    above: the value is at least this. Higher: it holds on fewer pages.
    below: the value is less than this. Higher: it holds on more pages.
    """

    above: float | None = None
    below: float | None = None


class Refinement(Section, frozen=True, kw_only=True):
    """A finer label for a page of one of the subtypes `of`; its name is the label.

    of: subtypes that it refines; any when empty.
    features: all of these comparisons of page features must hold.
    words: at least one of these, written channel:word, must be on the page.
    title: must be found in the page's title.
    subtype: true: the label replaces the subtype; false: it only refines it.
    type: the page's type becomes this.
    because: the reason that the page's type will show.
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

    method: `card` for the learnt card, `patent` for the patent's tree over its 13 attributes.
    types: subtype -> one of the four types. content: one long text, or one thing described, is what the page is for;
        multi_block: several texts of like size, none of which stands out; index: links to other pages, with what is
        said about each; no_feature: neither clear blocks nor long text.
    no_feature_words: a page with fewer visible words is an application shell or an empty page: no_feature. Higher: more
        pages are.
    long_block_words: a block with at least so many words and hardly any links is running text. Higher: fewer blocks
        are.
    label_chars: a text of at most so many characters is a label: a button, a menu item, a byline. Higher: longer texts
        are read as labels.
    label_count: so many labels are read, from the top. Higher: labels further down count, at some cost.
    short_chars: prices and dates are looked for in texts of at most so many characters. Higher: in longer texts too.
    sample_chars: about so many characters of the short texts are read, all over the page. Higher: surer shares of
        prices and dates, at some cost.
    same_words: an English word of labels -> words of other languages, separated by spaces, that mean the same.
    refinements: finer labels (`page.page_label`) by hand; the first that fits counts.
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
    doubt: Doubt = Doubt()
    patent: PatentClassifier
    card: Card
