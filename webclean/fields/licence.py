"""Licence: `rel=license` (HTML), metas, JSON-LD, microdata, and links to Creative Commons deeds."""

from __future__ import annotations

import re

from webclean.fields.evidence import Evidence
from webclean.fields.lists import rank_values
from webclean.fields.scan import compile_finder
from webclean.model import FieldValue
from webclean.rules.fields_schema import FieldRules


def find_licence(evidence: Evidence, rules: FieldRules) -> FieldValue:
    """URL of the licence, or its text where no URL is given."""
    found = [(link.url, "link license") for link in evidence.links if "license" in link.rel]
    for thing in evidence.things:
        if thing.depth < 2:
            found += [(text, "json-ld license") for text in thing.texts("license")[:1]]
    found += [(text, f"meta {name}") for name, text in evidence.read_meta(rules.licence.metas)]
    if not found and rules.licence.hosts:
        deeds = compile_finder("|".join(map(re.escape, rules.licence.hosts)))
        hrefs = list(evidence.hrefs.values())
        found = [(evidence.absolute(hrefs[i]), "link") for i in evidence.href_scan.find_texts(deeds.loose)]
    return rank_values(found, rules.licence.confidence)
