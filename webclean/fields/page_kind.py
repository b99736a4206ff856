"""The kind of a page according to its JSON-LD, og:type and URL. Cards for fields use it as a feature."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from webclean.fields.statements import PageStatements
from webclean.rules.caching import cached_per_rule_set

_LONG_SLUG: Final = 3
"""Hyphens in the last part of a path that is made from a headline."""

Kinds = Mapping[str, tuple[str, ...]]
"""Kind -> schema.org types, or words."""


def list_page_kinds(statements: PageStatements, kinds: Kinds, paths: Kinds) -> dict[str, float]:
    """`on_<kind>`, `at_<kind>` (by the words of the path) -> 1 for what holds. paths: kind -> words."""
    found = {
        f"on_{name}": 1.0 for name in _match_kinds(kinds, [kind for thing in statements.things for kind in thing.types])
    }
    shared = next((text.lower() for _, text in statements.read_meta(("og:type",))), "")
    if shared in ("article", "website"):
        found[f"on_og_{shared}"] = 1.0
    url = statements.document.url or ""
    path = url.partition("//")[2].partition("/")[2].partition("?")[0].partition("#")[0].strip("/").lower()
    if url and not path:
        found["on_front"] = 1.0
    found |= {f"at_{name}": 1.0 for name in _match_kinds(paths, path.replace(".", "/").split("/"))}
    if path.rpartition("/")[2].count("-") >= _LONG_SLUG:
        found["at_long_slug"] = 1.0
    return found


def _match_kinds(kinds: Kinds, words: Iterable[str]) -> list[str]:
    """The kinds that any of the words stands for, in the order of the rules."""
    kinds_of = _index_by_word(kinds)
    matched = {kind for word in words for kind in kinds_of.get(word, ())}
    return [kind for kind in kinds if kind in matched] if matched else []


@cached_per_rule_set
def _index_by_word(kinds: Kinds) -> dict[str, list[str]]:
    """Word -> the kinds that it stands for."""
    found: dict[str, list[str]] = {}
    for kind, words in kinds.items():
        for word in words:
            found.setdefault(word, []).append(kind)
    return found
