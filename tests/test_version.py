"""The version is that of the installed package, or says that there is none."""

from __future__ import annotations

import importlib.metadata
import runpy
from pathlib import Path

import pytest

import webclean

FILE = Path(webclean.__file__).with_name("version.py")


def test_a_source_tree_that_is_not_installed_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def find_none(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", find_none)
    assert runpy.run_path(str(FILE))["__version__"] == "0+source"
    monkeypatch.setattr(importlib.metadata, "version", lambda name: f"{name} 9")
    assert runpy.run_path(str(FILE))["__version__"] == "webclean 9"
