"""webclean: any web page in, typed and explained blocks out."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from webclean.errors import FetchError, InputError, LimitExceeded, RuleError, WebcleanError
    from webclean.model import (
        Block,
        FieldValue,
        Limits,
        Link,
        PageType,
        Reason,
        Record,
        Repair,
        RepairKind,
        Role,
        Source,
    )
    from webclean.page import CleanPage
    from webclean.pipeline import Cleaner, clean
    from webclean.version import __version__
    from webclean.web.joining import JoinedPage, join_pages
    from webclean.web.rendering import fetch_page

__all__ = [
    "Block",
    "CleanPage",
    "Cleaner",
    "FetchError",
    "FieldValue",
    "InputError",
    "JoinedPage",
    "LimitExceeded",
    "Limits",
    "Link",
    "PageType",
    "Reason",
    "Record",
    "Repair",
    "RepairKind",
    "Role",
    "RuleError",
    "Source",
    "WebcleanError",
    "__version__",
    "clean",
    "fetch_page",
    "join_pages",
]

_HOMES: Final = {
    "Block": "webclean.model",
    "CleanPage": "webclean.page",
    "Cleaner": "webclean.pipeline",
    "FetchError": "webclean.errors",
    "FieldValue": "webclean.model",
    "InputError": "webclean.errors",
    "JoinedPage": "webclean.web.joining",
    "LimitExceeded": "webclean.errors",
    "Limits": "webclean.model",
    "Link": "webclean.model",
    "PageType": "webclean.model",
    "Reason": "webclean.model",
    "Record": "webclean.model",
    "Repair": "webclean.model",
    "RepairKind": "webclean.model",
    "Role": "webclean.model",
    "RuleError": "webclean.errors",
    "Source": "webclean.model",
    "WebcleanError": "webclean.errors",
    "__version__": "webclean.version",
    "clean": "webclean.pipeline",
    "fetch_page": "webclean.web.rendering",
    "join_pages": "webclean.web.joining",
}
"""Name -> its module, imported when the name is first used: so `import webclean` is quick."""


def __getattr__(name: str) -> Any:
    """A name of `__all__`, or a module of the package."""
    if name in _HOMES:
        found = globals()[name] = getattr(import_module(_HOMES[name]), name)
        return found
    if not name.startswith("_") and find_spec(f"{__name__}.{name}"):
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
