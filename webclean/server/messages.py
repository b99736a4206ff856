"""What the JSON API takes and gives. Requests are checked against these types; the OpenAPI document is made of them.

And what goes wrong while a request is served, answered as problem details (RFC 9457) or a page of ours.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Final, Literal, NotRequired, TypedDict, get_type_hints

import msgspec
from msgspec import Meta

from webclean.errors import FetchError, InputError, LimitExceeded, NotAPageError, RuleError, WebcleanError
from webclean.model import PageType, Reason
from webclean.page.formats import RENDERINGS, PageObject
from webclean.storage import read_table


class CleaningOptions(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """How a page is cleaned; a name that is not known is an error.

    charset: the encoding that the server declared, for bytes. profile: a layer of rules by name. method: `scorecard`,
    `patent` or a published method. page_type, page_subtype: used instead of the classifier's answer. on_limit: what a
    page over a limit does.
    """

    charset: str | None = None
    profile: str = "balanced"
    method: str | None = None
    page_type: PageType | None = None
    page_subtype: str | None = None
    on_limit: Literal["raise", "truncate"] = "raise"


class TextBlockObject(TypedDict):
    """A leaf text block. score: points. xpath: its element in the html5lib tree of the page. sentence: why it is kept
    or dropped."""

    number: int
    kept: bool
    score: float
    text: str
    xpath: str
    sentence: str
    reasons: list[Reason]


if TYPE_CHECKING:
    RenderingName = str
    CleanedObject = PageObject
else:  # from the table of formats
    RenderingName = Literal[tuple(RENDERINGS)]
    asked = dict.fromkeys(RENDERINGS, NotRequired[str])
    asked |= {"type_probabilities": NotRequired[dict[str, float]], "text_blocks": NotRequired[list[TextBlockObject]]}
    CleanedObject = TypedDict("CleanedObject", {**get_type_hints(PageObject, include_extras=True), **asked})
    CleanedObject.__doc__ = "A cleaned page, with what else was asked for."


class PageRequest(CleaningOptions, kw_only=True):
    """A page and how it is cleaned.

    url: the page's address. Without `html` the page is fetched from it; with `html` it makes links absolute and selects
    site rules. html: the markup. reasons: with why each block was kept or dropped. text_blocks: with each leaf text
    block, its points and why it was kept or dropped, and the probability of each page type. formats: renderings beside
    the text.
    """

    url: str | None = None
    html: str | None = None
    reasons: bool = False
    text_blocks: bool = False
    formats: tuple[RenderingName, ...] = ()


class ProblemObject(msgspec.Struct, frozen=True):
    """Why there is no answer (RFC 9457). kind: a word for machines."""

    type: str
    title: str
    status: int
    detail: str
    kind: str


class InspectRequest(CleaningOptions, kw_only=True):
    """A page of the workbench. page: its key, '' for the page at `url`. yaml: the edited rules, '' for none. number: of
    the text block to explain."""

    page: str = ""
    url: str = ""
    yaml: Annotated[str, Meta(max_length=500_000)] = ""
    number: int = -1


class ExtendRequest(InspectRequest, kw_only=True):
    """Texts that are to be kept or dropped, and why. as_type: the type that a rule is to give the page."""

    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    because: Annotated[str, Meta(max_length=500)] = ""
    as_type: Annotated[str, Meta(max_length=50)] = ""


class SaveRequest(InspectRequest, kw_only=True):
    """Rules to save. digest: of the file as it was when editing began. sure: also where they leave no text."""

    digest: str = ""
    sure: bool = False


class HealthObject(TypedDict):
    """The server can clean pages."""

    status: Literal["ok"]
    version: str
    workers: int
    waiting: int


JSON: Final = "application/json"
PROBLEM: Final = "application/problem+json"

HTTP: Final = read_table(__file__, "http.toml")
STATUSES: Final = {kind: int(status) for status, kinds in HTTP["problems"].items() for kind in kinds.split()}
"""What can go wrong, by words for machines -> status of the response."""
_KINDS: Final[dict[type[WebcleanError], str]] = {
    NotAPageError: "not_a_page",
    InputError: "wrong_input",
    RuleError: "wrong_rules",
    LimitExceeded: "over_limit",
    FetchError: "not_fetched",
}
"""Our errors, the more special ones first."""


def describe_problem(kind: str, detail: str, status: int = 0) -> ProblemObject:
    """A problem document. kind: of `STATUSES`, else there is a status. detail: a sentence for people."""
    status = status or STATUSES[kind]
    return ProblemObject("about:blank", HTTPStatus(status).phrase, status, detail, kind)


class RequestFailed(WebcleanError):  # noqa: N818  what happened, as for the other errors of the package
    """Ends a request. headers: further headers of the response."""

    def __init__(self, failure: ProblemObject, headers: dict[str, str] | None = None) -> None:
        super().__init__(failure.detail)
        self.failure = failure
        self.headers = headers or {}


def fail(kind: str, detail: str, headers: dict[str, str] | None = None) -> RequestFailed:
    """The exception that ends a request. kind: of `STATUSES`."""
    return RequestFailed(describe_problem(kind, detail), headers)


def describe_error(error: WebcleanError) -> ProblemObject:
    """What went wrong, by one of our errors."""
    kind = next((kind for known, kind in _KINDS.items() if isinstance(error, known)), "failed")
    return describe_problem(kind, str(error))
