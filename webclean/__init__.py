"""webclean: any web page in, typed and explained blocks out."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

from webclean.errors import FetchError, InputError, LimitExceeded, RuleError, WebcleanError
from webclean.fetch import fetch_page
from webclean.joining import JoinedPage, join_pages
from webclean.model import Block, FieldValue, Limits, Link, PageType, Reason, Record, Repair, RepairKind, Role, Source
from webclean.page import CleanPage
from webclean.pipeline import Cleaner, clean

try:
    __version__ = version("webclean")
except PackageNotFoundError:
    __version__ = "0+source"

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
