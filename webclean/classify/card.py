"""The additive card: evidence and words -> points of each class, summed; softmax makes them probabilities.

Every page starts with the bias; each piece of evidence adds the points of the bin its value falls in, each word that
the card knows adds its own. Evidence that says nothing of a page (NaN) adds nothing.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from webclean.classify.features import PAGE_FEATURES, MatchedWords, PageView, list_card_words
from webclean.errors import RuleError
from webclean.model import Floats, Reason
from webclean.rules.caching import cached_per_rule_set
from webclean.rules.page_type_schema import PageCard, PageLines


@dataclass(frozen=True, slots=True, eq=False)
class CompiledCard:
    """A card as arrays.

    classes: the n_classes names. points: float64 [n_rows, n_classes]; the bias is the first row, then come the bins of
    each piece of evidence, from the row `first_word` on the words. evidence: the n_evidence names; compute: what
    measures each; edges: the rising limits of the bins of each; first: the row of the first bin of each. words: channel
    and word of each of the n_words.
    """

    source: PageCard
    classes: tuple[str, ...]
    points: Floats
    evidence: tuple[str, ...]
    compute: tuple[Callable[[PageView], float], ...]
    edges: tuple[tuple[float, ...], ...]
    first: tuple[int, ...]
    first_word: int
    words: tuple[tuple[str, str], ...]


@cached_per_rule_set
def compile_card(card: PageCard) -> CompiledCard:
    """Arrays of a card. Raises `RuleError` for one that cannot be used."""
    classes = tuple(card.bias)
    rows: list[Mapping[str, float]] = [card.bias]
    first: list[int] = []
    for name, lines in card.lines.items():
        _check_lines(name, lines, classes)
        first.append(len(rows))
        rows += [{label: given[i] for label, given in lines.points.items()} for i in range(len(lines.below) + 1)]
    words = tuple(list_card_words(card))
    table = [*rows, *(card.words[channel][word] for channel, word in words)]
    return CompiledCard(
        card,
        classes,
        np.array([[row.get(label, 0.0) for label in classes] for row in table], dtype=np.float64),
        tuple(card.lines),
        tuple(PAGE_FEATURES.find(name).compute for name in card.lines),
        tuple(tuple(lines.below) for lines in card.lines.values()),
        tuple(first),
        len(rows),
        words,
    )


def _check_lines(name: str, lines: PageLines, classes: tuple[str, ...]) -> None:
    """Evidence and classes exist, the limits rise, and there are points for each bin."""
    key = f"page_type.card.lines.{name}"
    PAGE_FEATURES.find(name, key)
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

    values: n_evidence numbers. bins: rows of the points that the page gets for the evidence that says something.
    found: numbers of the card's words that the page has, rising. totals, probabilities: n_classes numbers.
    """

    card: CompiledCard
    values: Sequence[float]
    bins: list[int]
    found: list[int]
    totals: list[float]
    probabilities: list[float]


def apply_card(page: PageView, spoken: MatchedWords) -> CardResult:
    """Measure what the card of the page's rules asks for and sum its points."""
    compiled = compile_card(page.rules.card)
    return sum_points(compiled, [compute(page) for compute in compiled.compute], spoken.numbers)


def sum_points(card: CompiledCard, values: Sequence[float], words: Iterable[int]) -> CardResult:
    """Points of the bins that the values fall in and of the card's words. words: numbers; others than the card's add
    nothing."""
    told = zip(card.first, card.edges, values, strict=True)
    bins = [first + bisect_right(edges, value) for first, edges, value in told if value == value]  # noqa: PLR0124  NaN
    found = sorted(number for number in words if number < len(card.words))
    rows = [0, *bins, *(card.first_word + number for number in found)]
    totals: list[float] = card.points[rows].sum(axis=0).tolist()
    return CardResult(card, values, bins, found, totals, softmax(totals, card.source.temperature))


def softmax(totals: Sequence[float], temperature: float = 1.0) -> list[float]:
    """Points -> probabilities."""
    best = max(totals)
    raised = [math.exp((total - best) / temperature) for total in totals]
    whole = sum(raised)
    return [value / whole for value in raised]


def explain_card(result: CardResult, chosen: str, rival: str) -> tuple[Reason, ...]:
    """Everything that spoke for `chosen` against `rival`, the largest first; the points sum to the margin."""
    card = result.card
    i, j = card.classes.index(chosen), card.classes.index(rival)
    margins = (card.points[:, i] - card.points[:, j]).tolist()
    reasons = [Reason("page card", "bias", "what every page starts with", margins[0])]
    measured = zip(card.evidence, result.values, strict=True)
    known = [(name, value) for name, value in measured if not math.isnan(value)]
    for row, (name, value) in zip(result.bins, known, strict=True):
        evidence = PAGE_FEATURES.find(name)
        told = f"{name} = {value:.4g} ({evidence.unit}: {evidence.meaning})"
        because = card.source.lines[name].because
        reasons.append(Reason("page card", name, f"{told}. {because}" if because else told, margins[row]))
    for number in result.found:
        channel, word = card.words[number]
        points = margins[card.first_word + number]
        reasons.append(Reason("page card", f"{channel}:{word}", f"{channel} word {word!r}", points))
    return tuple(sorted((r for r in reasons if r.points), key=lambda reason: -abs(reason.points or 0)))
