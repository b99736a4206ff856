"""What `bare_extraction` gives: the text of a page with its fields, under the names of trafilatura's `Document`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

from lxml import etree

from webclean.page import CleanPage
from webclean.parse.url import split_url


@dataclass(slots=True, eq=False)
class ExtractedDocument:
    """A page as trafilatura's users know it. body, commentsbody: the text and the comments as XML. Fields are None
    where metadata was not asked for."""

    title: str | None = None
    author: str | None = None
    url: str | None = None
    hostname: str | None = None
    description: str | None = None
    sitename: str | None = None
    date: str | None = None
    categories: list[str] | None = None
    tags: list[str] | None = None
    fingerprint: str | None = None
    id: str | None = None
    license: str | None = None
    body: etree._Element | None = None
    comments: str | None = None
    commentsbody: etree._Element | None = None
    raw_text: str | None = None
    text: str | None = None
    language: str | None = None
    image: str | None = None
    pagetype: str | None = None
    filedate: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """Names and values."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def sign(self) -> None:
        """Set the fingerprint: equal for equal titles and texts."""
        text = f"{self.title} {self.raw_text}".encode("utf-8", "surrogatepass")
        self.fingerprint = hashlib.sha256(text).hexdigest()[:16]


def describe_page(page: CleanPage) -> ExtractedDocument:
    """The fields of a page, without its text."""
    found = page.fields
    url = page.url or found.canonical.value
    return ExtractedDocument(
        title=found.title.value,
        author=found.author.value,
        url=url,
        hostname=(split_url(url or "").hostname or "").removeprefix("www.") or None,
        description=found.description.value,
        sitename=found.site_name.value,
        date=(found.date.value or "")[:10] or None,
        categories=[found.section.value] if found.section.value else [],
        tags=list(found.keywords.values),
        license=found.licence.value,
        image=found.image.value,
        pagetype=page.page_label,
        filedate=datetime.now(UTC).date().isoformat(),
    )
