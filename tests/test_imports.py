"""Imports run one way, as docs/architecture.md draws them, and siblings that must not know each other do not."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "webclean"

LAYERS = (
    {"errors", "model", "registry"},
    {"parse", "rules"},
    {"outputs"},
    {"blocks"},
    {"classify", "decide"},
    {"semantics", "fields", "methods"},
    {"handlers"},
    {"page", "checks"},
    {"pipeline"},
    {"learn", "sites", "batch", "fetch", "frontier"},
    {"compare", "joining"},
    {"workbench"},
    {"cli", "server"},
)
"""Lowest first. A room imports itself and rooms of lower layers; `webclean/__init__.py` may import any."""

RANK = {room: rank for rank, rooms in enumerate(LAYERS) for room in rooms}
APART = ("handlers", "outputs", "methods")
"""Folders in which no file imports another, but for what all of them share."""
SHARED = {"methods": {"counts", "select"}, "outputs": set[str](), "handlers": set[str]()}

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "_rules" not in path.parts)


def read_imports(path: Path) -> list[tuple[str, ...]]:
    """The modules of this package that a file imports, anywhere in it, without the leading `webclean`."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        found += [tuple(name.split(".")[1:]) for name in names if name.split(".")[0] == "webclean"]
    return found


def find_room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_every_room_has_a_layer() -> None:
    rooms = {find_room(path) for path in MODULES} - {"__init__", "__main__"}
    assert rooms <= set(RANK)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_one_way(path: Path) -> None:
    room = find_room(path)
    if room in {"__init__", "__main__"}:
        return
    for module in read_imports(path):
        if module[0] not in RANK:
            assert module[0] == "__version__", f"{path.name} imports {module[0]}"
            continue
        assert module[0] == room or RANK[module[0]] < RANK[room], f"{room} imports {'.'.join(module)}"


@pytest.mark.parametrize("folder", APART)
def test_siblings_do_not_import_each_other(folder: str) -> None:
    files = [path for path in (PACKAGE / folder).glob("*.py") if path.name != "__init__.py"]
    names = {path.stem for path in files} - SHARED[folder]
    for path in files:
        siblings = {module[1] for module in read_imports(path) if module[0] == folder and len(module) > 1}
        assert not siblings & (names - {path.stem}), f"{path.name} imports a sibling"


def test_the_map_of_the_architecture_page_names_every_room() -> None:
    text = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    missing = [room for room in RANK if (PACKAGE / room).is_dir() and f"`{room}/`" not in text]
    assert not missing


def test_layers_do_not_overlap() -> None:
    for lower, higher in pairwise(LAYERS):
        assert not lower & higher
