"""Columns -> title, date, author and the other fields (patent S305, source C), each with its source, confidence and
alternatives."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from webclean.blocks.features import PageColumns
from webclean.fields.alternates import find_alternates
from webclean.fields.author import find_author
from webclean.fields.canonical import find_canonical
from webclean.fields.date import find_dates
from webclean.fields.description import find_description
from webclean.fields.evidence import Evidence
from webclean.fields.images import find_image, find_images
from webclean.fields.keywords import find_keywords
from webclean.fields.language import detect_language
from webclean.fields.licence import find_licence
from webclean.fields.next_page import find_next_page, find_single_page
from webclean.fields.overrides import select_overrides
from webclean.fields.page_kind import describe_page
from webclean.fields.section import find_section
from webclean.fields.site_name import find_site_name
from webclean.fields.title import find_site_names, find_title
from webclean.model import Alternate, FieldValue, FieldValues, Image, Mask
from webclean.rules import RuleSet

__all__ = ["PageFields", "detect_language", "extract_fields"]


@dataclass(frozen=True, slots=True)
class PageFields:
    """The fields of a page. Dates are ISO 8601, with the time and zone that were written; URLs absolute when the
    page's is known."""

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
    keywords: FieldValues
    images: tuple[Image, ...]
    alternates: tuple[Alternate, ...]


def extract_fields(
    columns: PageColumns,
    page_subtype: str | None,
    rules: RuleSet,
    *,
    kept: Mask | None = None,
    reference: datetime | None = None,
) -> PageFields:
    """All fields of one page.

    kept: bool [n_blocks], the content, which bounds the images in the text. reference: when the page was read; without
    one, relative dates (`3 hours ago`) are no dates, and no date is after the present.
    """
    evidence, given = Evidence(columns), rules.fields
    chosen = select_overrides(evidence, page_subtype, rules)
    kind = describe_page(evidence, given.page_kinds)
    sites = find_site_names(evidence, given.title)
    language = detect_language(columns.document, columns.blocks)
    anchor, title = find_title(evidence, given.title, kind, sites, chosen.get("title"))
    now = reference or datetime.now(UTC)
    date, modified = find_dates(
        evidence, given.date, kind, anchor, language.value or "", now, reference is not None, chosen.get("date")
    )
    images = find_images(evidence, given, kept)
    return PageFields(
        title=title,
        date=date,
        author=find_author(evidence, given.author, kind, anchor, sites, chosen.get("author")),
        modified=modified,
        site_name=find_site_name(evidence, given),
        language=language,
        description=find_description(evidence, given),
        canonical=find_canonical(evidence, given),
        section=find_section(evidence, given, title.value),
        licence=find_licence(evidence, given),
        next_page=chosen.get("next_page") or find_next_page(evidence, given.next_page),
        single_page=chosen.get("single_page") or find_single_page(evidence, given.single_page),
        image=find_image(evidence, given, images),
        keywords=find_keywords(evidence, given),
        images=images,
        alternates=find_alternates(evidence),
    )
