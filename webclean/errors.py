"""The exceptions that webclean raises. All derive from `WebcleanError`."""

from __future__ import annotations


class WebcleanError(Exception):
    """Base of all errors of this package."""


class InputError(WebcleanError, ValueError):
    """An argument is invalid: an input from which no page can be read, or an unknown name of an option."""


class NotAPageError(InputError):
    """The input has no page: it is empty, an archive, a picture, ...; raised where a page was asked for by name."""


class FetchError(WebcleanError):
    """A page could not be fetched; the message says why."""


class LimitExceeded(WebcleanError):  # noqa: N818  the public name says what happened
    """A page went over a limit.

    limit: name of the limit (a field of `Limits`). value: what the page needs, or the count at which counting stopped.
    maximum: the allowed value.
    """

    def __init__(self, limit: str, value: float, maximum: float) -> None:
        super().__init__(f"{limit}: {round(value, 6):.12g} is over the limit of {maximum:.12g}")
        self.limit = limit
        self.value = value
        self.maximum = maximum


class RuleError(WebcleanError, ValueError):
    """A rule file is invalid. The text of the error gives file, line, key and the allowed values; `message` is what is
    said of the value alone."""

    def __init__(self, message: str, *, file: str = "", line: int = 0, key: str = "") -> None:
        where = ":".join(str(part) for part in (file, line) if part)
        at = f" at {key}" if key else ""
        super().__init__(f"{where}{at}: {message}".removeprefix(": ").removeprefix(" "))
        self.message, self.file, self.line, self.key = message, file, line, key
