"""The site has every page and every public name; `mkdocs build --strict` in `.ci/run` sees to its links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

import webclean

ROOT = Path(__file__).resolve().parents[2]
REFERENCE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(set(webclean.__all__) - {"__version__"}))
def test_every_public_name_is_in_the_reference(name: str) -> None:
    listed = re.findall(r"^::: webclean\.(\w+)$", REFERENCE, re.MULTILINE)
    for members in re.findall(r"members: \[(.*?)\]", REFERENCE):
        listed += members.split(", ")
    assert listed.count(name) == 1
    assert getattr(webclean, name).__doc__


def test_every_page_is_in_the_menu_once() -> None:
    menu = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    pages = [page for part in menu for found in part.values() for page in found]
    listed = [page if isinstance(page, str) else next(iter(page.values())) for page in pages]
    written = {path.name for path in (ROOT / "docs").iterdir() if path.suffix in {".md", ".ipynb"}}
    assert sorted(written) == sorted(set(listed) & written)
    assert len(listed) == len(set(listed))
    outside = set(listed) - written - {"index.md"}
    assert all((ROOT / page).is_file() for page in outside)
    assert (ROOT / "README.md").is_file()
