"""Rule sets tried on pages: compared with each other, and tuned.

Two rule books over the same pages, whose true texts are known or not: which pages change, by how much, and how. Chosen
thresholds are searched by cross-validation grouped by site.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import islice
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

import yaml

from webclean.checks import check_text
from webclean.errors import InputError, RuleError
from webclean.model import Rows
from webclean.pipeline import Cleaner
from webclean.rules import LayerKey, RuleBook
from webclean.rules.explanations import list_settings
from webclean.rules.files import write_yaml
from webclean.rules.layers import merge_values
from webclean.workbench.labelled_pages import LabelledPage, group_pages, make_folds, score_words


@dataclass(frozen=True, slots=True)
class PageChange:
    """A page whose text differs; F1 against the truth before and after, None where the truth is not known."""

    page: str
    kind: str
    before: str
    after: str
    f1_before: float | None
    f1_after: float | None

    @property
    def delta(self) -> float:
        """F1 gained, 0 where it is not known."""
        return 0.0 if self.f1_before is None or self.f1_after is None else self.f1_after - self.f1_before

    def __str__(self) -> str:
        """The page and its scores."""
        if self.f1_before is None:
            return f"{self.page} {self.kind}"
        return f"{self.page} {self.kind}  F1 {self.f1_before:.3f} -> {self.f1_after:.3f} ({self.delta:+.3f})"


@dataclass(frozen=True, slots=True)
class RuleDiff:
    """All changes; the pages with a known truth, and their mean F1 before and after."""

    n_pages: int
    changes: tuple[PageChange, ...]
    n_scored: int
    f1_before: float
    f1_after: float

    def __str__(self) -> str:
        """The totals in one line."""
        line = f"{self.n_pages} pages, {len(self.changes)} change"
        if not self.n_scored:
            return f"{line} (no true texts, no scores)"
        better, worse = (sum(sign * change.delta > 0 for change in self.changes) for sign in (1, -1))
        gain = f"F1 {self.f1_before:.4f} -> {self.f1_after:.4f} ({self.f1_after - self.f1_before:+.4f})"
        scored = "" if self.n_scored == self.n_pages else f" on the {self.n_scored} with a true text"
        return f"{line}: {better} better, {worse} worse; {gain}{scored}"


def compare_rules(before: Cleaner, after: Cleaner, pages: Iterable[LabelledPage]) -> RuleDiff:
    """Clean every page twice and keep what differs, the largest loss first."""
    changes, scores, n_pages = [], [], 0
    for page in pages:
        n_pages += 1
        # a change is one of the text: other fields and scores may differ silently
        old, new = (cleaner.clean(page.html, url=page.url or None).text for cleaner in (before, after))
        pair = None if not page.has_text else (score_words(old, page.text).f1, score_words(new, page.text).f1)
        if pair is not None:
            scores.append(pair)
        if old != new:
            changes.append(PageChange(page.id, page.page_type, old, new, *(pair or (None, None))))
    n = max(1, len(scores))
    return RuleDiff(
        n_pages,
        tuple(sorted(changes, key=lambda change: (change.delta, change.page))),
        len(scores),
        sum(old for old, _ in scores) / n,
        sum(new for _, new in scores) / n,
    )


def list_changes(before: str, after: str) -> Iterator[tuple[str, str]]:
    """The lines of text that only one of two texts has, in reading order: (`+`, line) and (`-`, line)."""
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm="")
    for line in islice(lines, 2, None):  # the first two name the files
        if line[:1] in "+-" and line[1:].strip():
            yield line[:1], line[1:]


def format_diff(diff: RuleDiff, n_lines: int = 6) -> Iterator[str]:
    """Lines for the terminal: the totals, then each changed page with its first changed lines."""
    yield str(diff)
    for change in diff.changes:
        yield str(change)
        lines = [f"{sign}{line}" for sign, line in list_changes(change.before, change.after)]
        yield from (f"    {line[:110]}" for line in lines[:n_lines])
        if len(lines) > n_lines:
            yield f"    ... {len(lines) - n_lines} more lines"


MIN_GAIN: Final = 0.0005  # of mean F1 on validation pages, below which a change is not worth a line
MIN_SUPPORT: Final = 0.5  # share of the training gain that must be left on validation pages

Setting = tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Tuning:
    """What the search found: mean F1 of the present setting, of the best on all pages, and by cross-validation; chosen:
    what each fold chose."""

    now: Setting
    best: Setting
    f1_now: float
    f1_train: float
    f1_validation: float
    chosen: tuple[Setting, ...]
    accepted: bool
    verdict: str

    def __str__(self) -> str:
        """Lines of the scores, each value before and after with the choice of each fold, and the verdict."""
        scores = f"best on all pages {self.f1_train:.4f}   cross-validated {self.f1_validation:.4f}"
        lines = [f"now {self.f1_now:.4f}   {scores}"]
        for (key, before), (_, after) in zip(self.now, self.best, strict=True):
            chosen = ", ".join(str(dict(setting)[key]) for setting in self.chosen)
            lines += [f"- {key}: {before}", f"+ {key}: {after}    (folds chose {chosen})"]
        return "\n".join([*lines, f"{'accepted' if self.accepted else 'refused'}: {self.verdict}"])


def tune_rules(
    book: RuleBook,
    grid: Mapping[str, Sequence[Any]],
    pages: Sequence[LabelledPage],
    n_folds: int,
    folder: Path,
    start_counter: Callable[[str, int], Any],
) -> Tuning:
    """Try every combination of values on pages whose true text is known.

    folder: for rule files of the combinations, which must last as long as their books: a book looks whether its files
    have changed. start_counter: is told what is tried, and how many pages
    will be cleaned, and gives what counts them. Raises `InputError`.
    """
    present: Any = merge_values(layer.text.values for layer in book.layers(LayerKey()))
    now: Setting = tuple((key, _find_value(book, present, key)) for key in grid)
    settings: list[Setting] = [tuple(zip(grid, values, strict=True)) for values in itertools.product(*grid.values())]
    tuned = {
        setting: _write_setting(book, setting, folder / f"{number}.yaml")
        # the present values are scored like the others, once
        for number, setting in enumerate(dict.fromkeys((now, *settings)))
    }
    groups = group_pages(pages)
    n_groups = len(set(groups.tolist()))
    # a fold without a site has nothing to be scored on
    if n_groups < n_folds:
        raise InputError(f"{n_groups} sites with a true text, too few for {n_folds} folds")
    folds = make_folds(groups, [page.page_type for page in pages], n_folds)
    plan = f"{len(pages)} pages of {n_groups} sites, {len(tuned)} combinations"
    counter = start_counter(plan, len(tuned) * len(pages))

    def score(setting: Setting) -> list[float]:
        cleaner, scores = Cleaner(rules=tuned[setting]), []
        for page in pages:
            scores.append(score_words(cleaner.clean(page.html, url=page.url or None).text, page.text).f1)
            counter.count()
        return scores

    found = tune_settings(now, settings, folds, score)
    counter.finish()
    return found


def read_parameter(text: str) -> tuple[str, list[Any]]:
    """`a.b=1,2` -> ("a.b", [1, 2]). Raises `InputError`."""
    key, _, values = text.partition("=")
    try:
        # values are written as in rule files: numbers, texts, lists
        read = list(yaml.safe_load(f"[{values}]"))
    except yaml.YAMLError as error:
        raise InputError(f"--param {text!r}: not values of YAML: write KEY=VALUE,VALUE,...") from error
    if not key or not values:
        raise InputError(f"--param {text!r}: write KEY=VALUE,VALUE,...")
    return key, read


def _find_value(book: RuleBook, values: Any, key: str) -> Any:
    """The value of a dotted key. Raises `InputError` when there is none."""
    try:
        return reduce(dict.__getitem__, key.split("."), values)
    except (KeyError, TypeError):
        close = difflib.get_close_matches(key, [setting.key for setting in list_settings(book.for_page())], n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        told = f"--param: no setting {key!r}; {hint}`webclean rules schema --settings` lists all"
        raise InputError(told) from None


def nest_setting(setting: Setting) -> dict[str, Any]:
    """`a.b = 1` as `{a: {b: 1}}`."""
    return merge_values(
        reduce(lambda inner, step: {step: inner}, reversed(key.split(".")), value) for key, value in setting
    )


def _write_setting(book: RuleBook, setting: Setting, file: Path) -> RuleBook:
    """The book with a setting, written to a file, laid over it."""
    file.write_text(write_yaml(nest_setting(setting)), encoding="utf-8")
    tuned = RuleBook(folders=book.folders[1:], files=[*book.files, file])
    try:
        # faulty values end here and not after an hour of cleaning
        tuned.for_page(check=check_text)
    except RuleError as error:
        raise InputError(f"--param {error.key}: {error.message}") from error
    return tuned


def tune_settings(
    now: Setting, settings: Sequence[Setting], folds: Rows, score: Callable[[Setting], Sequence[float]]
) -> Tuning:
    """Choose a setting by cross-validation. score: a setting -> the F1 of every page. folds: the fold of every page.

    For each fold, the best value is chosen on the other folds and scored on this one. The proposed value is the best on
    all pages. It is rejected if the validation scores do not support it: if there is no gain, if the gain may be chance
    (under one standard error of the pages' gains), or if most of the gain is lost on pages that the value was not
    chosen on.
    """
    scores = {setting: list(score(setting)) for setting in dict.fromkeys((now, *settings))}
    fold_of = folds.tolist()

    def mean_without(held: int, setting: Setting) -> float:
        return fmean(value for value, fold in zip(scores[setting], fold_of, strict=True) if fold != held)

    chosen, validation, gains = [], [], []
    for held in sorted(set(fold_of)):
        best = max(scores, key=partial(mean_without, held))
        chosen.append(best)
        inside = [page for page, fold in enumerate(fold_of) if fold == held]
        validation += [scores[best][page] for page in inside]
        gains += [scores[best][page] - scores[now][page] for page in inside]
    best = max(scores, key=lambda setting: fmean(scores[setting]))
    f1_now, f1_train, f1_validation = fmean(scores[now]), fmean(scores[best]), fmean(validation)
    # the standard error of the mean over pages: a smaller gain may be due to the choice of pages
    noise = stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else 0.0
    accepted, verdict = judge_gain(f1_train - f1_now, f1_validation - f1_now, noise)
    # said apart: it is mostly a key that these pages never reach
    if all(values == scores[now] for values in scores.values()):
        accepted, verdict = False, "these values change no page's score"
    return Tuning(now, best, f1_now, f1_train, f1_validation, tuple(chosen), accepted and best != now, verdict)


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
