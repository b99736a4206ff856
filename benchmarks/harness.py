"""What benchmarks share: arguments, cleaners with changed rules, Markdown tables, figures as JSON."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import checkout

from webclean.model import Limits
from webclean.pipeline import Cleaner
from webclean.rules.files import write_yaml

DOCS: Final = checkout.CLONE / "docs"
PATIENT: Final = Limits(max_seconds=600)
"""Limits for a busy machine, on which a page may take its time."""
Summary = Mapping[str, Mapping[str, float]]
"""System or variant -> measure -> value."""
T = TypeVar("T")


def make_parser(doc: str | None, *, json_file: bool = False) -> argparse.ArgumentParser:
    """A parser of arguments whose help is the docstring of the script; json_file: with the option `--json`."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if json_file:
        parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    return parser


def take_about(items: Sequence[T], n: int | None) -> Sequence[T]:
    """About `n` of the items, evenly spread; all without a number."""
    return items[:: max(1, len(items) // n)] if n else items


def build_cleaner(changes: Mapping[str, Any], **options: Any) -> Cleaner:
    """A cleaner whose rules are the shipped ones but for some values, as a rule file holds them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "changes.yaml"
        path.write_text(write_yaml(dict(changes)), encoding="utf-8")
        return Cleaner(rules=[path] if changes else [], limits=PATIENT, **options)


def format_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table."""
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    return "\n".join([*lines, *(f"| {' | '.join(map(str, row))} |" for row in rows)])


def format_by_measure(summary: Summary) -> str:
    """A Markdown table with a column for each system and a row for each measure."""
    names = dict.fromkeys(name for own in summary.values() for name in own)
    rows = ([name, *(f"{own[name]:.3f}" if name in own else "" for own in summary.values())] for name in names)
    return format_table(["", *summary], rows)


def format_by_system(summary: Summary, digits: int = 4) -> str:
    """A Markdown table with a row for each system and a column for each measure."""
    names = list(dict.fromkeys(name for own in summary.values() for name in own))
    rows = (
        [system, *(f"{own[name]:.{digits}f}" if name in own else "" for name in names)]
        for system, own in summary.items()
    )
    return format_table(["", *names], rows)


def write_figures(path: Path | None, summary: Summary, n_pages: int | Mapping[str, int] = 0, **more: Any) -> None:
    """Write figures as `remake.py` reads them; nothing without a path."""
    if path:
        path.write_text(json.dumps({"summary": summary, "n_pages": n_pages, **more}, indent=1), encoding="utf-8")


def replace_table(path: Path, mark: str, table: str, end: str = "<!-- end of figures -->") -> None:
    """Write a table into a page of the docs, between `<!-- MARK -->` and its end."""
    before, _, rest = path.read_text(encoding="utf-8").partition(f"<!-- {mark} -->\n")
    path.write_text(f"{before}<!-- {mark} -->\n\n{table}\n\n{end}{rest.partition(end)[2]}", encoding="utf-8")
