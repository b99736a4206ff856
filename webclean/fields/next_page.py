"""Other pages of a text or list in parts, on the same host: the next one, and the one that holds it all."""

from __future__ import annotations

from typing import Final

import numpy as np

from webclean.fields.author import compile_words
from webclean.fields.evidence import Evidence
from webclean.fields.lists import rank_values
from webclean.model import FieldValue
from webclean.parse import read_attribute
from webclean.parse.url import find_host
from webclean.rules.fields_schema import LinkedPageRules

_MAX_CHARS: Final = 60


def find_next_page(evidence: Evidence, rules: LinkedPageRules) -> FieldValue:
    """URL of the next page: `rel=next`, else a link whose whole text says so."""
    related = [(link.url, "link next") for link in evidence.links if "next" in link.rel]
    return _rank_links(evidence, rules, [*related, *_find_said(evidence, rules)])


def find_single_page(evidence: Evidence, rules: LinkedPageRules) -> FieldValue:
    """URL of the page that shows the whole text: a link whose whole text says so."""
    return _rank_links(evidence, rules, _find_said(evidence, rules))


def _find_said(evidence: Evidence, rules: LinkedPageRules) -> list[tuple[str, str]]:
    said, found = compile_words(rules.link_text), []
    document = evidence.document
    linked = document.link[document.text_owner]
    for node in np.flatnonzero(linked >= 0).tolist():
        text = document.text[node].strip()
        if 0 < len(text) <= _MAX_CHARS and said.fullmatch(text):
            href = read_attribute(document, int(linked[node]), "href")
            if href:
                found.append((evidence.absolute(href), "link text"))
    return found


def _rank_links(evidence: Evidence, rules: LinkedPageRules, found: list[tuple[str, str]]) -> FieldValue:
    """A link to another host or to the page itself is none."""
    own = (evidence.document.url or "").partition("#")[0]
    host = find_host(own)
    same = [(u, s) for u, s in found if u and u.partition("#")[0] != own and (not host or find_host(u) in ("", host))]
    return rank_values(same, rules.confidence)
