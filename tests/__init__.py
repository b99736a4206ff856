"""The tests, a folder a room; and short names for what pytest hands to many of them."""

import csv
import gzip
import json
from pathlib import Path

import pytest

from webclean.blocks.text_blocks import find_text_blocks
from webclean.features import PageColumns
from webclean.parse import parse_page

Capture = pytest.CaptureFixture[str]
"""Reads standard output and standard error."""
Patch = pytest.MonkeyPatch
"""Puts things in place of others while a test runs."""


def read_columns(markup: str, url: str | None = None) -> PageColumns:
    """The columns of a page as it stands, without the settings of rules."""
    document = parse_page(markup, url=url)
    return PageColumns(document, find_text_blocks(document))


def read_table(path: Path) -> tuple[list[str], list[list[str]]]:
    """The names of the columns of a file of tab-separated values, and its rows; lines of `# ` are notes."""
    lines = (line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("# "))
    names, *rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    return names, rows


def write_file(path: Path, content: str | bytes) -> Path:
    """A file with the content, and the folders above it; gives its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def write_labelled(folder: Path, page_id: str, html: str, label: object, labels: str = "ground-truth") -> None:
    """A page with what is true of it, as corpora keep both."""
    write_file(folder / "html" / f"{page_id}.html.gz", gzip.compress(html.encode()))
    write_file(folder / labels / f"{page_id}.json", json.dumps(label))
