"""Section of the site that the page belongs to: metas, JSON-LD, else the last step of the breadcrumb that is not the
page."""

from __future__ import annotations

from webclean.fields.lists import rank_values
from webclean.fields.statements import PageStatements
from webclean.fields.title import fold_text
from webclean.model import FieldValue
from webclean.rules.fields_schema import FieldRules


def find_section(statements: PageStatements, rules: FieldRules, title: str | None) -> FieldValue:
    """The first source in order."""
    found = [(text, f"meta {name}") for name, text in statements.read_meta(rules.section.metas)]
    for thing in statements.things:
        found += [(text, "json-ld articleSection") for text in thing.texts("articleSection")[:1]]
    own = fold_text(title or "")
    for thing in statements.things:
        if "BreadcrumbList" in thing.types:
            steps = [name for name in _read_steps(thing.values.get("itemListElement")) if fold_text(name) != own]
            if len(steps) > 1:
                found.append((steps[-1], "json-ld breadcrumb"))
    return rank_values(found, rules.section.confidence)


def _read_steps(value: object) -> list[str]:
    """Names of a breadcrumb list, in order."""
    steps = []
    for item in value if isinstance(value, list) else ():
        if isinstance(item, dict):
            inner = item.get("item")
            name = item.get("name") or (inner.get("name") if isinstance(inner, dict) else None)
            if isinstance(name, str):
                steps.append(name)
    return steps
