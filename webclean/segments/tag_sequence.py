"""Tag sequence -> its repeated unit, found by extending around the most frequent tag (patent A4).

A run of equal tags counts once, so that occurrences of a unit may differ in length:

    h3 p hr | h3 p p hr | h3 p      for an agreement of .6 the unit is (h3, p, hr), with occurrences at 0:3 and 3:7

1. The anchor is the tag with the most runs, the first of equals: h3.
2. Extend to the right as long as enough occurrences (`agreement`) have the same next tag: p after all three, then hr
   after two of them; then h3 follows, the anchor, and the unit ends. Extend to the left in the same way.
3. An occurrence is accepted if it has enough of the unit's tags: at the end of the sequence, where tags may be missing,
   the last one has two of three, which an agreement of .5 takes and the one that ships refuses.

Every step is linear in the sequence, which is cheaper than the longest repeated substring by a suffix tree.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from webclean import core


@dataclass(frozen=True, slots=True)
class Repetition:
    """A unit and its occurrences.

    unit: tags, a run of equal ones once. spans: (first, last + 1) of each occurrence in the sequence. coverage: share
    of the sequence that is in some occurrence, 0 to 1.
    """

    unit: tuple[Hashable, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    coverage: float = 0.0


def find_repetition(sequence: Sequence[Hashable], *, agreement: float, anchor: Hashable | None = None) -> Repetition:
    """Find the repeated unit of a tag sequence; an empty `Repetition` when nothing repeats.

    Args:
        sequence: tags, or any keys that are equal for similar siblings.
        agreement: share of the occurrences that must have a tag for the unit to include it, and of the unit's tags that
            an occurrence must have, 0 to 1.
        anchor: extend around this tag instead of the most frequent one.
    """
    if not sequence:
        return Repetition()
    # one tag: each is an occurrence, and there is nothing to extend
    if len(set(sequence)) == 1:
        return _make_repetition((sequence[0],), [(i, i + 1) for i in range(len(sequence))], len(sequence))
    number: dict[Hashable, int] = {}
    tags = [number.setdefault(tag, len(number)) for tag in sequence]
    at = -1 if anchor is None else number.setdefault(anchor, len(number))
    unit, spans = core.find_repetition(tags, len(number), agreement, at)
    names = list(number)
    return _make_repetition(tuple(names[tag] for tag in unit), spans, len(sequence))


def _make_repetition(unit: tuple[Hashable, ...], spans: list[tuple[int, int]], length: int) -> Repetition:
    # one occurrence repeats nothing
    if len(spans) < 2:
        return Repetition()
    return Repetition(unit, tuple(spans), sum(last - first for first, last in spans) / length)
