"""The additive card: evidence and words -> points of each class, summed; softmax makes them probabilities.

Every page starts with the bias; each piece of evidence adds the points of the bin its value falls in, each word that
the card knows adds its own. Evidence that says nothing of a page (NaN) adds nothing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from webclean.classify.evidence import PageMaterial, check_evidence, find_words, measure_page
from webclean.model import Floats, Reason
from webclean.rules.page_type_schema import PageCard

_KEPT: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class CompiledCard:
    """A card as arrays.

    classes: the n_classes names. evidence: the n_evidence names. edges: float64 [n_evidence, n_bins - 1], padded with
    infinity. points: float64 [n_evidence, n_bins, n_classes]. bias: float64 [n_classes]. words: channel -> word -> row
    of word_points, float64 [n_words, n_classes].
    """

    source: PageCard
    classes: tuple[str, ...]
    evidence: tuple[str, ...]
    edges: Floats
    points: Floats
    bias: Floats
    words: dict[str, dict[str, int]]
    word_points: Floats


_compiled: dict[int, CompiledCard] = {}


def compile_card(card: PageCard) -> CompiledCard:
    """Arrays of a card; those of the last cards are kept."""
    found = _compiled.get(id(card))
    if found is not None and found.source is card:
        return found
    if len(_compiled) >= _KEPT:
        _compiled.clear()
    made = _compiled[id(card)] = _compile(card)
    return made


def _compile(card: PageCard) -> CompiledCard:
    classes = tuple(card.bias)
    n_bins = max((len(lines) for lines in card.lines.values()), default=1)
    edges = np.full((len(card.lines), n_bins - 1), np.inf)
    points = np.zeros((len(card.lines), n_bins, len(classes)))
    for i, (name, lines) in enumerate(card.lines.items()):
        check_evidence(name, f"page_type.card.lines.{name}")
        for j, line in enumerate(lines):
            points[i, j] = [line.points.get(label, 0.0) for label in classes]
            if line.below is not None and j < n_bins - 1:
                edges[i, j] = line.below
    words: dict[str, dict[str, int]] = {}
    rows: list[list[float]] = []
    for channel, known in card.words.items():
        words[channel] = {}
        for word, given in known.items():
            words[channel][word] = len(rows)
            rows.append([given.get(label, 0.0) for label in classes])
    word_points = np.array(rows, dtype=np.float64).reshape(len(rows), len(classes))
    bias = np.array(list(card.bias.values()), dtype=np.float64)
    return CompiledCard(card, classes, tuple(card.lines), edges, points, bias, words, word_points)


@dataclass(frozen=True, slots=True, eq=False)
class CardResult:
    """What a card says of a page.

    values: float64 [n_evidence]. bins: int [n_evidence]. found: channel -> known words of the page.
    totals, probabilities: float64 [n_classes].
    """

    card: CompiledCard
    values: Floats
    bins: np.ndarray[tuple[int], np.dtype[np.int64]]
    found: dict[str, list[str]]
    totals: Floats
    probabilities: Floats


def apply_card(card: PageCard, page: PageMaterial) -> CardResult:
    """Measure what the card asks for and sum the points."""
    compiled = compile_card(card)
    values = measure_page(page, compiled.evidence)
    found = {}
    for channel, known in compiled.words.items():
        words = find_words(page, channel)
        found[channel] = [word for word in known if word in words]
    return sum_points(compiled, values, found)


def sum_points(card: CompiledCard, values: Floats, found: dict[str, list[str]]) -> CardResult:
    """Points of the bins that the values fall in and of the words found."""
    bins = (values[:, None] >= card.edges).sum(axis=1)
    known = ~np.isnan(values)
    totals = card.bias + card.points[np.flatnonzero(known), bins[known]].sum(axis=0)
    rows = [card.words[channel][word] for channel, words in found.items() for word in words]
    totals = totals + card.word_points[rows].sum(axis=0)
    return CardResult(card, values, bins, found, totals, softmax(totals / card.source.temperature))


def softmax(totals: Floats) -> Floats:
    """Points -> probabilities, along the last axis."""
    shifted = np.exp(totals - totals.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))


def explain_card(result: CardResult, chosen: str, rival: str) -> tuple[Reason, ...]:
    """Everything that spoke for `chosen` against `rival`, the largest first; the points sum to the margin."""
    card = result.card
    i, j = card.classes.index(chosen), card.classes.index(rival)
    reasons = [Reason("page card", "bias", "what every page starts with", float(card.bias[i] - card.bias[j]))]
    for number, (name, value) in enumerate(zip(card.evidence, result.values.tolist(), strict=True)):
        if not math.isnan(value):
            points = card.points[number, result.bins[number]]
            line = card.source.lines[name][int(result.bins[number])]
            told = f"{name} = {value:.4g}" + (f". {line.because}" if line.because else "")
            reasons.append(Reason("page card", name, told, float(points[i] - points[j])))
    for channel, words in result.found.items():
        for word in words:
            points = card.word_points[card.words[channel][word]]
            reasons.append(Reason("page card", f"{channel}:{word}", f"{channel} word {word!r}", points[i] - points[j]))
    return tuple(sorted((r for r in reasons if r.points), key=lambda reason: -abs(reason.points or 0)))
