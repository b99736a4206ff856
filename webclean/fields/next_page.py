"""Other pages of a text or list that is split over several pages of one host: the next page, and the single page
that shows everything."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from webclean.fields.lists import rank_values
from webclean.fields.scan import FinderSet, TextScan, compile_finders
from webclean.fields.statements import PageStatements
from webclean.model import FieldValue
from webclean.parse import read_attribute
from webclean.parse.url import find_host
from webclean.rules.fields_schema import LinkedPageRules

_MAX_CHARS: Final = 60


LabelledLinks = list[tuple[str, str]]
"""(URL, source) of links with a known label, such as "next page"."""


def find_next_page(statements: PageStatements, rules: LinkedPageRules, labelled: LabelledLinks) -> FieldValue:
    """URL of the next page: `rel=next`, else a link whose whole text is a label for the next page."""
    related = [(link.url, "link next") for link in statements.links if "next" in link.rel]
    return _rank_links(statements, rules, [*related, *labelled])


def find_single_page(statements: PageStatements, rules: LinkedPageRules, labelled: LabelledLinks) -> FieldValue:
    """URL of the page that shows the whole text: a link whose whole text is a label for such a page."""
    return _rank_links(statements, rules, labelled)


def find_labelled_links(statements: PageStatements, *wanted: LinkedPageRules) -> list[LabelledLinks]:
    """For each of the rules, the links whose whole text is one of its labels. The page is searched once for all."""
    finders, found = _compile_link_labels(*(rules.link_text for rules in wanted)), [LabelledLinks() for _ in wanted]
    document = statements.document
    nodes = np.flatnonzero(document.link[document.text_owner] >= 0).tolist()
    for i, possible in TextScan(list(map(document.text.__getitem__, nodes))).find_each(finders):
        text = document.text[nodes[i]].strip()
        if len(text) > _MAX_CHARS:
            continue
        href = read_attribute(document, int(document.link[document.text_owner[nodes[i]]]), "href")
        for number in possible if href else ():
            if finders.finders[number].exact.fullmatch(text):
                found[number].append((statements.absolute(href or ""), "link text"))
    return found


@lru_cache(maxsize=64)
def _compile_link_labels(*link_texts: str) -> FinderSet:
    return compile_finders(*(rf"^\s*(?:{text})\s*$" for text in link_texts))


def _rank_links(statements: PageStatements, rules: LinkedPageRules, found: LabelledLinks) -> FieldValue:
    """The first of the links as field value, without links to another host or to the page itself."""
    own = (statements.document.url or "").partition("#")[0]
    host = find_host(own)
    same = [(u, s) for u, s in found if u and u.partition("#")[0] != own and (not host or find_host(u) in ("", host))]
    return rank_values(same, rules.confidence)
