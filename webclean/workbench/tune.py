"""Search over chosen thresholds, scored by cross-validation grouped by site.

For each fold, the best value is chosen on the other folds and scored on this one. The proposed value is the best on all
pages. It is rejected if the validation scores do not support it: if there is no gain, if the gain may be chance (under
one standard error of the pages' gains), or if most of the gain is lost on pages that the value was not chosen on.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Any, Final

from webclean.model import Rows

MIN_GAIN: Final = 0.0005  # of mean F1 on validation pages, below which a change is not worth a line
MIN_SUPPORT: Final = 0.5  # share of the training gain that must be left on validation pages

Setting = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Tuning:
    """What the search found: mean F1 of the present setting, of the best on all pages, and by cross-validation."""

    best: Setting
    f1_now: float
    f1_train: float
    f1_validation: float
    chosen: tuple[Setting, ...]
    accepted: bool
    verdict: str


def list_combinations(grid: Mapping[str, Sequence[Any]]) -> list[Setting]:
    """Every combination of the values of the parameters."""
    return [tuple(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]


def tune_settings(
    now: Setting, settings: Sequence[Setting], folds: Rows, score: Callable[[Setting], Sequence[float]]
) -> Tuning:
    """Choose a setting. `score` gives the F1 of every page under a setting; `folds` the fold of every page."""
    scores = {setting: list(score(setting)) for setting in dict.fromkeys((now, *settings))}
    fold_of = folds.tolist()

    def mean(setting: Setting, inside: Callable[[int], bool]) -> float:
        return fmean(value for value, fold in zip(scores[setting], fold_of, strict=True) if inside(fold))

    chosen, validation, gains = [], [], []
    for held in sorted(set(fold_of)):
        best = max(scores, key=lambda setting: mean(setting, lambda fold: fold != held))  # noqa: B023  used at once
        chosen.append(best)
        inside = [page for page, fold in enumerate(fold_of) if fold == held]
        validation += [scores[best][page] for page in inside]
        gains += [scores[best][page] - scores[now][page] for page in inside]
    best = max(scores, key=lambda setting: mean(setting, lambda fold: True))
    f1_now, f1_train, f1_validation = fmean(scores[now]), fmean(scores[best]), fmean(validation)
    noise = stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else 0.0
    accepted, verdict = judge_gain(f1_train - f1_now, f1_validation - f1_now, noise)
    if all(values == scores[now] for values in scores.values()):
        accepted, verdict = False, "these values change no page's score"
    return Tuning(best, f1_now, f1_train, f1_validation, tuple(chosen), accepted and best != now, verdict)


def judge_gain(train: float, validation: float, noise: float = 0.0) -> tuple[bool, str]:
    """(whether a gain holds on other pages, the reason in words). noise: standard error of the gain."""
    if train <= 0:
        return False, "nothing scores better than the present values"
    if validation < MIN_GAIN:
        return False, f"overfits: {train:+.4f} on the pages it was chosen on, {validation:+.4f} on the others"
    if validation < noise:
        return False, f"may be chance: {validation:+.4f} on pages it was not chosen on, give or take {noise:.4f}"
    if validation < MIN_SUPPORT * train:
        return False, f"mostly overfits: {train:+.4f} on the pages it was chosen on, {validation:+.4f} on the others"
    return True, f"holds: {train:+.4f} on the pages it was chosen on, {validation:+.4f} on the others"
