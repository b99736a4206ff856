"""Summaries -> a bar chart (PNG): word F1 and LCS F of each method."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webclean.compare.run import Summary
from webclean.errors import InputError


def draw_chart(summaries: Sequence[Summary], path: Path, title: str) -> None:
    """Horizontal bars, the best method on top. Raises `InputError` when matplotlib is not installed."""
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  an extra
    except ImportError as error:
        raise InputError("a chart needs matplotlib: pip install matplotlib") from error
    ordered = sorted(summaries, key=lambda summary: summary.words.f1)
    figure = Figure(figsize=(8, 1 + 0.5 * len(ordered)), layout="constrained")
    axes = figure.subplots()
    rows = range(len(ordered))
    for offset, label, colour, values in (
        (0.2, "word F1", "#2b6cb0", [summary.words.f1 for summary in ordered]),
        (-0.2, "LCS F", "#dd8452", [summary.subsequence.f1 for summary in ordered]),
    ):
        bars = axes.barh([row + offset for row in rows], values, height=0.38, label=label, color=colour)
        axes.bar_label(bars, fmt="%.3f", padding=3, fontsize=8)
    axes.set_yticks(list(rows), [summary.method for summary in ordered])
    axes.set_xlim(0, 1.08)
    axes.set_title(f"{title}, {ordered[0].n_pages if ordered else 0} pages")
    axes.legend(loc="lower right")
    figure.savefig(path, dpi=130)
