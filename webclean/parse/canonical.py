"""The address that a page gives itself by its canonical link (RFC 6596)."""

from __future__ import annotations

import re
from typing import Final

from webclean.errors import InputError, WebcleanError
from webclean.model import Limits
from webclean.parse import read_source
from webclean.parse.controls import escape_controls
from webclean.parse.limits import start_budget
from webclean.parse.snippets import list_attributes
from webclean.parse.url import check_page_url, find_host

# looked for first: most pages of a crawl need no parse for it
_CANONICAL: Final = re.compile("canonical", re.IGNORECASE)
_HEAD_CHARS: Final = 300_000
"""Characters of a page in which its canonical link is looked for."""


def find_canonical_link(body: bytes) -> str | None:
    """The first absolute address in a `link rel=canonical` of a page, None if it has none."""
    try:
        markup = read_source(body, start_budget(Limits(), "truncate")).markup[:_HEAD_CHARS]
    except WebcleanError:
        return None
    if not _CANONICAL.search(markup):
        return None
    for link in list_attributes(markup, "link"):
        url = link.get("href", "").strip()
        if "canonical" in link.get("rel", "").lower().split() and url.lower().startswith(("http://", "https://")):
            try:
                check_page_url(url)
            except InputError:
                continue
            if find_host(url):
                return escape_controls(url)
    return None
