"""Every error that webclean raises on purpose. All derive from `WebcleanError`."""

from __future__ import annotations


class WebcleanError(Exception):
    """Base of all errors of this package."""


class InputError(WebcleanError, ValueError):
    """What was handed in is not something a page can be read from."""


class FetchError(WebcleanError):
    """A page could not be fetched; the message says why."""


class LimitExceeded(WebcleanError):  # noqa: N818  the public name says what happened
    """A page went over a limit.

    limit: the name of the limit (a field of `Limits`), value: what the page needs
    (or had reached when the count stopped), maximum: what was allowed.
    """

    def __init__(self, limit: str, value: float, maximum: float) -> None:
        super().__init__(f"{limit}: {value:g} is over the limit of {maximum:g}")
        self.limit = limit
        self.value = value
        self.maximum = maximum


class RuleError(WebcleanError, ValueError):
    """A rule file is wrong: file, line, key and what is allowed."""

    def __init__(self, message: str, *, file: str = "", line: int = 0, key: str = "") -> None:
        where = ":".join(str(part) for part in (file, line) if part)
        at = f" at {key}" if key else ""
        super().__init__(f"{where}{at}: {message}".removeprefix(": ").removeprefix(" "))
        self.file = file
        self.line = line
        self.key = key
