"""Selectors of rules and of the `fields` section, which beat all other evidence: rule text in, field values out."""

from __future__ import annotations

from collections.abc import Iterator

from webclean.blocks.features import PageColumns
from webclean.blocks.match import PageFacts, holds_for_page
from webclean.blocks.select import Selection
from webclean.model import FieldValue
from webclean.rules import RuleSet

_FIELDS = ("title", "date", "author", "next_page")


def select_overrides(columns: PageColumns, page_subtype: str | None, rules: RuleSet) -> dict[str, FieldValue]:
    """Field -> the first string, not empty, that a selector finds. No selectors, no cost."""
    found: dict[str, FieldValue] = {}
    wanted = list(_list_selectors(columns, page_subtype, rules))
    selection = Selection(columns.document) if wanted else None
    for field, selector, source in wanted:
        if field not in found and selection is not None:
            text = next(filter(None, selection.select_strings(selector)), "")
            if text:
                found[field] = FieldValue(text, source, 1.0)
    return found


def _list_selectors(columns: PageColumns, page_subtype: str | None, rules: RuleSet) -> Iterator[tuple[str, str, str]]:
    """(field, selector, source), rules first."""
    facts = PageFacts(page_subtype=page_subtype, url=columns.document.url)
    for name, rule in rules.rules.items():
        effect = rule.effect
        given = [(field, getattr(effect, field)) for field in _FIELDS if getattr(effect, field)]
        if given and rule.enabled and holds_for_page(rule.when, facts, Selection(columns.document)):
            yield from ((field, selector, f"rule {name}") for field, selector in given)
    for field in _FIELDS:
        for selector in getattr(rules.fields, field).selectors:
            yield field, selector, f"selector {selector}"
