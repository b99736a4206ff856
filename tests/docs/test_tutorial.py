"""The tutorial notebook runs from its first cell to its last, and shows what stands in it, but for what is learnt."""

from __future__ import annotations

import os
import re
import warnings
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
NOTEBOOK = DOCS / "tutorial.ipynb"
AGAIN = (
    "jupyter nbconvert --to notebook --execute --inplace --ExecutePreprocessor.record_timing=False docs/tutorial.ipynb"
)


def describe_cell(cell: Any) -> list[str]:
    """What a reader sees of the outputs of a cell, apart from digits. Cells with the tag `learnt` show what learning
    the cards anew may change: of these, what kind of output they have. What is printed arrives in one piece or in many.
    """
    shown: list[tuple[str, str]] = []
    for output in cell.outputs:
        text = output.get("text") or output.get("data", {}).get("text/plain", "")
        before = shown.pop()[1] if shown and shown[-1][0] == output["output_type"] == "stream" else ""
        shown.append((output["output_type"], before + text))
    if "learnt" in cell.metadata.get("tags", ()):
        return [kind for kind, _ in shown]
    return [re.sub(r"\d+(\.\d+)?", "#", re.sub(r"[ ─]+", " ", text)) for _, text in shown]


def test_every_cell_shows_what_stands_below_it() -> None:
    if os.environ.get("WEBCLEAN_DOCS") != "required":
        for module in ("ipykernel", "nbclient", "pandas", "polars", "jsonschema"):
            pytest.importorskip(module, reason="needs the extra docs")
    with warnings.catch_warnings():  # of what Jupyter itself does
        warnings.simplefilter("ignore")
        import nbformat  # noqa: PLC0415  an extra
        from nbclient import NotebookClient  # noqa: PLC0415

        written = nbformat.read(NOTEBOOK, as_version=4)
        played = nbformat.from_dict(written)
        settings = {"metadata": {"path": str(DOCS)}}
        NotebookClient(played, timeout=120, kernel_name="python3", resources=settings).execute()
    shown, told = (
        [describe_cell(cell) for cell in notebook.cells if cell.cell_type == "code"]
        for notebook in (played, nbformat.read(NOTEBOOK, as_version=4))
    )
    assert shown == told, f"if this is right: {AGAIN}"
    assert sum(map(len, told)) > 10
