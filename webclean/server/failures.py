"""What goes wrong while a request is served, and how it is answered: problem details (RFC 9457) or a page of ours."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from webclean.errors import FetchError, InputError, LimitExceeded, NotAPageError, RuleError, WebcleanError

_STATUS: Final[dict[type[WebcleanError], tuple[str, HTTPStatus]]] = {
    NotAPageError: ("not_a_page", HTTPStatus.UNPROCESSABLE_ENTITY),
    InputError: ("wrong_input", HTTPStatus.UNPROCESSABLE_ENTITY),
    RuleError: ("wrong_rules", HTTPStatus.UNPROCESSABLE_ENTITY),
    LimitExceeded: ("over_limit", HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
    FetchError: ("not_fetched", HTTPStatus.BAD_GATEWAY),
}
"""Our errors, the more special ones first."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why there is no answer. kind: a word for machines, such as `over_limit`. detail: a sentence for people."""

    kind: str
    status: int
    detail: str

    def describe(self) -> dict[str, object]:
        """The members of a problem document (RFC 9457, 3.1)."""
        return {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": int(self.status),
            "detail": self.detail,
            "kind": self.kind,
        }


class RequestFailed(WebcleanError):  # noqa: N818  what happened, as for the other errors of the package
    """Ends a request. headers: further headers of the response."""

    def __init__(self, failure: Problem, headers: dict[str, str] | None = None) -> None:
        super().__init__(failure.detail)
        self.failure = failure
        self.headers = headers or {}


def fail(kind: str, status: HTTPStatus, detail: str, headers: dict[str, str] | None = None) -> RequestFailed:
    """The exception that ends a request with this status."""
    return RequestFailed(Problem(kind, status, detail), headers)


def describe_error(error: WebcleanError) -> Problem:
    """Kind and status of one of our errors."""
    for known, (kind, status) in _STATUS.items():
        if isinstance(error, known):
            return Problem(kind, status, str(error))
    return Problem("failed", HTTPStatus.INTERNAL_SERVER_ERROR, str(error))
