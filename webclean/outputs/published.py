"""The JSON Schema of what `CleanPage.to_dict` gives, made of the types of its parts, so that it cannot drift."""

from __future__ import annotations

from typing import Any, Final, NotRequired, TypedDict

import msgspec

from webclean.model import Alternate, FieldValue, FieldValues, Image, Link, PageType, Reason, Record, Role

SCHEMA_VERSION: Final = 1
"""Rises when a key goes or changes its meaning; keys may be added without it."""


class BlockObject(TypedDict):
    """A semantic block. xpaths: its elements in the html5lib tree of the page. parent: index in `blocks`, or null.
    importance: 0 to 1, on index pages. heading: '' if it has none. fragment: after the URL, a link to the block."""

    id: str
    role: Role
    kept: bool
    text: str
    xpaths: list[str]
    links: list[Link]
    importance: float
    heading: str
    parent: int | None
    records: list[Record]
    fragment: str
    reasons: NotRequired[list[Reason]]


class FieldsObject(TypedDict):
    """All fields; dates are ISO 8601, languages BCP 47 tags, URLs absolute when that of the page is known."""

    title: FieldValue
    date: FieldValue
    author: FieldValue
    modified: FieldValue
    site_name: FieldValue
    language: FieldValue
    description: FieldValue
    canonical: FieldValue
    section: FieldValue
    licence: FieldValue
    next_page: FieldValue
    single_page: FieldValue
    image: FieldValue
    price: FieldValue
    rating: FieldValue
    availability: FieldValue
    keywords: FieldValues
    images: list[Image]
    alternates: list[Alternate]


class PageObject(TypedDict):
    """A cleaned page. text: the main content. confidence: estimated F1 of the words of `text`. encoding: WHATWG name.
    warnings: messages for people. truncated: limits at which the page was cut. rules: hash of the rules.
    page_subtype, page_label: names of the rules, such as article or blog. pages, joined: of a text on several pages,
    the URLs of its parts, and each link that was followed or not."""

    schema_version: int
    url: str | None
    page_type: PageType
    page_subtype: str | None
    page_label: str | None
    type_confidence: float
    confidence: float
    title: str | None
    date: str | None
    author: str | None
    language: str | None
    text: str
    markdown: NotRequired[str]
    fields: FieldsObject
    blocks: list[BlockObject]
    encoding: str
    warnings: list[str]
    truncated: list[str]
    rules: str
    type_reasons: NotRequired[list[Reason]]
    source: NotRequired[str]
    pages: NotRequired[list[str | None]]
    joined: NotRequired[list[Reason]]


def describe_page_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one page; every line of `--format jsonl` is such an object."""
    (page,), parts = msgspec.json.schema_components([PageObject])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A page cleaned by webclean, version {SCHEMA_VERSION}",
        **page,
        "$defs": parts,
    }
