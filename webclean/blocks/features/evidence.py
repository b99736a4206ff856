"""The `evidence` section of a rule set -> one table of points for each kind of word."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from webclean.rules.evidence_schema import Evidence, WordGroup


@dataclass(frozen=True, slots=True)
class WordPoints:
    """Points by lower-case word: of names, short texts, headings and link paths."""

    names: Mapping[str, float] = field(default_factory=dict)
    words: Mapping[str, float] = field(default_factory=dict)
    headings: Mapping[str, float] = field(default_factory=dict)
    links: Mapping[str, float] = field(default_factory=dict)


NO_POINTS: Final = WordPoints()

_COMPILED: Final[dict[int, tuple[Evidence, WordPoints]]] = {}


def compile_evidence(evidence: Evidence | None) -> WordPoints:
    """The tables of a rule set's evidence, made once for each (the section is held, so its identity stays its own)."""
    if evidence is None:
        return NO_POINTS
    found = _COMPILED.get(id(evidence))
    if found is None:
        if len(_COMPILED) > 256:
            _COMPILED.clear()
        changes = evidence.changes
        points = WordPoints(
            names=_flatten(evidence.names, changes.names),
            words=_flatten(evidence.words, changes.words),
            headings=_flatten(evidence.headings, changes.headings),
            links=_flatten(evidence.links, changes.links),
        )
        found = _COMPILED[id(evidence)] = (evidence, points)
    return found[1]


def _flatten(groups: tuple[WordGroup, ...], changes: Mapping[str, float]) -> dict[str, float]:
    return {word: group.points for group in groups for word in group.words.split()} | dict(changes)
