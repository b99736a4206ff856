"""Adapters against the libraries that they are for."""

import os
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest


def need(module: str, extra: str) -> Any:
    """A library; without it the tests of a module are skipped, or fail where `WEBCLEAN_ADAPTERS` is `required`."""
    if os.environ.get("WEBCLEAN_ADAPTERS") == "required":
        return import_module(module)
    return pytest.importorskip(module, reason=f"needs the extra {extra}")


def read_example(section: str, number: int = 0) -> str:
    """An example of docs/adapters.md: a block of Python below a heading."""
    text = (Path(__file__).resolve().parents[2] / "docs" / "adapters.md").read_text(encoding="utf-8")
    (body,) = re.findall(rf"^## {re.escape(section)}$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return str(re.findall(r"```python\n(.*?)```", body, re.DOTALL)[number])
