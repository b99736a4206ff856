"""Description: what the page says of itself in one or two sentences."""

from __future__ import annotations

from webclean.fields.lists import rank_values
from webclean.fields.statements import PageStatements
from webclean.model import FieldValue
from webclean.rules.fields_schema import FieldRules


def find_description(statements: PageStatements, rules: FieldRules) -> FieldValue:
    """The first meta element in the order of the rules, then JSON-LD of the page's own subject."""
    found = [(text, f"meta {name}") for name, text in statements.read_meta(rules.description.metas)]
    for thing in statements.things:
        if thing.depth < 2 and thing.role not in rules.title.reference_roles:
            found += [(text, "json-ld description") for text in thing.texts("description")[:1]]
    return rank_values(found, rules.description.confidence)
