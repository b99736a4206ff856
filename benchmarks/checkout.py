"""Importing this module makes `webclean` the package of the clone that the benchmarks stand in, whatever is installed.

Every benchmark imports it before anything of webclean: a figure is of the files beside it. A benchmark that ends for
want of a package then says in one line which extra brings it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Final

CLONE: Final = Path(__file__).resolve().parent.parent
EXTRAS: Final = {
    "fastwarc": "batch",
    "htmldate": "bench",
    "pyarrow": "batch",
    "readability": "readability",
    "resiliparse": "bench",
    "scipy": "learn",
    "sklearn": "learn",
    "trafilatura": "bench",
}
"""Package as it is imported -> the extra of pyproject.toml that it comes with."""


def prefer_clone() -> None:
    """Look for webclean in the clone first, here and in the processes that are started from here.

    Raises ImportError when it has been imported from elsewhere.
    """
    if sys.path[0] != str(CLONE):
        sys.path.insert(0, str(CLONE))
    others = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path and path != str(CLONE)]
    os.environ["PYTHONPATH"] = os.pathsep.join([str(CLONE), *others])
    found = getattr(sys.modules.get("webclean"), "__file__", None)
    if found and not Path(found).resolve().is_relative_to(CLONE):
        raise ImportError(f"webclean was imported from {Path(found).parent}, but the benchmarks are of {CLONE}")


def report_error(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """One line for a package of an extra that is not installed, a traceback for anything else."""
    package = (getattr(error, "name", None) or "").partition(".")[0]
    if isinstance(error, ModuleNotFoundError) and package in EXTRAS:
        print(f'{Path(sys.argv[0]).name} needs {package}: pip install ".[{EXTRAS[package]}]"', file=sys.stderr)
    else:
        sys.__excepthook__(kind, error, trace)


prefer_clone()
sys.excepthook = report_error
