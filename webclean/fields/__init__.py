"""Columns -> title, date, author and the other fields (patent S305)."""

from __future__ import annotations

from dataclasses import dataclass

from webclean.blocks.features import PageColumns
from webclean.model import FieldValue
from webclean.rules import RuleSet


@dataclass(frozen=True, slots=True)
class PageFields:
    """The fields of a page."""

    title: FieldValue
    date: FieldValue
    author: FieldValue


def extract_fields(columns: PageColumns, page_subtype: str | None, rules: RuleSet) -> PageFields:
    """All fields of one page."""
    document = columns.document
    title = " ".join(
        text for text, owner in zip(document.text, document.text_owner, strict=True) if document.names[owner] == "title"
    )
    return PageFields(FieldValue(" ".join(title.split()) or None, "title"), FieldValue(None), FieldValue(None))
