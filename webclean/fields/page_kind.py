"""What kind of page it says it is, in JSON-LD, og:type and its address: evidence for what its fields are."""

from __future__ import annotations

from collections.abc import Mapping

from webclean.fields.evidence import Evidence

Kinds = Mapping[str, tuple[str, ...]]
"""Kind -> schema.org types."""


def describe_page(evidence: Evidence, kinds: Kinds) -> dict[str, float]:
    """`on_<kind>` -> 1 for what holds."""
    types = {kind for thing in evidence.things for kind in thing.types}
    found = {f"on_{name}": 1.0 for name, of_kind in kinds.items() if not types.isdisjoint(of_kind)}
    shared = next((text.lower() for _, text in evidence.read_meta(("og:type",))), "")
    if shared in ("article", "website"):
        found[f"on_og_{shared}"] = 1.0
    url = evidence.document.url or ""
    if url and not url.partition("//")[2].partition("/")[2].partition("?")[0].strip("/"):
        found["on_front"] = 1.0
    return found
