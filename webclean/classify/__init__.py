"""Columns -> page type and subtype (patent A3)."""

from __future__ import annotations

from webclean.blocks.features import PageColumns
from webclean.model import Decision, PageType, Reason
from webclean.rules import RuleSet


def classify_page(columns: PageColumns, rules: RuleSet) -> tuple[Decision, Decision]:
    """The type (`PageType`) and the subtype (a string or None), each with its reasons."""
    kind = columns.document.source.kind
    if kind != "html":
        return Decision(PageType.NO_FEATURE, reasons=(Reason("input", "kind", f"{kind} is not HTML"),)), Decision(None)
    if not len(columns.blocks):
        return Decision(PageType.NO_FEATURE), Decision(None)
    return Decision(PageType.CONTENT), Decision("article")
