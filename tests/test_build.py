"""The core is compiled anew exactly where it is not that of the present sources; its files are one unit."""

import os
import sys
import sysconfig
from pathlib import Path

import pytest

import build_core

EXTENSION = f"{build_core.MODULE}{sysconfig.get_config_var('EXT_SUFFIX')}"


@pytest.fixture
def core(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a core of two files that is compiled."""
    (tmp_path / "__init__.py").write_text("# init")
    (tmp_path / "one.py").write_text("from webclean.core.two import add\n\n\ndef double(x): return add(x, x)\n")
    (tmp_path / "two.py").write_text("from __future__ import annotations\n\n\ndef add(x, y): return x + y\n")
    (tmp_path / "features.toml").write_text("")
    (tmp_path / EXTENSION).write_bytes(b"")
    monkeypatch.setattr(build_core, "CORE", tmp_path)
    monkeypatch.setattr(build_core, "FEATURES", tmp_path / "features.toml")
    monkeypatch.setattr(build_core, "STAMP", tmp_path / "compiled.txt")
    build_core.STAMP.write_text(build_core.hash_sources())
    assert build_core.is_compiled()
    return tmp_path


CHANGES = {
    **{name: lambda path: path.write_text("# other") for name in ("__init__.py", "one.py", "two.py", "features.toml")},
    "compiled.txt": Path.unlink,
    f"{EXTENSION} missing": Path.unlink,
    f"{EXTENSION} of another Python": lambda path: path.rename(path.with_name("compiled.cpython-399-other.so")),
    f"{EXTENSION} of an older build": lambda path: os.utime(path, (1, 1)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_core_that_is_not_that_of_these_sources_is_compiled_anew(change: str, core: Path) -> None:
    CHANGES[change](core / change.split(maxsplit=1)[0])
    assert not build_core.is_compiled()


def test_a_new_core_takes_the_place_of_the_old_one_when_it_is_there(core: Path, tmp_path: Path) -> None:
    old = core / "compiled.cpython-399-other.so"
    old.write_bytes(b"old")
    (tmp_path / "work").mkdir()
    new = tmp_path / "work" / EXTENSION
    new.write_bytes(b"new")
    assert build_core.install_files([new], core) == [core / EXTENSION]
    assert (core / EXTENSION).read_bytes() == b"new"
    assert sorted(path.name for path in core.glob("*compiled*")) == sorted([EXTENSION, "compiled.txt"])


@pytest.mark.usefixtures("core")
def test_what_is_used_is_included_first_and_lines_keep_their_numbers(tmp_path: Path) -> None:
    sources = build_core.read_sources()
    assert list(sources) == ["two", "one", "sums", "generated"]
    unit = build_core.write_unit(tmp_path, sources)
    assert unit.read_text() == 'include "two.py"\ninclude "one.py"\ninclude "sums.py"\ninclude "generated.py"\n'
    assert (tmp_path / "one.py").read_text() == "\n\n\ndef double(x): return add(x, x)\n"


def test_one_name_in_two_files_is_refused(core: Path) -> None:
    (core / "one.py").write_text("def add(x, y): return x\n")
    with pytest.raises(SystemExit, match=r"add is defined in core/\w+\.py and in core/\w+\.py"):
        build_core.check_names(build_core.read_sources())


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder of commands; neither the environment nor this Python names a compiler."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setattr(build_core.sysconfig, "get_config_var", lambda name: "usual" if name == "CC" else None)
    monkeypatch.setattr(build_core, "find_spec", lambda name: None)
    return tmp_path


def add_command(folder: Path, name: str, code: int) -> None:
    (folder / name).write_text(f"#!/bin/sh\nexit {code}\n")
    (folder / name).chmod(0o755)


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script is the compiler")
def test_a_compiler_that_works_is_found(commands: Path) -> None:
    assert build_core.find_compiler() == ""
    add_command(commands, "cc", 1)  # as on a Mac without its tools
    assert build_core.find_compiler() == ""
    add_command(commands, "clang", 0)
    assert build_core.find_compiler() == "clang"
    assert build_core.choose_compiler() == ["clang"]
    add_command(commands, "usual", 0)
    assert build_core.find_compiler() == "usual"
    assert build_core.choose_compiler() == [], "setuptools takes this one, with the flags that Python was built with"


def test_without_a_compiler_ziglang_is_one(commands: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_core, "find_spec", lambda name: name == "ziglang")
    assert build_core.choose_compiler() == [sys.executable, "-m", "ziglang", "cc"]


@pytest.mark.usefixtures("commands")
def test_what_is_missing_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(build_core.BuildError, match="install a C compiler or ziglang"):
        build_core.choose_compiler()
    monkeypatch.setattr(build_core.sysconfig, "get_paths", lambda: {"include": "/nowhere"})
    with pytest.raises(build_core.BuildError, match=r"/nowhere/Python\.h is missing"):
        build_core.check_headers()


@pytest.mark.parametrize(
    ("is_there", "compiler", "asked"), [(False, "", ["ziglang"]), (False, "cc", []), (True, "", [])]
)
def test_the_hook_asks_for_ziglang_where_there_is_no_compiler(
    is_there: bool, compiler: str, asked: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("hatchling", reason="needs hatchling, which builds the package")
    import hatch_build  # noqa: PLC0415  which imports hatchling

    monkeypatch.setattr(hatch_build, "is_compiled", lambda: is_there)
    monkeypatch.setattr(hatch_build, "find_compiler", lambda: compiler)
    hook = hatch_build.CoreBuildHook(str(tmp_path), {}, None, None, "", "wheel")
    assert [name.partition(">")[0] for name in hook.dependencies()] == asked


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


def test_variables_of_the_module_that_are_set_once_to_a_number_become_constants(tmp_path: Path) -> None:
    own = "__pyx_v_8webclean_4core_8compiled_"
    code = tmp_path / "compiled.c"
    code.write_text(
        f"static unsigned int {own}LESS;\nstatic int {own}_apart;\nstatic int {own}n;\n"
        f"  {own}LESS = 60;\n  {own}_apart = 0;\n  {own}_apart = 1;\n  {own}n = 3;\n  f(&{own}n);\n  g({own}LESS);\n"
    )
    build_core.fix_constants(code)
    assert code.read_text().split("\n") == [
        f"#define {own}LESS ((unsigned int)60)", f"static int {own}_apart;", f"static int {own}n;",
        f"  {own}_apart = 0;", f"  {own}_apart = 1;", f"  {own}n = 3;", f"  f(&{own}n);", f"  g({own}LESS);", "",
    ]  # fmt: skip
