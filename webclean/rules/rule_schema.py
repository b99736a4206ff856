"""One rule: when it applies, what it does, why, and pages that prove it.

Rules stand in a mapping by id, so that a later layer can change or switch off one of them by naming it.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta

from webclean.model import Role
from webclean.rules.section import FeatureName, Section

Pattern = Annotated[
    str,
    Meta(
        max_length=1000,
        description="RE2 regular expression (linear time), searched anywhere in the text",
        extra={"check": "pattern"},
    ),
]
Selector = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=1000,
        description="CSS selector, or XPath from its first /",
        extra={"check": "selector"},
    ),
]
OneOrMore = str | tuple[str, ...]
OneOrMoreSelectors = Selector | tuple[Selector, ...]


class Range(Section, frozen=True, kw_only=True):
    """A comparison with a feature: at least `above` and less than `below`."""

    above: float | None = None
    below: float | None = None


class When(Section, frozen=True, kw_only=True):
    """Conditions, all of which must hold. The first five are about the page, the others about a text block.

    page_type: type, subtype or label, or a list. language: ISO 639 code or a list. url: searched in the page's URL.
    page_contains, page_lacks: some, no element of the page matches (all of a list must hold).
    selector, outside: the block is inside, is not inside an element that matches (any of a list).
    path: tags and classes of the block's element and up to three around it are one of these, as in
    `div.page > ul.teasers > li.teaser > p`. token: one of the class or id tokens of the block's element or an element
    around it, compared whole.
    text: searched in the block's text. exact_text: the block's text, white space normalised, is one of these.
    features: by name.
    """

    page_type: OneOrMore | None = None
    language: OneOrMore | None = None
    url: Pattern | None = None
    page_contains: OneOrMoreSelectors | None = None
    page_lacks: OneOrMoreSelectors | None = None
    selector: OneOrMoreSelectors | None = None
    outside: OneOrMoreSelectors | None = None
    path: OneOrMore | None = None
    token: OneOrMore | None = None
    text: Pattern | None = None
    exact_text: OneOrMore | None = None
    features: dict[FeatureName, Range] = {}


class Replacement(Section, frozen=True, kw_only=True):
    """A literal replacement in the markup, before it is parsed."""

    find: Annotated[str, Meta(min_length=1, max_length=10_000)]
    by: Annotated[str, Meta(max_length=10_000)]


class Action(Section, frozen=True, kw_only=True):
    """What a rule does with the text blocks it matches (`decide`, `points`, `role`, `unwrap`) or with the page.

    decide: keep or drop; keep beats drop at every stage. points: added to the block's score. role: of the block.
    unwrap: the element does not separate blocks. drop_images: images at or inside the selected elements are in no
    output and no field. Field selectors take the first match that is not empty.
    """

    decide: Literal["keep", "drop"] | None = None
    points: float | None = None
    role: Role | None = None
    unwrap: bool = False
    drop_images: bool = False
    page_type: str | None = None
    title: Selector | None = None
    date: Selector | None = None
    author: Selector | None = None
    next_page: Selector | None = None
    single_page: Selector | None = None
    replace: Replacement | None = None


FIELD_SELECTORS: Final = ("title", "date", "author", "next_page", "single_page")
"""The actions that are selectors."""


class RuleTest(Section, frozen=True, kw_only=True):
    """A page (`html`, or a `file` beside the rule file) and what must be kept and dropped of it."""

    html: str | None = None
    file: str | None = None
    url: str | None = None
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    title: str | None = None
    date: str | None = None
    author: str | None = None


class Learnt(Section, frozen=True, kw_only=True):
    """What a rule was learnt from. pages: pages that support it; of: pages that could have; site_pages: all pages of
    the site that were read."""

    pages: Annotated[int, Meta(ge=1)]
    of: Annotated[int, Meta(ge=1)]
    site_pages: Annotated[int, Meta(ge=1)]


class Rule(Section, frozen=True, kw_only=True):
    """One rule of the `rules` section. `origin` (file:line) is set when the rules are loaded, not written.

    template: asks by `page_contains` for the content block of one of the site's templates; a page on which none of the
    site's templates is found says so, and `webclean sites check` reports it. learnt: by what pages, which stand for its
    tests.
    """

    when: When = When()
    action: Action | Literal["keep", "drop", "unwrap", "drop_images"]
    because: str = ""
    description: str = ""
    enabled: bool = True
    template: bool = False
    learnt: Learnt | None = None
    tests: tuple[RuleTest, ...] = ()
    origin: str = ""

    @property
    def effect(self) -> Action:
        """The action in its long form."""
        if isinstance(self.action, Action):
            return self.action
        if self.action == "unwrap":
            return Action(unwrap=True)
        return Action(drop_images=True) if self.action == "drop_images" else Action(decide=self.action)


def as_tuple(value: OneOrMore | None) -> tuple[str, ...]:
    """One or more values as a tuple."""
    return () if value is None else (value,) if isinstance(value, str) else value
