"""Alternate versions of the page: other languages, feeds, AMP, print."""

from __future__ import annotations

from webclean.fields.statements import PageStatements
from webclean.model import Alternate

_MAX_ALTERNATES = 200


def find_alternates(statements: PageStatements) -> tuple[Alternate, ...]:
    """Every `rel=alternate` and `rel=amphtml` link, each URL once."""
    found: dict[str, Alternate] = {}
    for link in statements.links:
        if link.url and ("alternate" in link.rel or "amphtml" in link.rel) and "stylesheet" not in link.rel:
            kind = "amp" if "amphtml" in link.rel else ""
            found.setdefault(link.url, Alternate(link.url, link.language, link.media_type, link.title or kind))
    return tuple(found.values())[:_MAX_ALTERNATES]
