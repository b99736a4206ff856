"""Columns -> page type and subtype (patent A3)."""

from __future__ import annotations

from webclean.blocks.features import PageColumns
from webclean.model import Decision, PageType
from webclean.rules import RuleSet


def classify_page(columns: PageColumns, rules: RuleSet) -> tuple[Decision, Decision]:
    """The type (`PageType`) and the subtype (a string or None), each with its reasons."""
    if not len(columns.blocks):
        return Decision(PageType.NO_FEATURE), Decision(None)
    return Decision(PageType.CONTENT), Decision("article")
