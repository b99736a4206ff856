"""What kind of page it says it is, in JSON-LD, og:type and its address: evidence for what its fields are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from webclean.fields.evidence import Evidence

_LONG_SLUG: Final = 3
"""Hyphens in the last part of a path that is made from a headline."""

Kinds = Mapping[str, tuple[str, ...]]
"""Kind -> schema.org types."""


def describe_page(evidence: Evidence, kinds: Kinds, paths: Kinds) -> dict[str, float]:
    """`on_<kind>`, `at_<kind>` (by the words of the path) -> 1 for what holds. paths: kind -> words."""
    types = {kind for thing in evidence.things for kind in thing.types}
    found = {f"on_{name}": 1.0 for name, of_kind in kinds.items() if not types.isdisjoint(of_kind)}
    shared = next((text.lower() for _, text in evidence.read_meta(("og:type",))), "")
    if shared in ("article", "website"):
        found[f"on_og_{shared}"] = 1.0
    url = evidence.document.url or ""
    path = url.partition("//")[2].partition("/")[2].partition("?")[0].partition("#")[0].strip("/").lower()
    if url and not path:
        found["on_front"] = 1.0
    words = set(path.replace(".", "/").split("/"))
    found |= {f"at_{name}": 1.0 for name, of_kind in paths.items() if not words.isdisjoint(of_kind)}
    if path.rpartition("/")[2].count("-") >= _LONG_SLUG:
        found["at_long_slug"] = 1.0
    return found
