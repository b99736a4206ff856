"""The examples of docs/batch.md run as they stand, and it names every column."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from archives import FIXTURES, Sample, list_samples, write_warc

from tests import Capture, Patch
from webclean.batch.tables import KINDS, find_schema
from webclean.cli import main

TEXT = (Path(__file__).parents[2] / "docs" / "batch.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```(sh|python)\n(.*?)```", TEXT, re.DOTALL)


def run_example(language: str, code: str, names: dict[str, Any]) -> None:
    if language == "python":
        exec(compile(code, "docs/batch.md", "exec"), names)
        return
    for line in code.splitlines():
        if line.startswith("webclean ") and "ray" not in line:
            assert main([*shlex.split(line)[1:], "--jobs", "1", "--quiet"]) == 0


def test_the_examples_run_and_a_query_finds_the_block(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    for package in ("duckdb", "pandas", "polars"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    harbour = Sample(
        "harbour", (FIXTURES / "content/news-en-harbour/input.html").read_bytes(), "https://news.example/wall"
    )
    write_warc(tmp_path / "crawl.warc.gz", [*list_samples(n=15), harbour])
    names: dict[str, Any] = {"__name__": "example"}
    for language, code in EXAMPLES:
        run_example(language, code, names)
    found = [row for row in names["search"]("voids masonry") if row[0].startswith(harbour.url)]
    (address, role, shown) = found[0]
    assert address.startswith(f"{harbour.url}#:~:text=Engineers")  # a link that opens the page at the block
    assert role == "content"
    assert "[voids]" in shown
    assert address in capsys.readouterr().out
    (text,) = names["index"].execute("select text from blocks where address = ?", (address,)).fetchone()
    pages = names["pandas"].read_parquet("out/pages")
    whole = pages[pages["url"] == harbour.url]["text"].item()
    assert len(text) < len(whole) / 2  # the block, not the page


@pytest.mark.parametrize("kind", KINDS)
def test_every_column_is_told(kind: str) -> None:
    for name in find_schema(kind).names:
        assert f"| `{name}` |" in TEXT
