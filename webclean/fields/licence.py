"""Licence: `rel=license` (HTML), metas, JSON-LD, microdata, and links to Creative Commons deeds."""

from __future__ import annotations

import numpy as np

from webclean.features.links import OTHER_SITE, find_links
from webclean.fields.lists import rank_values
from webclean.fields.statements import PageStatements
from webclean.model import FieldValue
from webclean.rules.fields_schema import FieldRules


def find_licence(statements: PageStatements, rules: FieldRules) -> FieldValue:
    """URL of the licence, or its text where no URL is given."""
    found = [(link.url, "link license") for link in statements.links if "license" in link.rel]
    for thing in statements.things:
        if thing.depth < 2:
            found += [(text, "json-ld license") for text in thing.texts("license")[:1]]
    found += [(text, f"meta {name}") for name, text in statements.read_meta(rules.licence.metas)]
    if not found and rules.licence.hosts:
        links = find_links(statements.columns)
        others = np.flatnonzero(links.kind == OTHER_SITE).tolist() if statements.document.url else range(len(links.row))
        every = links.target
        targets = [every[i] for i in others]
        joined = "\n".join(targets).lower()
        hosts = [host for host in map(str.lower, rules.licence.hosts) if host in joined]
        deeds = [target for target in targets if any(host in target.lower() for host in hosts)] if hosts else []
        found = [(statements.absolute(target), "link") for target in deeds]
    return rank_values(found, rules.licence.confidence)
