"""One rule (when it applies, what it does, why, pages that prove it), and the base that all sections share.

Rules stand in a mapping by id, so that a later layer can change or switch off one of them by naming it.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

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
    """Base of all sections: frozen, unknown keys are errors."""


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
    """A comparison with a feature.

    above: the feature is at least this. Higher: the rule matches fewer blocks.
    below: the feature is less than this. Higher: the rule matches more blocks.
    """

    above: float | None = None
    below: float | None = None


class When(Section, frozen=True, kw_only=True):
    """Conditions, all of which must hold. The first five are about the page, the others about a text block.

    page_type: type, subtype or label of the page, or a list of them.
    language: ISO 639 code of the page's language, or a list of them.
    url: searched in the page's URL.
    page_contains: some element of the page matches; all of a list must be found.
    page_lacks: no element of the page matches; none of a list may be found.
    selector: the block is inside an element that matches, any of a list.
    outside: the block is not inside an element that matches any of these.
    path: tags and classes of the block's element and up to three around it are one of these, as in `div.page >
        ul.teasers > li.teaser > p`.
    other_path: they are none of these.
    token: one of the class or id tokens of the block's element or an element around it, compared whole.
    text: searched in the block's text.
    exact_text: the block's text, white space normalised, is one of these.
    features: comparisons with features of the block, by name; docs/features.md lists them.
    """

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


class Replacement(Section, frozen=True, kw_only=True):
    """A literal replacement in the markup, before it is parsed.

    find: the text to replace, wherever it stands.
    by: what stands there instead.
    """

    find: Annotated[str, Meta(min_length=1, max_length=10_000)]
    by: Annotated[str, Meta(max_length=10_000)]


class PostParts(Section, frozen=True, kw_only=True):
    """Where the posts of a thread are, and what each says of itself. A part is looked for inside its post alone, before
    the next post begins; what no selector is given for, or finds nothing, the post's record does not have.

    Of a list of selectors, the first that matches in a post counts there.

    each: the elements that are a post each.
    author: of their writer: `content`, `data-author` or `author` of the element, else its text.
    date: of their time: `datetime`, `created-timestamp` or `content` of the element, a `title` with a date, else the
        date in its text.
    url: of their address: the element's `href` or `permalink`, else its `id` as a fragment.
    text: of what they say; without it the longer texts of the post.
    replies: the posts that answer what stands before them; they are quotations, those within others too.
    depth: of what states in an attribute (`depth`, `indent`, `aria-level`) how many posts a reply is within, where
        replies do not stand inside each other.
    """

    each: OneOrMoreSelectors
    author: OneOrMoreSelectors | None = None
    date: OneOrMoreSelectors | None = None
    url: OneOrMoreSelectors | None = None
    text: OneOrMoreSelectors | None = None
    replies: OneOrMoreSelectors | None = None
    depth: OneOrMoreSelectors | None = None


class Action(Section, frozen=True, kw_only=True):
    """What a rule does with the text blocks it matches (the first four), or with the page.

    decide: keep or drop; keep beats drop at every stage.
    points: added to the block's score. Higher: more is kept; below 0: less.
    role: the blocks get this role.
    unwrap: true: the elements that the selector matches do not separate blocks.
    drop_images: true: images at or inside the selected elements are in no output and no field.
    page_type: the page gets this type, subtype or label.
    title, date, author: selector of the field; the first match that is not empty is taken.
    next_page: selector of the link to the next part of the text.
    single_page: selector of the link to a page with all parts of the text.
    posts: the posts of a thread, which give the records of their blocks.
    replace: a replacement in the markup, before it is parsed.
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
    posts: PostParts | None = None
    replace: Replacement | None = None


FIELD_SELECTORS: Final = ("title", "date", "author", "next_page", "single_page")
"""The actions that are selectors."""


class PostTest(Section, frozen=True, kw_only=True):
    """What the record of a post must have; what is not said is not asked.

    author, date, url: as records have them.
    text: what its summary must contain.
    """

    author: str | None = None
    date: str | None = None
    url: str | None = None
    text: str | None = None


class RuleTest(Section, frozen=True, kw_only=True):
    """A page and what must be kept and dropped of it; `webclean rules test` runs it.

    html: the page's markup.
    file: or a page in a file beside the rule file.
    url: the page's URL, for rules that ask for it.
    keep: texts that must be in the cleaned page.
    drop: texts that must not.
    title, date, author: what the field must be.
    page_type: what the type, subtype or label of the page must be.
    posts: all posts that must be found, in their order.
    """

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
    """What a rule was learnt from.

    pages: pages that support the rule; higher is surer.
    of: pages that could have; higher is surer.
    site_pages: all pages of the site that were read; higher is surer.
    """

    pages: Annotated[int, Meta(ge=1)]
    of: Annotated[int, Meta(ge=1)]
    site_pages: Annotated[int, Meta(ge=1)]


class Rule(Section, frozen=True, kw_only=True):
    """One rule of the `rules` section. `origin` (file:line) is set when the rules are loaded, not written.

    when: conditions, all of which must hold; none: every block of every page.
    action: what happens to what matches: keep, drop, unwrap, drop_images, or a mapping (`points`, `role`, `page_type`,
        ...).
    because: the reason that decisions will show.
    description: what the rule is for, to people who read it.
    enabled: false switches the rule off.
    template: true: asks by `page_contains` for the content block of one of the site's templates; a page on which none
        of the site's templates is found says so, and `webclean sites check` reports it.
    learnt: the pages it was learnt from, which stand for its tests.
    tests: pages, and what must be kept and dropped of them.
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
        return self.action if isinstance(self.action, Action) else _LONG_FORMS[self.action]


_LONG_FORMS: Final = {
    "keep": Action(decide="keep"),
    "drop": Action(decide="drop"),
    "unwrap": Action(unwrap=True),
    "drop_images": Action(drop_images=True),
}


def as_tuple(value: OneOrMore | None) -> tuple[str, ...]:
    """One or more values as a tuple."""
    return () if value is None else (value,) if isinstance(value, str) else value
