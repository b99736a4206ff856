"""The version stands in one place."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import webclean

ROOT = Path(__file__).resolve().parent.parent


def test_the_build_reads_the_version_that_the_code_states() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in settings["project"]
    path = ROOT / settings["tool"]["hatch"]["version"]["path"]
    names: dict[str, str] = {}
    exec(path.read_text(encoding="utf-8"), names)
    assert names["__version__"] == webclean.__version__


def test_the_changelog_begins_with_this_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert changes.split("\n## ", 2)[1].startswith(f"{webclean.__version__} ")


def test_a_tree_that_is_not_installed_knows_its_version() -> None:
    program = "import webclean; print(webclean.__version__)"
    found = subprocess.run([sys.executable, "-S", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == webclean.__version__
