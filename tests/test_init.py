"""The names of the package, imported when they are first used, and no others; and its version."""

import importlib
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

import webclean
from tests.public_surface import RECORD, describe_surface

ROOT = Path(__file__).resolve().parent.parent


def test_importing_the_package_imports_nothing_of_it() -> None:
    code = "import sys, webclean; print(*sorted(name for name in sys.modules if name.startswith('webclean')))"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "webclean\n"
    )


@pytest.mark.parametrize("name", [name for name in webclean.__all__ if name != "__version__"])
def test_every_name_is_that_of_its_module(name: str) -> None:
    vars(webclean).pop(name, None)
    found = getattr(webclean, name)
    assert vars(webclean)[name] is found is getattr(importlib.import_module(found.__module__), name)
    assert found.__module__.startswith("webclean.")
    assert name in dir(webclean)


def test_modules_are_reached_by_their_names() -> None:
    for name in ("errors", "rules", "parse"):
        vars(webclean).pop(name, None)
        assert getattr(webclean, name) is importlib.import_module(f"webclean.{name}")


@pytest.mark.parametrize("name", ["nothing", "_nothing", "__path", "__main__", "Clean"])
def test_other_names_are_none(name: str) -> None:
    with pytest.raises(AttributeError, match=f"module 'webclean' has no attribute '{name}'"):
        getattr(webclean, name)


def test_a_process_that_is_warm_compiles_nothing_for_its_next_page() -> None:
    code = """import webclean.warm
from webclean.matching.expressions import compile_pattern, compile_set
counts = lambda: [one.cache_info().misses for one in (compile_pattern, compile_set)]
before = counts()
page = webclean.clean("<h1>Leeks</h1><p>By Nell Marsh</p>" + "<p>Leeks are sown late, and set out in June.</p>" * 9)
page.to_dict()
print(min(before) > 0, counts() == before)"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown == "True True\n"


def test_the_build_reads_the_version_that_the_code_states() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "version" not in settings["project"]
    path = ROOT / settings["tool"]["hatch"]["version"]["path"]
    names: dict[str, str] = {}
    exec(path.read_text(encoding="utf-8"), names)
    assert names["__version__"] == webclean.__version__


def test_the_changelog_begins_with_this_version() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert changes.split("\n## ", 2)[1].startswith(f"{webclean.__version__} ")


def test_a_tree_that_is_not_installed_knows_its_version() -> None:
    program = "import webclean; print(webclean.__version__)"
    found = subprocess.run([sys.executable, "-S", "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == webclean.__version__


def test_what_users_build_on_is_what_is_recorded() -> None:
    """A difference is a change that docs/versions.md has a rule for; `python -m tests.public_surface` records it."""
    assert describe_surface() == yaml.safe_load(RECORD.read_text(encoding="utf-8"))
