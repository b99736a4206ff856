"""webclean: any web page in, typed and explained blocks out."""

from __future__ import annotations

from webclean.errors import FetchError, InputError, LimitExceeded, RuleError, WebcleanError
from webclean.model import Block, FieldValue, Limits, Link, PageType, Reason, Record, Repair, RepairKind, Role, Source
from webclean.page import CleanPage
from webclean.pipeline import Cleaner, clean
from webclean.version import __version__
from webclean.web.fetch import fetch_page
from webclean.web.joining import JoinedPage, join_pages

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
