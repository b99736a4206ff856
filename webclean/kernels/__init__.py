"""Compiled arithmetic over columns and characters.

Each kernel is a file of typed Python that Cython compiles (`build_kernels.py`); it is never interpreted. Kernels are
optional: where one is missing, its caller takes the numpy or Python path beside the call, which gives the same result
more slowly and is what tests compare the kernel with. Names, cards, rules, thresholds and reasons are not in kernels.

They are missing where there was no compiler, where a source changed since it was compiled, and where the environment
says `WEBCLEAN_KERNELS=off`.
"""

from __future__ import annotations

import hashlib
import os
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

FOLDER: Final = Path(__file__).parent
NAMES: Final = (
    "tags",
    "attributes",
    "scan",
    "text_blocks",
    "texts",
    "words",
    "lexicon",
    "links",
    "trees",
    "blocks",
    "features",
    "repeats",
    "places",
    "cards",
    "pages",
    "decide",
    "segments",
    "nodes",
    "roles",
    "urls",
    "lists",
    "units",
    "flow",
)
"""The kernels, a file each."""
STAMP: Final = FOLDER / "compiled.txt"
"""Written after compiling: the hash of the sources."""


def hash_sources() -> str:
    """Hash of the sources of all kernels."""
    found = hashlib.sha256()
    for name in NAMES:
        found.update((FOLDER / f"{name}.py").read_bytes())
    return found.hexdigest()


def _load() -> dict[str, ModuleType]:
    if os.environ.get("WEBCLEAN_KERNELS") == "off":
        return {}
    try:
        if STAMP.read_text(encoding="ascii") != hash_sources():
            return {}
        return {name: import_module(f"webclean.kernels.{name}") for name in NAMES}
    except (OSError, ImportError):
        return {}


_FOUND: Final = _load()
IS_COMPILED: Final = bool(_FOUND)
"""Whether the kernels run; if not, their plain twins do."""

ATTRIBUTES: Final[Any] = _FOUND.get("attributes")
"""`kernels.attributes`, or None."""
SCAN: Final[Any] = _FOUND.get("scan")
"""`kernels.scan`, or None."""
TEXT_BLOCKS: Final[Any] = _FOUND.get("text_blocks")
"""`kernels.text_blocks`, or None."""
TEXTS: Final[Any] = _FOUND.get("texts")
"""`kernels.texts`, or None."""
WORDS: Final[Any] = _FOUND.get("words")
"""`kernels.words`, or None."""
LEXICON: Final[Any] = _FOUND.get("lexicon")
"""`kernels.lexicon`, or None."""
LINKS: Final[Any] = _FOUND.get("links")
"""`kernels.links`, or None."""
TREES: Final[Any] = _FOUND.get("trees")
"""`kernels.trees`, or None."""
BLOCKS: Final[Any] = _FOUND.get("blocks")
"""`kernels.blocks`, or None."""
FEATURES: Final[Any] = _FOUND.get("features")
"""`kernels.features`, or None."""
REPEATS: Final[Any] = _FOUND.get("repeats")
"""`kernels.repeats`, or None."""
PLACES: Final[Any] = _FOUND.get("places")
"""`kernels.places`, or None."""
CARDS: Final[Any] = _FOUND.get("cards")
"""`kernels.cards`, or None."""
PAGES: Final[Any] = _FOUND.get("pages")
"""`kernels.pages`, or None."""
DECIDE: Final[Any] = _FOUND.get("decide")
"""`kernels.decide`, or None."""
SEGMENTS: Final[Any] = _FOUND.get("segments")
"""`kernels.segments`, or None."""
NODES: Final[Any] = _FOUND.get("nodes")
"""`kernels.nodes`, or None."""
ROLES: Final[Any] = _FOUND.get("roles")
"""`kernels.roles`, or None."""
URLS: Final[Any] = _FOUND.get("urls")
"""`kernels.urls`, or None."""
LISTS: Final[Any] = _FOUND.get("lists")
"""`kernels.lists`, or None."""
UNITS: Final[Any] = _FOUND.get("units")
"""`kernels.units`, or None."""
FLOW: Final[Any] = _FOUND.get("flow")
"""`kernels.flow`, or None."""
TAGS: Final[Any] = _FOUND.get("tags")
"""`kernels.tags`, or None."""
