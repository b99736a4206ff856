"""Two rule books over the same pages, whose true texts are known or not: which pages change, by how much, and how."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from webclean.pipeline import Cleaner
from webclean.workbench.labelled_pages import LabelledPage, score_words


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
