"""Figures of result files -> the tables of README and docs.

tables.yaml says what a table is made of. A Markdown file holds it between `<!-- table: NAME -->` and `<!-- end -->`.
A cell is described by its row and its column together: `result`, `system` (one or several: the best is shown) and
`show`, a text with figures in braces, such as `{wcxb-dev f1}` or `{date/false:.2f}`. A cell whose figures are missing
is empty; rows and columns without any figure are left out. `notes` of a column are texts by row. `bold: best` of a
table marks the best figure of a row, among the columns without `bold: false`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml
from checkout import CLONE
from results import Figures, list_results, read_result

TABLES: Final = Path(__file__).resolve().parent / "tables.yaml"
DOCUMENTS: Final = (CLONE / "README.md", *sorted((CLONE / "docs").glob("*.md")))
_MARKED: Final = re.compile(r"<!-- table: ([\w-]+) -->\n.*?<!-- end -->", re.DOTALL)
_FIGURE: Final = re.compile(r"\{([^}:]+)(?::([^}]*))?\}")

Cell = tuple[float, str]
"""The first figure, by which the best is found, and the text."""


def read_tables() -> dict[str, dict[str, Any]]:
    """Name -> description."""
    found: dict[str, dict[str, Any]] = yaml.safe_load(TABLES.read_text(encoding="utf-8"))
    return found


def read_figures() -> dict[str, Figures]:
    """Result -> system -> measure -> value."""
    return {name: result.figures for name in list_results() if (result := read_result(name))}


def format_table(table: Mapping[str, Any], figures: Mapping[str, Figures]) -> str:
    """Markdown of one table."""
    columns: dict[str, dict[str, Any]] = table["columns"]
    rows = {
        label: {name: find_cell(label, column, row, figures) for name, column in columns.items()}
        for label, row in table["rows"].items()
    }
    of_figures = [name for name, column in columns.items() if "notes" not in column]
    rows = {label: cells for label, cells in rows.items() if any(cells[name] for name in of_figures)}
    shown = [name for name in columns if name not in of_figures or any(cells[name] for cells in rows.values())]
    lines = [f"| {table.get('corner', '')} | {' | '.join(shown)} |", "|---" * (len(shown) + 1) + "|"]
    rivals = [name for name in of_figures if table.get("bold") == "best" and columns[name].get("bold", True)]
    for label, cells in rows.items():
        values = [cell[0] for name in rivals if (cell := cells[name])]
        best = max(values) if len(values) > 1 else None
        texts = [mark_best(cells[name], best if name in rivals else None) for name in shown]
        lines.append(f"| {label} | {' | '.join(texts)} |")
    return "\n".join(lines)


def find_cell(
    label: str, column: Mapping[str, Any], row: Mapping[str, Any], figures: Mapping[str, Figures]
) -> Cell | None:
    """The best of the results and systems that a cell may be of, None without any."""
    if "notes" in column:
        note = column["notes"].get(label)
        return (0.0, note) if note else None
    about = {**row, **column}
    pairs = itertools.product(*(([v] if isinstance(v := about[key], str) else v) for key in ("result", "system")))
    cells = [read_cell(about["show"], figures.get(result, {}).get(system, {})) for result, system in pairs]
    return max((cell for cell in cells if cell), default=None)


def read_cell(show: str, own: Mapping[str, float]) -> Cell | None:
    """A text with its figures filled in, None when one is missing."""
    found = _FIGURE.findall(show)
    if any(name not in own for name, _ in found):
        return None
    return own[found[0][0]], _FIGURE.sub(lambda m: format(own[m[1]], m[2] or ".3f"), show)


def mark_best(cell: Cell | None, best: float | None) -> str:
    """The text, its first figure in bold where it is the best to three digits."""
    if cell is None:
        return ""
    value, text = cell
    if best is None or round(value, 3) < round(best, 3):
        return text
    first, _, rest = text.partition(" ")
    return f"**{first}**" + (f" {rest}" if rest else "")


def fill_tables(text: str, made: Mapping[str, str]) -> str:
    """A document with the tables between its marks. Raises KeyError for a mark without a table."""
    return _MARKED.sub(lambda m: f"<!-- table: {m[1]} -->\n\n{made[m[1]]}\n\n<!-- end -->", text)


def make_tables() -> dict[str, str]:
    """Name -> Markdown of every table."""
    figures = read_figures()
    return {name: format_table(table, figures) for name, table in read_tables().items()}


def write_tables() -> None:
    """Write every table where it is marked."""
    made = make_tables()
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        filled = fill_tables(text, made)
        if filled != text:
            path.write_text(filled, encoding="utf-8")
            print(f"wrote the tables of {path.relative_to(CLONE)}")
