"""What a worker does for reading mode: a page -> its document for a phone, with links that stay in reading mode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Final
from urllib.parse import urlencode

from webclean.outputs.phone import PhoneOptions
from webclean.server.tasks import PageTask, clean_task, returns_failures

_BAR_STYLE: Final = (
    "display:flex;gap:1em;flex-wrap:wrap;align-items:center;margin:0 0 1em;padding:0 0 .6em;"
    "border-bottom:1px solid #8886;font:14px/1.4 system-ui,sans-serif"
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page is read: `url` or `page` of the query that the server was asked with, and what else stands in it."""

    query: Mapping[str, str]
    images: bool = True

    def link_part(self, number: int) -> str:
        """The address of a part of the page."""
        return self._write({**self.query, "part": str(number)})

    def link_page(self, url: str) -> str:
        """The address at which reading mode shows a page of the web; other addresses as they are."""
        return self._write({"url": url}) if url.lower().startswith(("http://", "https://")) else url

    def _write(self, query: Mapping[str, str]) -> str:
        return f"/read?{urlencode({**query, **({} if self.images else {'images': '0'})})}"


@returns_failures
def render_reading(task: PageTask, *, place: Place, part: int) -> str:
    """The document of a part of the page, counted from 1; of the last one if it has fewer."""
    page = clean_task(task)
    here = page.url
    options = PhoneOptions(
        images=place.images,
        link=lambda url: url if url == here else place.link_page(url),
        name_part=place.link_part,
    )
    parts = page.to_mobile_parts(include_images=place.images, options=options)
    document = parts[max(1, min(part, len(parts))) - 1]
    return document.replace("<body>", f"<body>\n{write_bar(page.url, place.query)}", 1)


def write_bar(url: str | None, place: Mapping[str, str]) -> str:
    """The line above a page: back to the form, to the page as it is, and to the workbench."""
    original = ""
    if url and url.lower().startswith(("http://", "https://")):
        original = f'<a href="{escape(url)}" rel="noopener noreferrer" target="_blank">Original</a>'
    inspect = f'<a href="/inspect?{escape(urlencode(place))}">Why is it so?</a>'
    return f'<nav aria-label="webclean" style="{_BAR_STYLE}"><a href="/">webclean</a>{original}{inspect}</nav>\n'
