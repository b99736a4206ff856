"""Licence: `rel=license` (HTML), metas, JSON-LD, microdata, and links to Creative Commons deeds."""

from __future__ import annotations

from webclean.fields.evidence import Evidence
from webclean.fields.lists import rank_values
from webclean.model import FieldValue
from webclean.parse import read_attribute
from webclean.rules.fields_schema import FieldRules


def find_licence(evidence: Evidence, rules: FieldRules) -> FieldValue:
    """URL of the licence, or its text where no URL is given."""
    found = [(link.url, "link license") for link in evidence.links if "license" in link.rel]
    for thing in evidence.things:
        if thing.depth < 2:
            found += [(text, "json-ld license") for text in thing.texts("license")[:1]]
    found += [(text, f"meta {name}") for name, text in evidence.read_meta(rules.licence.metas)]
    markup = evidence.document.source.markup
    if not found and any(host in markup for host in rules.licence.hosts):
        for row in evidence.rows_of("a"):
            href = read_attribute(evidence.document, row, "href") or ""
            if any(host in href for host in rules.licence.hosts):
                found.append((evidence.absolute(href), "link"))
    return rank_values(found, rules.licence.confidence)
