"""The additive card: evidence and words -> points of each class, summed; softmax makes them probabilities.

Every page starts with the bias; each piece of evidence adds the points of the bin its value falls in, each word that
the card knows adds its own. Evidence that says nothing of a page (NaN) adds nothing.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from webclean.blocks.features.lexicon import NameLexicon, make_lexicon
from webclean.blocks.features.names import find_names
from webclean.classify.evidence import (
    CHANNELS,
    EVIDENCE,
    NAMES,
    PageMaterial,
    Words,
    check_evidence,
    find_words,
    measure_page,
)
from webclean.errors import RuleError
from webclean.model import Floats, Reason
from webclean.rules.page_type_schema import PageCard, PageLines

_KEPT: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class CompiledCard:
    """A card as arrays.

    classes: the n_classes names. points: float64 [n_rows, n_classes]; the bias is the first row, then come the bins of
    each piece of evidence, then the words. evidence: the n_evidence names; edges: the rising limits of the bins of
    each; first: the row of the first bin of each. words: channel -> word -> row. name_words: the names met so far and
    their words of `names`.
    """

    source: PageCard
    classes: tuple[str, ...]
    points: Floats
    evidence: tuple[str, ...]
    edges: tuple[tuple[float, ...], ...]
    first: tuple[int, ...]
    words: dict[str, dict[str, int]]
    name_words: NameLexicon


_compiled: dict[int, CompiledCard] = {}


def compile_card(card: PageCard) -> CompiledCard:
    """Arrays of a card; those of the last cards are kept. Raises `RuleError` for one that cannot be used."""
    found = _compiled.get(id(card))
    if found is not None and found.source is card:
        return found
    if len(_compiled) >= _KEPT:
        _compiled.clear()
    made = _compiled[id(card)] = _compile(card)
    return made


def _compile(card: PageCard) -> CompiledCard:
    classes = tuple(card.bias)
    rows: list[Mapping[str, float]] = [card.bias]
    first: list[int] = []
    for name, lines in card.lines.items():
        _check_lines(name, lines, classes)
        first.append(len(rows))
        rows += [{label: given[i] for label, given in lines.points.items()} for i in range(len(lines.below) + 1)]
    words: dict[str, dict[str, int]] = {}
    for channel, known in card.words.items():
        if channel not in CHANNELS:
            raise RuleError(f"no words of {channel!r}: one of {', '.join(CHANNELS)}", key="page_type.card.words")
        words[channel] = {word: len(rows) + i for i, word in enumerate(known)}
        rows += known.values()
    points = np.array([[row.get(label, 0.0) for label in classes] for row in rows], dtype=np.float64)
    edges = tuple(tuple(lines.below) for lines in card.lines.values())
    name_words = NameLexicon(make_lexicon(words.get(NAMES, {})))
    return CompiledCard(card, classes, points, tuple(card.lines), edges, tuple(first), words, name_words)


def _check_lines(name: str, lines: PageLines, classes: tuple[str, ...]) -> None:
    """Evidence and classes exist, the limits rise, and there are points for each bin."""
    key = f"page_type.card.lines.{name}"
    check_evidence(name, key)
    if any(high <= low for low, high in pairwise(lines.below)):
        raise RuleError("the limits of `below` must rise", key=key)
    for label, given in lines.points.items():
        if label not in classes:
            raise RuleError(f"no class {label!r}: one of {', '.join(classes)} (the keys of `bias`)", key=key)
        if len(given) != len(lines.below) + 1:
            raise RuleError(f"{label}: {len(given)} points for {len(lines.below) + 1} bins", key=key)


@dataclass(frozen=True, slots=True, eq=False)
class CardResult:
    """What a card says of a page.

    values: float64 [n_evidence]. bins, found: rows of the points that the page gets, those of the evidence that says
    something and those of its words, rising. totals, probabilities: float64 [n_classes].
    """

    card: CompiledCard
    values: Floats
    bins: list[int]
    found: list[int]
    totals: Floats
    probabilities: Floats


def apply_card(card: PageCard, page: PageMaterial) -> CardResult:
    """Measure what the card asks for and sum the points."""
    compiled = compile_card(card)
    words = {channel: find_words(page, channel) for channel in compiled.words if channel != NAMES}
    if NAMES in compiled.words:
        words[NAMES] = compiled.name_words.find_words(find_names(page.columns).names)
    return sum_points(compiled, measure_page(page, compiled.evidence), words)


def sum_points(card: CompiledCard, values: Floats, words: Mapping[str, Words]) -> CardResult:
    """Points of the bins that the values fall in and of the words that the card knows."""
    told = zip(card.first, card.edges, values.tolist(), strict=True)
    bins = [first + bisect_right(edges, value) for first, edges, value in told if not math.isnan(value)]
    found = sorted(rows[word] for channel, rows in card.words.items() for word in rows.keys() & words[channel])
    totals = card.points[[0, *bins, *found]].sum(axis=0)
    return CardResult(card, values, bins, found, totals, softmax(totals / card.source.temperature))


def softmax(totals: Floats) -> Floats:
    """Points -> probabilities, along the last axis."""
    shifted = np.exp(totals - totals.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))


def explain_card(result: CardResult, chosen: str, rival: str) -> tuple[Reason, ...]:
    """Everything that spoke for `chosen` against `rival`, the largest first; the points sum to the margin."""
    card = result.card
    i, j = card.classes.index(chosen), card.classes.index(rival)
    margins = (card.points[:, i] - card.points[:, j]).tolist()
    reasons = [Reason("page card", "bias", "what every page starts with", margins[0])]
    measured = zip(card.evidence, result.values.tolist(), strict=True)
    known = [(name, value) for name, value in measured if not math.isnan(value)]
    for row, (name, value) in zip(result.bins, known, strict=True):
        evidence = EVIDENCE[name]
        told = f"{name} = {value:.4g} ({evidence.unit}: {evidence.meaning})"
        because = card.source.lines[name].because
        reasons.append(Reason("page card", name, f"{told}. {because}" if because else told, margins[row]))
    named = {row: (channel, word) for channel, rows in card.words.items() for word, row in rows.items()}
    for row in result.found:
        channel, word = named[row]
        reasons.append(Reason("page card", f"{channel}:{word}", f"{channel} word {word!r}", margins[row]))
    return tuple(sorted((r for r in reasons if r.points), key=lambda reason: -abs(reason.points or 0)))
