"""The version: the one place that states it. The build of the package reads it from here (`pyproject.toml`)."""

from __future__ import annotations

from typing import Final

__version__: Final = "0.1.0"
