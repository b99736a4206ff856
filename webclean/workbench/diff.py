"""Two rule books over the same pages: which pages change, by how much, and how."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from webclean.compare.corpus import TruePage
from webclean.compare.scores import score_words
from webclean.pipeline import Cleaner


@dataclass(frozen=True, slots=True)
class PageChange:
    """A page whose text differs; F1 against the truth before and after."""

    page: str
    kind: str
    before: str
    after: str
    f1_before: float
    f1_after: float

    @property
    def delta(self) -> float:
        """F1 gained."""
        return self.f1_after - self.f1_before


@dataclass(frozen=True, slots=True)
class RuleDiff:
    """All changes, and mean F1 over all pages before and after."""

    n_pages: int
    changes: tuple[PageChange, ...]
    f1_before: float
    f1_after: float


def compare_rules(before: Cleaner, after: Cleaner, pages: Iterable[TruePage]) -> RuleDiff:
    """Clean every page twice and keep what differs, the largest loss first."""
    changes, scores = [], []
    for page in pages:
        old, new = (cleaner.clean(page.html, url=page.url).text for cleaner in (before, after))
        f1 = score_words(old, page.text).f1
        if old == new:
            scores.append((f1, f1))
            continue
        change = PageChange(page.id, page.kind, old, new, f1, score_words(new, page.text).f1)
        changes.append(change)
        scores.append((change.f1_before, change.f1_after))
    n = max(1, len(scores))
    return RuleDiff(
        len(scores),
        tuple(sorted(changes, key=lambda change: (change.delta, change.page))),
        sum(old for old, _ in scores) / n,
        sum(new for _, new in scores) / n,
    )


def format_diff(diff: RuleDiff, n_lines: int = 6) -> Iterator[str]:
    """Lines for the terminal: the totals, then each changed page with its first changed lines."""
    better = sum(change.delta > 0 for change in diff.changes)
    worse = sum(change.delta < 0 for change in diff.changes)
    yield (
        f"{diff.n_pages} pages, {len(diff.changes)} change: {better} better, {worse} worse; "
        f"F1 {diff.f1_before:.4f} -> {diff.f1_after:.4f} ({diff.f1_after - diff.f1_before:+.4f})"
    )
    for change in diff.changes:
        yield f"{change.page} {change.kind}  {change.f1_before:.3f} -> {change.f1_after:.3f} ({change.delta:+.3f})"
        lines = [
            line
            for line in difflib.unified_diff(change.before.split("\n"), change.after.split("\n"), n=0, lineterm="")
            if line[:1] in "+-" and line[:3] not in ("+++", "---") and line[1:].strip()
        ]
        yield from (f"    {line[:110]}" for line in lines[:n_lines])
        if len(lines) > n_lines:
            yield f"    ... {len(lines) - n_lines} more lines"


def render_diff_html(diff: RuleDiff, before: str, after: str) -> str:
    """One self-contained page: each changed page side by side."""
    maker = difflib.HtmlDiff(wrapcolumn=70)
    tables = "".join(
        f"<h2>{escape(change.page)} <small>{escape(change.kind)} {change.f1_before:.3f} &rarr; {change.f1_after:.3f}"
        f"</small></h2>"
        + maker.make_table(change.before.split("\n"), change.after.split("\n"), before, after, context=True, numlines=1)
        for change in diff.changes
    )
    style = (
        "body{font:14px/1.4 system-ui,sans-serif;margin:1rem}table.diff{font-size:13px;border-collapse:collapse}"
        "td{padding:1px 6px;vertical-align:top}.diff_add{background:#d7f5dd}.diff_chg{background:#fff3c4}"
        ".diff_sub{background:#fbd9d9}.diff_next{display:none}.diff_header{color:#888}"
    )
    summary = escape(next(format_diff(diff)))
    return (
        f'<!doctype html><meta charset="utf-8"><title>rules diff</title><style>{style}</style><p>{summary}</p>{tables}'
    )
