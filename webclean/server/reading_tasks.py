"""What a worker does for reading mode: a page -> its document for a phone, with links that stay in reading mode."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape, unescape
from typing import Final
from urllib.parse import urlencode

from webclean.server.tasks import PageTask, clean_task, returns_failures

_LINK: Final = re.compile(r'<a href="(https?://[^"]*)"')
"""A link of a document that we have written: no text and no value in it holds a `<` or a quotation mark."""
_BAR_STYLE: Final = (
    "display:flex;gap:1em;flex-wrap:wrap;align-items:center;margin:0 0 1em;padding:0 0 .6em;"
    "border-bottom:1px solid #8886;font:14px/1.4 system-ui,sans-serif"
)


def link_reading(url: str) -> str:
    """The address at which reading mode shows a page of the web; other addresses as they are."""
    return f"/read?{urlencode({'url': url})}" if url.lower().startswith(("http://", "https://")) else url


@returns_failures
def render_reading(task: PageTask, *, place: Mapping[str, str], part: int, images: bool) -> str:
    """The document of a part of the page. place: `url` or `page` of the query that the server was asked with."""
    page = clean_task(task)
    document = page.to_mobile_html(include_images=images)
    document = _LINK.sub(lambda link: _write_link(unescape(link[1]), page.url), document)
    return document.replace("<body>", f"<body>\n{write_bar(page.url, place)}", 1)


def _write_link(url: str, here: str | None) -> str:
    """The start of a link; one to the page itself, as its source, leads there and not to reading mode."""
    return f'<a href="{escape(url if url == here else link_reading(url))}"'


def write_bar(url: str | None, place: Mapping[str, str]) -> str:
    """The line above a page: back to the form, to the page as it is, and to the workbench."""
    original = ""
    if url and url.lower().startswith(("http://", "https://")):
        original = f'<a href="{escape(url)}" rel="noopener noreferrer" target="_blank">Original</a>'
    inspect = f'<a href="/inspect?{escape(urlencode(place))}">Why is it so?</a>'
    return f'<nav aria-label="webclean" style="{_BAR_STYLE}"><a href="/">webclean</a>{original}{inspect}</nav>\n'
