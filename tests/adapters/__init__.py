"""Adapters against the libraries that they are for."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

import pytest


def need(module: str, extra: str) -> Any:
    """A library; without it the tests of a module are skipped, or fail where `WEBCLEAN_ADAPTERS` is `required`."""
    if os.environ.get("WEBCLEAN_ADAPTERS") == "required":
        return import_module(module)
    return pytest.importorskip(module, reason=f"needs the extra {extra}")
