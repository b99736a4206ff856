"""The additive card: evidence and words -> points of each class, summed; softmax makes them probabilities.

Every page starts with the bias; each piece of evidence adds the points of the bin its value falls in, each word that
the card knows adds its own. Evidence that says nothing of a page (NaN) adds nothing.
"""

from __future__ import annotations

import math
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

    classes: the n_classes names. evidence: the n_evidence names. edges: float64 [n_evidence, n_bins - 1], padded with
    infinity. points: float64 [n_evidence, n_bins, n_classes]. bias: float64 [n_classes]. words: channel -> word -> row
    of word_points, float64 [n_words, n_classes]. name_words: the names met so far and their words of `names`.
    """

    source: PageCard
    classes: tuple[str, ...]
    evidence: tuple[str, ...]
    edges: Floats
    points: Floats
    bias: Floats
    words: dict[str, dict[str, int]]
    word_points: Floats
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
    n_bins = 1 + max((len(lines.below) for lines in card.lines.values()), default=0)
    edges = np.full((len(card.lines), n_bins - 1), np.inf)
    points = np.zeros((len(card.lines), n_bins, len(classes)))
    for i, (name, lines) in enumerate(card.lines.items()):
        _check_lines(name, lines, classes)
        edges[i, : len(lines.below)] = lines.below
        for label, given in lines.points.items():
            points[i, : len(given), classes.index(label)] = given
    words: dict[str, dict[str, int]] = {}
    rows: list[list[float]] = []
    for channel, known in card.words.items():
        if channel not in CHANNELS:
            raise RuleError(f"no words of {channel!r}: one of {', '.join(CHANNELS)}", key="page_type.card.words")
        words[channel] = {word: len(rows) + i for i, word in enumerate(known)}
        rows += [[given.get(label, 0.0) for label in classes] for given in known.values()]
    word_points = np.array(rows, dtype=np.float64).reshape(len(rows), len(classes))
    bias = np.array(list(card.bias.values()), dtype=np.float64)
    name_words = NameLexicon(make_lexicon(words.get(NAMES, {})))
    return CompiledCard(card, classes, tuple(card.lines), edges, points, bias, words, word_points, name_words)


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

    values: float64 [n_evidence]. bins: int [n_evidence]. found: rows of the known words of the page, rising.
    totals, probabilities: float64 [n_classes].
    """

    card: CompiledCard
    values: Floats
    bins: np.ndarray[tuple[int], np.dtype[np.int64]]
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
    bins = (values[:, None] >= card.edges).sum(axis=1)
    known = np.flatnonzero(values == values)  # noqa: PLR0124  NaN is not equal to itself
    found = sorted(rows[word] for channel, rows in card.words.items() for word in words[channel].intersection(rows))
    totals = card.bias + card.points[known, bins[known]].sum(axis=0) + card.word_points[found].sum(axis=0)
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
            known = EVIDENCE[name]
            told = f"{name} = {value:.4g} ({known.unit}: {known.meaning})"
            because = card.source.lines[name].because
            reasons.append(
                Reason("page card", name, f"{told}. {because}" if because else told, float(points[i] - points[j]))
            )
    named = [(channel, word) for channel, rows in card.words.items() for word in rows]
    for row in result.found:
        channel, word = named[row]
        points = card.word_points[row]
        reasons.append(Reason("page card", f"{channel}:{word}", f"{channel} word {word!r}", points[i] - points[j]))
    return tuple(sorted((r for r in reasons if r.points), key=lambda reason: -abs(reason.points or 0)))
