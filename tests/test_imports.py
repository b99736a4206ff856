"""Imports run one way, as docs/architecture.md draws them, and siblings that must not know each other do not."""

import ast
import re
from collections import defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "webclean"

MAP = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
RANK = {room: int(floor) for floor, room in re.findall(r"^\| (\d+) \| `(\w+)(?:/|\.py)`", MAP, re.MULTILINE)}
"""Room -> floor. A room imports itself and rooms of lower floors; `webclean/__init__.py` may import any."""
APART = ("outputs", "methods")
"""Folders in which no file imports another, but for what all of them share."""
SHARED = {"methods": {"counts"}, "outputs": set[str]()}

MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "_rules" not in path.parts)


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def read_imports(path: Path) -> list[tuple[str, ...]]:
    """The modules of this package that a file imports, anywhere in it, without the leading `webclean`."""
    found = []
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        inner = [name.split(".")[1:] for name in names if name.split(".")[0] == "webclean"]
        found += [tuple(module) for module in inner if module != ["__version__"]]
    return found


def find_room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_the_map_names_the_rooms_that_exist() -> None:
    assert {find_room(path) for path in MODULES} - {"__init__", "__main__"} == set(RANK)


def test_the_map_has_eleven_floors_and_the_laboratory_is_alone_on_the_last() -> None:
    assert sorted(set(RANK.values())) == list(range(1, 12))
    assert [room for room, floor in RANK.items() if floor == 11] == ["laboratory"]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_one_way(path: Path) -> None:
    room = find_room(path)
    if room in {"__init__", "__main__"}:
        return
    for module in read_imports(path):
        assert module[0] in RANK, f"{path.name} imports {module[0]}"
        assert module[0] == room or RANK[module[0]] < RANK[room], f"{room} imports {'.'.join(module)}"


def name_module(path: Path) -> tuple[str, ...]:
    """As `read_imports` names it: `webclean/web/fetch.py` is ("web", "fetch"), a room's `__init__.py` the room."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return parts[:-1] if parts[-1] == "__init__" else parts


def find_module(name: tuple[str, ...], modules: set[tuple[str, ...]]) -> tuple[str, ...]:
    """The module that an import reaches: the name, or what it is in, where it is a name in a module."""
    return name if name in modules else name[:-1]


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports inside functions count: they only hide that two modules are one, or that a third is missing."""
    modules = {name_module(path) for path in MODULES}
    graph = {
        name_module(path): {find_module(name, modules) for name in read_imports(path)} - {name_module(path)}
        for path in MODULES
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join("webclean." + ".".join(name) for name in error.args[1]), pytrace=False)


def list_stages() -> list[tuple[str, set[str]]]:
    """The function that is a stage, and the rooms beside `pipeline.py` that call it."""
    rows = re.findall(r"^\| `(\w+)` \|([^|]*)\|", MAP.partition("## The map")[0], re.MULTILINE)
    return [(stage, set(re.findall(r"`(\w+)(?:/|\.py)`", rooms))) for stage, rooms in rows]


@cache
def find_callers() -> dict[str, set[str]]:
    """Name -> the rooms in which a function, method or class of that name is called."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in MODULES:
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.Call):
                for name in ast.unparse(node.func).split("."):
                    found[name].add(find_room(path))
    return found


@pytest.mark.parametrize(("stage", "rooms"), list_stages(), ids=lambda value: value if isinstance(value, str) else "")
def test_stages_are_called_by_the_rooms_that_the_page_names(stage: str, rooms: set[str]) -> None:
    assert find_callers()[stage] - {"pipeline"} == rooms, "the table of docs/architecture.md above the map"


@pytest.mark.parametrize("folder", APART)
def test_siblings_do_not_import_each_other(folder: str) -> None:
    files = [path for path in (PACKAGE / folder).glob("*.py") if path.name != "__init__.py"]
    names = {path.stem for path in files} - SHARED[folder]
    for path in files:
        siblings = {module[1] for module in read_imports(path) if module[0] == folder and len(module) > 1}
        assert not siblings & (names - {path.stem}), f"{path.name} imports a sibling"
