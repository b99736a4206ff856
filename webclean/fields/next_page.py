"""Other pages of a text or list in parts, on the same host: the next one, and the one that holds it all."""

from __future__ import annotations

from typing import Final

from webclean.fields.evidence import Evidence
from webclean.fields.lists import rank_values
from webclean.fields.scan import compile_finder
from webclean.model import FieldValue
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
    said, found = compile_finder(f"^(?:{rules.link_text})$"), []
    document, nodes, texts = evidence.document, evidence.linked_nodes, evidence.linked_texts
    for i in evidence.linked_scan.find_texts(said.loose):
        href = evidence.hrefs.get(int(document.link[document.text_owner[nodes[i]]]))
        if href and len(texts[i]) <= _MAX_CHARS and said.exact.fullmatch(texts[i]):
            found.append((evidence.absolute(href), "link text"))
    return found


def _rank_links(evidence: Evidence, rules: LinkedPageRules, found: list[tuple[str, str]]) -> FieldValue:
    """A link to another host or to the page itself is none."""
    own = (evidence.document.url or "").partition("#")[0]
    host = find_host(own)
    same = [(u, s) for u, s in found if u and u.partition("#")[0] != own and (not host or find_host(u) in ("", host))]
    return rank_values(same, rules.confidence)
