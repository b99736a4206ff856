"""Addresses of links beside that of their page -> whether they lead to another page."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qsl

from webclean.parse.url import split_url

_PROGRAM: Final = re.compile(r"(?i)\.(?:php\d?|aspx?|jspx?|cgi|pl|py|do|cfm|exe|dll)$")
_INDEX_FILE: Final = re.compile(r"(?i)^(?:index|default|home|main)\.\w+$")


def strip_query(url: str) -> str:
    """The address of a page without its query, its fragment and the last slash."""
    return url.partition("#")[0].partition("?")[0].rstrip("/")


def leads_away(url: str, page: str) -> bool:
    """Whether a link leads to another page than the one at `page` and those below its address; false for ''."""
    if not url:
        return False
    target, own = split_url(url), split_url(page)
    place, below = own.path.rstrip("/"), target.path.rstrip("/")
    return target.netloc not in ("", own.netloc) or not (below == place or (place and below.startswith(f"{place}/")))


def leads_nowhere(url: str, page: str) -> bool:
    """Whether a link leads to the page itself or to a selection of it, or tells a service the page's address.

    A query after the path of the page selects from it; where the path is that of a program or of the front page, all of
    the page's own query must be in it.
    """
    if url == page:
        return True
    target, own = split_url(url), split_url(page)
    asked = parse_qsl(target.query)
    name = own.path.rstrip("/").rpartition("/")[2]
    is_front = not name or bool(_INDEX_FILE.match(name))
    address = f"{own.netloc}{own.path}".rstrip("/")
    told = (value.partition("//")[2].rstrip("/") for _, value in asked)
    if address and any(value == address or (not is_front and value.startswith(address)) for value in told):
        return True
    if not asked or (target.netloc, target.path) != (own.netloc, own.path) or (is_front and not own.query):
        return False
    return not (is_front or _PROGRAM.search(name)) or set(parse_qsl(own.query)) <= set(asked)
