"""The next page of a text or list in parts: `rel=next`, else a link whose whole text says so, on the same host."""

from __future__ import annotations

from typing import Final

import numpy as np

from webclean.fields.author import compile_words
from webclean.fields.evidence import Evidence
from webclean.fields.lists import rank_values
from webclean.model import FieldValue
from webclean.parse import read_attribute
from webclean.parse.url import find_host
from webclean.rules.fields_schema import FieldRules

_MAX_CHARS: Final = 60


def find_next_page(evidence: Evidence, rules: FieldRules) -> FieldValue:
    """URL of the next page; a link to another host or to the page itself is none."""
    own = (evidence.document.url or "").partition("#")[0]
    found = [(link.url, "link next") for link in evidence.links if "next" in link.rel]
    said = compile_words(rules.next_page.link_text)
    document = evidence.document
    linked = document.link[document.text_owner]
    for node in np.flatnonzero(linked >= 0).tolist():
        text = document.text[node].strip()
        if 0 < len(text) <= _MAX_CHARS and said.fullmatch(text):
            href = read_attribute(document, int(linked[node]), "href")
            if href:
                found.append((evidence.absolute(href), "link text"))
    host = find_host(own)
    same = [(u, s) for u, s in found if u and u.partition("#")[0] != own and (not host or find_host(u) in ("", host))]
    return rank_values(same, rules.next_page.confidence)
