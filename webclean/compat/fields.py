"""The fields of a page -> metadata in the form that trafilatura gives: a licence by its name, categories and tags of
links, keywords as each meta element has them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from html import unescape
from typing import Final

import numpy as np

from webclean.compat.documents import NAMES, ExtractedDocument
from webclean.fields.statements import PageStatements
from webclean.page import CleanPage
from webclean.parse.columns import find_attribute, list_values, mark_subtrees
from webclean.parse.url import split_url

_PATTERNS: Final = {name: re.compile(pattern) for name, pattern in NAMES["patterns"].items()}


def describe_page(page: CleanPage, *, extensive: bool = True) -> ExtractedDocument:
    """The fields of a page, without its text. extensive: also a date that only the text says."""
    found, said = page.fields, page.fields.statements

    def read(*names: str) -> Iterator[str]:
        return (value for value, _ in said.read_metas(names))

    versions = (one.url for one in found.alternates if one.language == "x-default")
    url = page.url or found.canonical.value or next(versions, None) or said.base or None
    hostname = (split_url(url or "").hostname or "").removeprefix("www.") or None
    site = next(read("article:publisher"), "").lstrip("@") or found.site_name.value or ""
    keywords = [_PATTERNS["quotes"].sub("", unescape(text)) for text in read(*found.rules.fields.keywords.metas)]
    types = (name.lower() for thing in said.things if not thing.depth for name in thing.types)
    return ExtractedDocument(
        title=found.title.value or next((text for thing in said.things for text in thing.texts("headline")), None),
        author="; ".join(one.name for one in found.authors) or found.author.value or next(read("og:author"), None),
        url=url,
        hostname=hostname,
        description=" ".join(unescape(found.description.value or "").split()) or None,
        sitename=(site.title() if site.islower() and "." not in site else site) or hostname,
        date=(found.date.value or "")[:10] or None if extensive or found.date.source != "text" else None,
        categories=_list_filed(said, "categories") or ([found.section.value] if found.section.value else []),
        tags=_list_filed(said, "tags") or keywords or list(found.keywords.values),
        license=_name_licence(page),
        image=found.image.value,
        pagetype=next(read("og:type"), None) or next(filter(_PATTERNS["page_types"].fullmatch, types), page.page_label),
        filedate=datetime.now(UTC).date().isoformat(),
    )


def _list_filed(said: PageStatements, field: str) -> list[str]:
    """The texts of the links to the categories, or the tags, of a page."""
    roots = np.zeros(len(said.document), dtype=bool)
    for row, value in zip(find_attribute(said.document, "class"), list_values(said.document, "class"), strict=True):
        roots[row] = bool(_PATTERNS[f"{field}_class"].search(value))
    inside, links = mark_subtrees(said.document, roots), said.list_links(range(len(said.document)))
    texts = (said.read_text(row) for row, target in links if inside[row] and _PATTERNS[field].search(target))
    return list(dict.fromkeys(filter(None, texts)))


def _name_licence(page: CleanPage) -> str | None:
    """`CC BY-SA 4.0`, or the text of the link to a licence, or what else is known of it."""
    said, stated = page.fields.statements, page.fields.licence.value or ""
    links = [link for link in said.links if "license" in link.rel]
    deed = next(filter(None, (_PATTERNS["deed"].search(url) for url in (*(link.url for link in links), stated))), None)
    if deed:
        return f"CC {deed[1].upper()} {deed[2]}"
    if links and said.document.names[links[0].row] == "a":
        return said.read_text(links[0].row) or None
    below = (row for row, _ in said.list_links(range(len(said.document))) if said.is_in_landmark(row))
    named = (_PATTERNS["deed_name"].search(said.read_text(row)) for row in below)
    return stated or next((name[0] for name in named if name), None)
