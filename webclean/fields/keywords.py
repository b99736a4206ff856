"""Keywords and tags: metas, JSON-LD, and `rel=tag` links."""

from __future__ import annotations

import re

from webclean.fields.statements import PageStatements
from webclean.model import FieldValues
from webclean.rules.fields_schema import FieldRules

_SPLIT = re.compile(r"\s*[,;、，；|]\s*")
_MAX_KEYWORDS = 50


def find_keywords(statements: PageStatements, rules: FieldRules) -> FieldValues:
    """Every keyword once, in the order of the sources; `source` names the first source."""
    found: dict[str, str] = {}
    for name, text in statements.read_meta(rules.keywords.metas):
        for word in _SPLIT.split(text):
            found.setdefault(word, f"meta {name}")
    for thing in statements.things:
        if thing.depth < 2:
            for text in thing.texts("keywords"):
                for word in _SPLIT.split(text):
                    found.setdefault(word, "json-ld keywords")
    for link in statements.links:
        if "tag" in link.rel:
            found.setdefault(statements.read_text(link.row).lstrip("#"), "link tag")
    kept = [word for word in found if 1 < len(word) <= rules.keywords.max_chars][:_MAX_KEYWORDS]
    return FieldValues(tuple(kept), found[kept[0]] if kept else "", rules.keywords.confidence if kept else 0.0)
