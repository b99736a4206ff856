"""Compile the core of the package, one extension module, in place: `python build_core.py [--quick | --checked]`.

The core is written as typed Python that Cython compiles, a file for each subject, in `webclean/core/`. All files are
one unit: they are included into one module, so that what one file defines is called from another at no cost, and
compiled once. The build hook of the package (`hatch_build.py`) calls `compile_core`. It needs Cython, setuptools and a
C compiler, which `ziglang` (a package on the index) brings where the system has none. --quick compiles in a third of
the time, for trying a change: the code runs half as fast. --checked compiles into `build/checked/`, beside the usual
core, one that stops at each read and write outside of what it belongs to, for `benchmarks/fuzz.py --checked`.
"""

from __future__ import annotations

import ctypes
import gc
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Mapping
from graphlib import TopologicalSorter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from build_features import GENERATED, SUMS, declare_columns, write_features, write_sums

CORE = Path(__file__).resolve().parent / "webclean" / "core"
MODULE = "compiled"
"""Name of the extension: `webclean.core.compiled`."""
FEATURES = CORE / "features.toml"
"""The features, of which `build_features.py` writes functions."""
STAMP = CORE / "compiled.txt"
"""Written after compiling: the hash of the sources."""
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    # locals have the type of what is assigned to them; declared are those that need another
    "infer_types": True,
    # what makes the C code long and nothing reads: signatures, pickling, the source as comments
    "binding": False,
    "embedsignature": False,
    "auto_pickle": False,
    "c_api_binop_methods": False,
    "emit_code_comments": False,
}
CHECKED = Path(__file__).resolve().parent / "build" / "checked"
"""Folder of the core that checks itself, which `WEBCLEAN_CORE` names to the package."""
CHECKED_DIRECTIVES = {**DIRECTIVES, "boundscheck": True, "initializedcheck": True, "nonecheck": True}
"""`wraparound` stays off: a negative index is outside then."""
CHECKED_FLAGS = ["-O1", "-g1", "-fno-omit-frame-pointer", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
"""For gcc and clang: pointers are checked by the address sanitizer, shifts, casts and alignment by the other."""
FLAGS = ["-O3", "-g0", "-fno-math-errno", "-ffp-contract=off", "-w"]
"""For the compiler. No flag may change results: no fused operations, no reordering of sums."""
ZIG_FLAGS = ["-fPIC", "-fwrapv", "-DNDEBUG", "-mcpu=baseline"]
"""For ziglang, which else compiles for the processor that it finds, and nobody who gets the file may have."""
ZIG_LINK = ["-shared", "-nostdlib"]
"""All that the core calls is in the process that loads it. Without -nostdlib ziglang first builds a library of C anew,
which takes as long as compiling the core."""
_VARIABLE = re.compile(r"^static ([\w ]+?) (__pyx_v_8webclean_\w+);$", re.MULTILINE)
_CHANGED = re.compile(r"&(__pyx_v_8webclean_\w+)|(__pyx_v_8webclean_\w+) [-+*/%&|^]?= ")
_SET = re.compile(r"^  (__pyx_v_8webclean_\w+) = (-?(?:0x[0-9A-F]+|[0-9.]+(?:e-?[0-9]+)?)[UL]*);\n", re.MULTILINE)
"""In the C code: a variable of the module; where one is changed or may be; where one is set to a number."""
_SIBLING = re.compile(r"^from webclean\.core\.(\w+) import (?:\([^)]*\)|.*)$", re.MULTILINE)
_FUTURE = re.compile(r"^from __future__ import .*$", re.MULTILINE)
_TOP_LEVEL = re.compile(r"^(?:def|class) (\w+)|^([A-Za-z_]\w*)\s*(?::[^=\n]+)?=\s", re.MULTILINE)


def read_sources() -> dict[str, str]:
    """Name of each file of the core -> its text, in the order in which they must be included: what is used first;
    at last what `build_features.py` writes."""
    texts = {path.stem: path.read_text("utf-8") for path in CORE.glob("*.py") if path.name != "__init__.py"}
    uses = {name: sorted({*_SIBLING.findall(text)} - {GENERATED}) for name, text in sorted(texts.items())}
    axes = tomllib.loads(FEATURES.read_text("utf-8"))
    texts[SUMS] = write_sums(axes)
    found = declare_columns({name: texts[name] for name in [*TopologicalSorter(uses).static_order(), SUMS]}, axes)
    return {**found, GENERATED: write_features(found, axes)}


def hash_sources() -> str:
    """What `webclean.core` compares with the sources that it finds."""
    stamp = hashlib.sha256()
    for path in [*sorted(CORE.glob("*.py")), FEATURES]:
        stamp.update(path.read_bytes())
    return stamp.hexdigest()


def check_names(sources: dict[str, str]) -> None:
    """Raises `SystemExit` if two files define one name: in one unit the second would replace the first."""
    owner: dict[str, str] = {}
    for name, text in sources.items():
        for found in _TOP_LEVEL.finditer(text):
            defined = found[1] or found[2]
            if owner.setdefault(defined, name) != name:
                raise SystemExit(f"{defined} is defined in core/{owner[defined]}.py and in core/{name}.py")


def write_unit(folder: Path, sources: dict[str, str]) -> Path:
    """The one file that is compiled, and beside it what it includes: the sources, without imports of each other."""
    for name, text in sources.items():
        own = _SIBLING.sub(lambda found: "\n" * found[0].count("\n"), _FUTURE.sub("", text))  # line numbers stay
        (folder / f"{name}.py").write_text(own, encoding="utf-8")
    unit = folder / f"{MODULE}.pyx"
    unit.write_text("".join(f'include "{name}.py"\n' for name in sources), encoding="utf-8")
    return unit


def fix_constants(path: Path) -> None:
    """Make constants of the variables in C that are set once, to a number, when the module is loaded.

    Cython has no typed constant in Python's own syntax; a variable is read from memory at each use, and again after
    each write through a pointer. The scan of a page takes 5 % longer with them.
    """
    text = path.read_text("utf-8")
    n_changes = Counter(found[0] or found[1] for found in _CHANGED.findall(text))
    values = {name: value for name, value in _SET.findall(text) if n_changes[name] == 1}
    text = _SET.sub(lambda found: "" if found[1] in values else found[0], text)
    path.write_text(_VARIABLE.sub(lambda found: _define(found[1], found[2], values), text), "utf-8")


def _define(kind: str, name: str, values: Mapping[str, str]) -> str:
    return f"#define {name} (({kind}){values[name]})" if name in values else f"static {kind} {name};"


def is_compiled() -> bool:
    """Whether the extension is there for this Python, made of the present sources by this file."""
    extension = CORE / f"{MODULE}{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not (extension.exists() and STAMP.exists()) or STAMP.read_text(encoding="ascii") != hash_sources():
        return False
    made_by = [Path(__file__), Path(__file__).with_name("build_features.py")]
    return extension.stat().st_mtime > max(path.stat().st_mtime for path in made_by)


class BuildError(Exception):
    """The core cannot be compiled here; the message is one sentence that says what is missing."""


def find_compiler() -> str:
    """The command of a C compiler that works: that of the environment or of this Python, else the usual ones; '' if
    there is none. On Windows setuptools finds the one of Visual Studio, which stands on no path."""
    if sys.platform == "win32":
        installer = Path(os.environ.get("PROGRAMFILES(X86)", ""), "Microsoft Visual Studio/Installer/vswhere.exe")
        return "cl" if installer.is_file() or shutil.which("cl") else ""
    for command in filter(None, (os.environ.get("CC"), sysconfig.get_config_var("CC"), "cc", "gcc", "clang")):
        if shutil.which(shlex.split(command)[0]) and can_compile(shlex.split(command)):
            return str(command)
    return ""


def can_compile(command: list[str]) -> bool:
    """Whether a compiler does its work: some are names without one behind them (macOS), or lack the headers of C."""
    source = "#include <stdlib.h>\nint main(void) { return 0; }\n"
    with tempfile.TemporaryDirectory() as work:
        done = subprocess.run(
            [*command, "-c", "-x", "c", "-", "-o", f"{work}/a.o"],
            input=source,
            text=True,
            capture_output=True,
            check=False,
        )
    return done.returncode == 0


def choose_compiler() -> list[str]:
    """The command to compile with, empty for what setuptools chooses by itself. Raises `BuildError`."""
    found = find_compiler()
    if found:
        usual = sysconfig.get_config_var("CC")
        return [] if sys.platform == "win32" or found in (usual, os.environ.get("CC")) else shlex.split(found)
    if find_spec("ziglang"):
        return [sys.executable, "-m", "ziglang", "cc"]
    raise BuildError("webclean is compiled where it is installed from source: install a C compiler or ziglang")


def check_headers() -> None:
    """Raises `BuildError` where Python came without what C code needs to know of it."""
    header = Path(sysconfig.get_paths()["include"], "Python.h")
    if not header.is_file():
        raise BuildError(
            f"webclean needs the C headers of Python to be installed from source ({header} is missing): "
            "install python3-dev, or what it is called here"
        )


def compile_core(*, quick: bool = False, checked: bool = False) -> list[Path]:
    """Compile the core beside its sources and note their hash. Returns the files that were made.

    quick: without optimisation. checked: with checks, and into a folder of its own.

    Raises `BuildError`, and what Cython raises; what an earlier build left stays then.
    """
    try:
        from Cython.Build import cythonize  # noqa: PLC0415  needed by builds alone
        from Cython.Compiler import Options  # noqa: PLC0415
        from setuptools import Extension  # noqa: PLC0415
    except ImportError as error:
        raise BuildError(f'the core is compiled by {error.name}: pip install -e ".[dev]"') from error
    compiler = choose_compiler()
    check_headers()
    target = CHECKED if checked else CORE
    target.mkdir(parents=True, exist_ok=True)
    Options.docstrings = False
    sources = read_sources()
    check_names(sources)
    start = time.monotonic()
    tell(f"compiling the core, {'ten seconds' if quick else 'about half a minute'}: Python to C")
    with tempfile.TemporaryDirectory() as work:
        unit = write_unit(Path(work), sources)
        flags = [] if sys.platform == "win32" else [*FLAGS, "-O0"] if quick else FLAGS
        flags, link = ([*FLAGS, *CHECKED_FLAGS], CHECKED_FLAGS[-2:-1]) if checked else (flags, [])
        extension = Extension(f"webclean.core.{MODULE}", [str(unit)], extra_compile_args=flags, extra_link_args=link)
        directives = CHECKED_DIRECTIVES if checked else DIRECTIVES
        gc.disable()  # a process that compiles and ends; looking for garbage takes a quarter of Cython's time
        modules = cythonize([extension], compiler_directives=directives, quiet=True)  # type: ignore[no-untyped-call]
        gc.enable()
        fix_constants(Path(modules[0].sources[0]))
        tell(f"C to machine code, by {shlex.join(compiler) or 'the compiler of Python'}")
        stamp = Path(work) / STAMP.name
        stamp.write_text(hash_sources(), encoding="ascii")
        made = install_files([*run_compiler(modules, Path(work), compiler), stamp], target)
    tell(f"done in {time.monotonic() - start:.0f} s")
    return made


def install_files(files: list[Path], target: Path) -> list[Path]:
    """Put what was compiled into a folder, in place of what an earlier build left there, which could be imported until
    now. Returns the new paths."""
    made = []
    for path in files:
        beside = target / f".{path.name}"
        shutil.copy(path, beside)
        made.append(beside.replace(target / path.name))
    for old in {*target.glob("compiled.*.so"), *target.glob("compiled.*.pyd")}.difference(made):
        old.unlink()
    return made


def tell(step: str) -> None:
    """Say how far it is, on standard error: pip shows it with `-v`, uv with `--verbose`."""
    print(f"webclean: {step}", file=sys.stderr, flush=True)


def run_compiler(modules: list[Any], work: Path, compiler: list[str]) -> list[Path]:
    """C -> extensions in the folder `work`. compiler: empty for the one of setuptools. Raises `BuildError`."""
    from setuptools import Distribution  # noqa: PLC0415  needed by builds alone
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415

    class BuildExtension(build_ext):  # type: ignore[misc]
        """As setuptools builds it, by the compiler that was chosen."""

        def build_extensions(self) -> None:
            if compiler:
                own = [*compiler, *ZIG_FLAGS] if "ziglang" in compiler else [*compiler, "-fPIC", "-fwrapv", "-DNDEBUG"]
                link = ZIG_LINK if "ziglang" in compiler else ["-shared"]
                if sys.platform == "darwin":
                    link = [*link, "-undefined", "dynamic_lookup"]
                self.compiler.set_executables(compiler=own, compiler_so=own, linker_so=[*compiler, *link])
            super().build_extensions()

    command: Any = BuildExtension(Distribution({"ext_modules": modules}))
    command.build_lib, command.build_temp = str(work), str(work)
    command.ensure_finalized()
    os.environ |= dict.fromkeys(("ZIG_GLOBAL_CACHE_DIR", "ZIG_LOCAL_CACHE_DIR"), str(work / "zig"))  # not in the home
    try:
        command.run()
        made = [Path(path) for path in command.get_outputs()]
        for path in made if "ziglang" in compiler else ():
            ctypes.PyDLL(str(path), mode=getattr(os, "RTLD_NOW", 2))  # that all it calls is there
    except Exception as error:
        shown = shlex.join(compiler) or sysconfig.get_config_var("CC") or "the C compiler"
        raise BuildError(f"webclean's core cannot be compiled by {shown}: {error}") from error
    return made


if __name__ == "__main__":
    try:
        for path in compile_core(quick="--quick" in sys.argv, checked="--checked" in sys.argv):
            print(path)
    except BuildError as error:
        sys.exit(str(error))
