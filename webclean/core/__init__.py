"""The compiled core: what is computed for each character, element and block of a page, in one extension module.

Each file of this folder is typed Python that Cython compiles (`build_core.py`); it is never interpreted. The files are
one unit, so they call each other as if they were one; imports between them only say what comes from where. Names,
cards, rules, thresholds and reasons are not in the core: it is given them.

What Cython must be told and the sources say already is not written twice; the build adds it (`build_features.py`):

    class Page                                  is an extension type, without subclasses
    def _join(..), def find(..) -> cython.int   a private function, or one that returns a type of C, is one of C
    blocks.ending = page.take_floats(n)         declares a column of the features' holders, and its type
    KIND_FLAGS = {"header": 1, ..}              declares the constant KIND_HEADER, and so on
    def scan(data: pointer[Chars], text: str)   is called as scan(text), and compiled for 1, 2 and 4 bytes a character

Callers say `from webclean import core` and `core.NAME`.
"""

from __future__ import annotations

import hashlib
import os
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent
STAMP: Final = FOLDER / "compiled.txt"
"""Written after compiling: the hash of the sources."""


def hash_sources() -> str:
    """Hash of the sources of the core, which tells whether it was compiled of them."""
    stamp = hashlib.sha256()
    for path in [*sorted(FOLDER.glob("*.py")), FOLDER / "features.toml"]:
        stamp.update(path.read_bytes())
    return stamp.hexdigest()


def _load_checked(folder: Path) -> Any:
    """The extension of a folder, as `python build_core.py --checked` writes it. Raises `ImportError`."""
    found = next(folder.glob("compiled.*.so"), None)
    if found is None or (folder / STAMP.name).read_text(encoding="ascii") != hash_sources():
        raise ImportError(f"{folder} has no core of the present sources: run `python build_core.py --checked`")
    spec = spec_from_file_location("webclean.core.compiled", found)
    assert spec is not None
    assert spec.loader is not None
    made = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(made)
    made.keep_columns_apart()
    return made


def _load() -> Any:
    """The extension. Raises `ImportError`, and says what to do, if it is not there or, in a checkout, is of other
    sources."""
    if checked := os.environ.get("WEBCLEAN_CORE"):  # of benchmarks/fuzz.py alone
        return _load_checked(Path(checked))
    build = FOLDER.parent.parent / "build_core.py"
    ask = "run `python build_core.py`" if build.exists() else "install webclean anew"
    try:
        found = import_module("webclean.core.compiled")
    except ImportError as error:
        raise ImportError(f"webclean's core is not compiled for this Python: {ask} ({error})") from error
    if build.exists() and STAMP.read_text(encoding="ascii") != hash_sources():
        raise ImportError(f"webclean's core was compiled of other sources: {ask}")
    return found


_COMPILED: Final = _load()


def __getattr__(name: str) -> Any:
    """What the core defines under a name; kept here, so that it is looked up once."""
    found = globals()[name] = getattr(_COMPILED, name)
    return found
