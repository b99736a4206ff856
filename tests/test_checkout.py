"""The benchmarks measure the clone they stand in, and say what is missing.

Dependencies are bounded, permissive, listed and locked.
"""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import checkout
import dependencies
import fields
import pytest
from packaging.requirements import Requirement

from tests import Capture, Patch, write_file, write_labelled

BENCHMARKS = Path(checkout.__file__).parent
OTHERS = ("checkout",)
"""It imports nothing of webclean: it finds it."""


def run_benchmark(script: str, *arguments: str, path: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A benchmark in a fresh process, away from the clone, where `path` comes before what is installed."""
    environment = os.environ | {"PYTHONPATH": str(path)}
    command = [sys.executable, str(BENCHMARKS / script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=cwd, check=False)


@pytest.mark.parametrize("script", [p for p in sorted(BENCHMARKS.glob("*.py")) if p.stem not in OTHERS], ids=str)
def test_every_benchmark_asks_for_the_clone_before_it_imports_webclean(script: Path) -> None:
    nodes = ast.parse(script.read_text(encoding="utf-8")).body
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [str(one.module) if isinstance(one, ast.ImportFrom) else one.names[0].name for one in imports]
    asking = {path.stem for path in BENCHMARKS.glob("*.py")} - {*OTHERS} | {"checkout"}
    assert next((name for name in names if name.split(".")[0] in asking | {"webclean"}), "checkout") in asking


def test_another_webclean_on_the_path_is_not_measured(tmp_path: Path) -> None:
    write_file(tmp_path / "webclean" / "__init__.py", "raise RuntimeError('the other one')")
    (tmp_path / "content" / "page").mkdir(parents=True)
    for name, text in (("meta.json", "{}"), ("input.html", "<p>A page."), ("truth.txt", "A page.")):
        (tmp_path / "content" / "page" / name).write_text(text)
    done = run_benchmark("same.py", str(tmp_path), "--write", "made.json", path=tmp_path, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "1 pages written" in done.stdout


def test_a_webclean_that_was_imported_from_elsewhere_is_an_error(monkeypatch: Patch) -> None:
    monkeypatch.setattr(sys.modules["webclean"], "__file__", "/elsewhere/webclean/__init__.py")
    with pytest.raises(ImportError, match="imported from /elsewhere/webclean"):
        checkout.prefer_clone()


def test_a_missing_extra_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "scipy.py").write_text("raise ModuleNotFoundError(\"No module named 'scipy'\", name='scipy')")
    done = run_benchmark("unseen.py", str(tmp_path), path=tmp_path, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == 'unseen.py needs scipy: pip install ".[learn]"\n'


def test_extras_are_those_of_the_project() -> None:
    project = (checkout.CLONE / "pyproject.toml").read_text(encoding="utf-8")
    assert all(f"\n{extra} = [" in project for extra in checkout.EXTRAS.values())


def test_a_peer_that_is_not_installed_has_no_score(tmp_path: Path, monkeypatch: Patch, capsys: Capture) -> None:
    label = {"url": "https://example.org/a", "_internal": {"page_type": {"primary": "article"}}}
    label |= {"ground_truth": {"main_content": "A text.", "title": "A title", "publish_date": "2024-05-06"}}
    write_labelled(tmp_path, "1", "<title>A title</title><h1>A title</h1><p>A text.", label)
    monkeypatch.setattr(fields, "find_spec", lambda package: None)
    monkeypatch.setattr(sys, "argv", ["fields.py", "--data", str(tmp_path)])
    fields.main()
    shown = capsys.readouterr().out
    assert "webclean               title   1.000 of 1" in shown
    assert [line for line in shown.splitlines() if "not installed" in line] == [
        f"{name:22s} not installed" for name in fields.PEERS
    ]


CLONE = Path(__file__).resolve().parents[1]


def normalise(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("requirement", dependencies.read_requirements(), ids=lambda one: one.name)
def test_each_dependency_is_below_its_next_major_version(requirement: Requirement) -> None:
    assert {one.operator for one in requirement.specifier} == {">=", "<"}


def test_all_licences_are_permissive_and_listed() -> None:
    found = dependencies.find_dependencies()
    assert len(found) > len(dependencies.read_requirements())
    assert [one.name for one in found if not one.is_permissive] == []
    assert not dependencies.Dependency("x", "GPL-3.0-only").is_permissive
    table = dependencies.DOCS.read_text(encoding="utf-8").partition("<!-- dependencies -->")[2]
    listed = {name for cell in re.findall(r"^\| ([^|]+) \|", table, re.M) for name in re.split(r"[:,]? ", cell)}
    assert {normalise(one.name) for one in dependencies.read_requirements()} <= listed
    # others differ by Python version and platform
    assert len({one.name for one in found} - listed) <= 3


def test_the_lock_file_has_all_that_development_needs() -> None:
    written = (CLONE / "requirements-dev.lock").read_text(encoding="utf-8")
    locked = dict(re.findall(r"^([A-Za-z0-9_.-]+)==([\w.]+)", written, re.MULTILINE))
    versions = {normalise(name): version for name, version in locked.items()}
    wanted = [
        *dependencies.read_requirements(),
        *dependencies.read_requirements("dev"),
        *dependencies.read_requirements("test"),
    ]
    for requirement in wanted:
        if requirement.name != "webclean":
            assert requirement.specifier.contains(versions[normalise(requirement.name)]), requirement
    assert written.count("--hash=sha256:") > len(locked)
