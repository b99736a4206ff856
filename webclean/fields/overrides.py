"""Selectors of rules and of the `fields` section, which beat all other evidence: rule text in, field values out."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from webclean.blocks.match import PageFacts, holds_for_page
from webclean.blocks.select import Selection
from webclean.fields.evidence import Evidence
from webclean.model import Document, FieldValue
from webclean.rules import RuleSet

_TEXTS = ("title", "date", "author")
_URLS = ("next_page", "single_page")
_FIELDS = _TEXTS + _URLS
_read_selectors = attrgetter(*_FIELDS)
_read_field_selectors = attrgetter(*(f"{field}.selectors" for field in _FIELDS))
_NONE = (None,) * len(_FIELDS)


def select_overrides(evidence: Evidence, facts: PageFacts, rules: RuleSet) -> dict[str, FieldValue]:
    """Field -> the first string, not empty, that a selector finds; URLs absolute. No selectors, no cost."""
    found: dict[str, FieldValue] = {}
    wanted = list(_list_selectors(evidence.document, facts, rules))
    selection = Selection(evidence.document) if wanted else None
    for field, selector, source in wanted:
        if field not in found and selection is not None:
            if field in _URLS:
                text = next(filter(None, map(evidence.absolute, selection.select_urls(selector))), "")
            else:
                text = next(filter(None, selection.select_strings(selector)), "")
            if text:
                found[field] = FieldValue(text, source, 1.0)
    return found


def _list_selectors(document: Document, facts: PageFacts, rules: RuleSet) -> Iterator[tuple[str, str, str]]:
    """(field, selector, source), rules first."""
    for name, rule in rules.rules.items():
        selectors = _read_selectors(rule.effect)
        if selectors == _NONE or not rule.enabled:
            continue
        if holds_for_page(rule.when, facts, Selection(document)):
            given = zip(_FIELDS, selectors, strict=True)
            yield from ((field, selector, f"rule {name}") for field, selector in given if selector)
    for field, selectors in zip(_FIELDS, _read_field_selectors(rules.fields), strict=True):
        for selector in selectors:
            yield field, selector, f"selector {selector}"
