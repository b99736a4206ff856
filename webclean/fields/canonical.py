"""Canonical URL: `rel=canonical` (RFC 6596), og:url, JSON-LD, else the page's own URL without its fragment."""

from __future__ import annotations

from webclean.fields.evidence import Evidence
from webclean.fields.lists import rank_values
from webclean.model import FieldValue
from webclean.rules.fields_schema import FieldRules


def find_canonical(evidence: Evidence, rules: FieldRules) -> FieldValue:
    """The address that the page wants to be known by, absolute when anything says against what."""
    found = [(link.url, "link canonical") for link in evidence.links if "canonical" in link.rel]
    found += [(evidence.absolute(text), f"meta {name}") for name, text in evidence.read_meta(rules.canonical.metas)]
    for thing in evidence.things:
        if thing.depth < 2 and thing.role in ("", "@graph"):
            found += [
                (evidence.absolute(text), "json-ld mainEntityOfPage") for text in thing.texts("mainEntityOfPage")[:1]
            ]
    url = (evidence.document.url or "").partition("#")[0]
    known = [(value, source) for value, source in found if value.startswith(("http://", "https://", "/"))]
    return rank_values([*known, (url, "url")], rules.canonical.confidence)
