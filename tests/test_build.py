"""Kernels are compiled anew exactly where they are not those of the present sources."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import pytest

import build_kernels


@pytest.fixture
def kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two kernels that are compiled."""
    (tmp_path / "__init__.py").write_text('NAMES: Final = ("one", "two")\n')
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(f"# {name}")
        (tmp_path / f"{name}{sysconfig.get_config_var('EXT_SUFFIX')}").write_bytes(b"")
    monkeypatch.setattr(build_kernels, "KERNELS", tmp_path)
    (tmp_path / "compiled.txt").write_text(build_kernels.hash_sources(["one", "two"]))
    assert build_kernels.are_compiled()
    return tmp_path


def test_a_source_that_changed_is_not_compiled(kernels: Path) -> None:
    (kernels / "two.py").write_text("# other")
    assert not build_kernels.are_compiled()


def test_kernels_of_another_python_are_none(kernels: Path) -> None:
    (kernels / f"one{sysconfig.get_config_var('EXT_SUFFIX')}").rename(kernels / "one.cpython-399-other.so")
    assert not build_kernels.are_compiled()


@pytest.mark.parametrize("name", ["compiled.txt", "two.py"])
def test_what_is_missing_is_not_compiled(name: str, kernels: Path) -> None:
    made = kernels / (name if name == "compiled.txt" else f"two{sysconfig.get_config_var('EXT_SUFFIX')}")
    made.unlink()
    assert not build_kernels.are_compiled()


def test_what_an_older_build_made_is_compiled_anew(kernels: Path) -> None:
    os.utime(kernels / "compiled.txt", (1, 1))
    assert not build_kernels.are_compiled()


@pytest.mark.parametrize(
    ("origin", "address"),
    [
        ("git@git.example:someone/webclean.git", "https://git.example/someone/webclean"),
        ("ssh://git@git.example:2222/a/b/webclean.git", "https://git.example/a/b/webclean"),
        ("https://user:secret@git.example/someone/webclean", "https://git.example/someone/webclean"),
        ("https://git.example/someone/webclean/", "https://git.example/someone/webclean"),
        ("/home/someone/webclean", ""),
        ("../webclean.git", ""),
        ("file:///home/someone/webclean.git", ""),
    ],
)
def test_links_lead_to_where_the_clone_is_from(
    origin: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("hatchling", reason="needs hatchling, which builds the package")
    from hatch_build import find_repository  # noqa: PLC0415  which imports hatchling

    variables = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "remote.origin.url", "GIT_CONFIG_VALUE_0": origin}
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert find_repository(tmp_path) == ""  # no clone
    (tmp_path / ".git").mkdir()
    assert find_repository(tmp_path) == address
