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
        Role,
        Source,
    )
    from webclean.page import CleanPage
    from webclean.pipeline import Cleaner, clean
    from webclean.web.joining import JoinedPage, join_pages
    from webclean.web.rendering import fetch_page

__version__ = "1.0.0"
"""The one place that states it. The build of the package reads it from here (`pyproject.toml`)."""
__all__ = ["CleanPage", "Cleaner", "JoinedPage", "__version__", "clean", "fetch_page", "join_pages"]
__all__ += ["FetchError", "InputError", "LimitExceeded", "RuleError", "WebcleanError"]
__all__ += ["Block", "FieldValue", "Limits", "Link", "PageType", "Reason", "Record", "Role", "Source"]
_HOMES: Final = {
    "CleanPage": "page",
    **dict.fromkeys(("Cleaner", "clean"), "pipeline"),
    **dict.fromkeys(("JoinedPage", "join_pages"), "web.joining"),
    "fetch_page": "web.rendering",
    **dict.fromkeys(("FetchError", "InputError", "LimitExceeded", "RuleError", "WebcleanError"), "errors"),
}
"""Name -> the module that defines it, `model` for names that are not listed. A module is imported when one of its names
is first used, which keeps `import webclean` quick."""


def __getattr__(name: str) -> Any:
    """Give a name of `__all__`, or a module of the package, which is imported now."""
    if name in __all__:
        found = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES.get(name, 'model')}"), name)
        return found
    if not name.startswith("_") and find_spec(f"{__name__}.{name}"):
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
