"""Canonical URL: `rel=canonical` (RFC 6596), og:url, JSON-LD, else the page's own URL without its fragment."""

from __future__ import annotations

from webclean.fields.lists import rank_values
from webclean.fields.statements import PageStatements
from webclean.model import FieldValue
from webclean.rules.fields_schema import FieldRules


def find_canonical(statements: PageStatements, rules: FieldRules) -> FieldValue:
    """The address that the page wants to be known by, absolute if the page names a base or its own URL is known."""
    found = [(link.url, "link canonical") for link in statements.links if "canonical" in link.rel]
    found += [(statements.absolute(text), f"meta {name}") for name, text in statements.read_meta(rules.canonical.metas)]
    for thing in statements.things:
        if thing.depth < 2 and thing.role in ("", "@graph"):
            found += [
                (statements.absolute(text), "json-ld mainEntityOfPage") for text in thing.texts("mainEntityOfPage")[:1]
            ]
    url = (statements.document.url or "").partition("#")[0]
    known = [(value, source) for value, source in found if value.startswith(("http://", "https://", "/"))]
    return rank_values([*known, (url, "url")], rules.canonical.confidence)
