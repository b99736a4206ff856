"""One rule (when it applies, what it does, why, pages that prove it), and the base that all sections share.

Rules stand in a mapping by id, so that a later layer can change or switch off one of them by naming it.

`cached_per_rule_set` keeps what is computed from rules, which serve many pages.
"""

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Final, Literal, ParamSpec, TypeVar, cast

from msgspec import Meta, Struct

from webclean import core
from webclean.model import Role

Share = Annotated[float, Meta(ge=0, le=1)]
Count = Annotated[int, Meta(ge=0)]
Positive = Annotated[float, Meta(gt=0)]
Expression = Annotated[
    str,
    Meta(
        description="regular expression of Python; what is repeated without bound holds no repetition and no choice",
        extra={"check": "expression"},
    ),
]
SectionPath = Annotated[str, Meta(description="dotted path of a section", extra={"check": "section"})]
FeatureName = Annotated[str, Meta(extra={"check": "feature"}, extra_json_schema={"format": "feature"})]


class Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of all sections: frozen, unknown keys are errors. What a section is for stands above it in `rules/`, and one
    that has several places, or is an entry of a list or mapping, says it here."""


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
        description="CSS selector, or XPath from its first /; a field may end it by ::attr(name)",
        extra={"check": "selector"},
    ),
]
OneOrMore = str | tuple[str, ...]
OneOrMoreSelectors = Selector | tuple[Selector, ...]


class Range(Section, frozen=True, kw_only=True):
    """A comparison with a feature."""

    above: float | None = None
    below: float | None = None


class When(Section, frozen=True, kw_only=True):
    """Conditions, all of which must hold. The first five are about the page, the others about a text block."""

    page_type: OneOrMore | None = None
    language: OneOrMore | None = None
    url: Pattern | None = None
    page_contains: OneOrMoreSelectors | None = None
    page_lacks: OneOrMoreSelectors | None = None
    selector: OneOrMoreSelectors | None = None
    outside: OneOrMoreSelectors | None = None
    path: OneOrMore | None = None
    other_path: OneOrMore | None = None
    token: OneOrMore | None = None
    text: Pattern | None = None
    exact_text: OneOrMore | None = None
    features: dict[FeatureName, Range] = {}


class PostParts(Section, frozen=True, kw_only=True):
    """Where the posts of a thread are, and what each says of itself. A part is looked for inside its post alone, before
    the next post begins; what no selector is given for, or finds nothing, the post's record does not have.

    Of a list of selectors, the first that matches in a post counts there.
    """

    each: OneOrMoreSelectors
    author: OneOrMoreSelectors | None = None
    date: OneOrMoreSelectors | None = None
    url: OneOrMoreSelectors | None = None
    text: OneOrMoreSelectors | None = None
    replies: OneOrMoreSelectors | None = None
    depth: OneOrMoreSelectors | None = None


class Action(Section, frozen=True, kw_only=True):
    """What a rule does with the text blocks it matches (the first four), or with the page."""

    decide: Literal["keep", "drop"] | None = None
    points: float | None = None
    role: Role | None = None
    page_type: str | None = None
    title: Selector | None = None
    date: Selector | None = None
    author: Selector | None = None
    next_page: Selector | None = None
    single_page: Selector | None = None
    posts: PostParts | None = None


FIELD_SELECTORS: Final = ("title", "date", "author", "next_page", "single_page")
"""The actions that are selectors."""


class PostTest(Section, frozen=True, kw_only=True):
    """What the record of a post must have; what is not said is not asked."""

    author: str | None = None
    date: str | None = None
    url: str | None = None
    text: str | None = None


class RuleTest(Section, frozen=True, kw_only=True):
    """A page and what must be kept and dropped of it; `webclean rules test` runs it."""

    html: str | None = None
    file: str | None = None
    url: str | None = None
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    title: str | None = None
    date: str | None = None
    author: str | None = None
    page_type: str | None = None
    posts: tuple[PostTest, ...] | None = None


class Learnt(Section, frozen=True, kw_only=True):
    """What a rule was learnt from."""

    pages: Annotated[int, Meta(ge=1)]
    of: Annotated[int, Meta(ge=1)]
    site_pages: Annotated[int, Meta(ge=1)]


class Rule(Section, frozen=True, kw_only=True):
    """One rule of the `rules` section. `origin` (file:line) is set when the rules are loaded, not written."""

    when: When = When()
    action: Action | Literal["keep", "drop"]
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
        return self.action if isinstance(self.action, Action) else Action(decide=self.action)


def as_tuple(value: OneOrMore | None) -> tuple[str, ...]:
    """One or more values as a tuple."""
    return () if value is None else (value,) if isinstance(value, str) else value


_Given = ParamSpec("_Given")
_Made = TypeVar("_Made")
_MAX_KEPT: Final = 256
"""Results of one function. A server has a rule set for each site, type and language with a file of its own; beyond so
many all are dropped, for what they hold keeps its rule sets alive."""


def cached_per_rule_set(make: Callable[_Given, _Made]) -> Callable[_Given, _Made]:
    """Decorator that caches a function of rules by the identity of its arguments.

    The arguments are kept alive with the result, so that an identity is not reused for another object.
    """
    return cast("Callable[_Given, _Made]", wraps(make)(core.keep_of_rules(make, _MAX_KEPT)))
