"""Values of fields that selectors in rules and in the `fields` section find; they override all other sources."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter

from webclean.fields.statements import PageStatements
from webclean.matching.conditions import PageFacts, holds_for_page
from webclean.matching.select import select_strings, select_urls
from webclean.model import Document, FieldValue
from webclean.parse.controls import drop_controls
from webclean.rules import RuleSet
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.rule_schema import When

_TEXTS = ("title", "date", "author")
_URLS = ("next_page", "single_page")
_FIELDS = _TEXTS + _URLS

Selectors = list[tuple[str, str, str]]
"""(field, selector, source)."""


def select_overrides(statements: PageStatements, facts: PageFacts, rules: RuleSet) -> dict[str, FieldValue]:
    """Field -> the first non-empty string that one of its selectors finds; URLs are absolute."""
    found: dict[str, FieldValue] = {}
    document = statements.document
    for field, selector, source in _list_selectors(document, facts, rules):
        if field not in found:
            if field in _URLS:
                text = next(filter(None, map(statements.absolute, select_urls(document, selector))), "")
            else:
                text = drop_controls(next(filter(None, select_strings(document, selector)), ""))
            if text:
                found[field] = FieldValue(text, source, 1.0)
    return found


def _list_selectors(document: Document, facts: PageFacts, rules: RuleSet) -> Iterator[tuple[str, str, str]]:
    """(field, selector, source), rules first."""
    of_rules, of_fields = _read_selectors(rules)
    # rules may be of one site or type of page, the section holds for all
    for when, selectors in of_rules:
        if holds_for_page(when, facts, document):
            yield from selectors
    yield from of_fields


@cached_per_rule_set
def _read_selectors(rules: RuleSet) -> tuple[list[tuple[When, Selectors]], Selectors]:
    """(condition, selectors) of each rule with selectors, and the selectors of the `fields` section."""
    of_rules: list[tuple[When, Selectors]] = []
    for name, rule in rules.rules.items():
        given = [(field, getattr(rule.effect, field), f"rule {name}") for field in _FIELDS]
        given = [item for item in given if item[1]]
        if rule.enabled and given:
            of_rules.append((rule.when, given))
    read = attrgetter(*(f"{field}.selectors" for field in _FIELDS))
    of_fields = [
        (field, selector, f"selector {selector}")
        for field, selectors in zip(_FIELDS, read(rules.fields), strict=True)
        for selector in selectors
    ]
    return of_rules, of_fields
