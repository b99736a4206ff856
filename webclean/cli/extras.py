"""Packages that only some commands need, and that `pip install webclean` leaves out."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from webclean.errors import InputError

_PUBLISHED: Final = {"sklearn": "scikit-learn", "PIL": "pillow"}
"""Module -> the package to install, where the names differ."""


def require(task: str, *modules: str) -> None:
    """Raise `InputError` that says what to install, if a module is missing. task: begins the message: `learning`."""
    missing = [_PUBLISHED.get(name, name) for name in modules if find_spec(name) is None]
    if missing:
        raise InputError(f"{task} needs {' and '.join(missing)}: pip install {' '.join(missing)}")
