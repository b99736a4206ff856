"""Compile the core of the package, one extension module, in place: `python build_core.py [--quick]`.

The core is written as typed Python that Cython compiles, a file for each subject, in `webclean/core/`. All files are
one unit: they are included into one module, so that what one file defines is called from another at no cost, and
compiled once. The build hook of the package (`hatch_build.py`) calls `compile_core`. It needs Cython, setuptools and a
C compiler. --quick compiles in a third of the time, for trying a change: the code runs half as fast.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
import sysconfig
import tempfile
from graphlib import TopologicalSorter
from pathlib import Path

CORE = Path(__file__).resolve().parent / "webclean" / "core"
MODULE = "compiled"
"""Name of the extension: `webclean.core.compiled`."""
STAMP = CORE / "compiled.txt"
"""Written after compiling: the hash of the sources."""
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    # what makes the C code long and nothing reads: signatures, pickling, line numbers of C
    "binding": False,
    "embedsignature": False,
    "auto_pickle": False,
    "c_api_binop_methods": False,
}
FLAGS = ["-O2", "-g0", "-fno-math-errno", "-ffp-contract=off", "-w"]
"""For the compiler: -O3 takes longer and gives no quicker code. No flag may change results: no fused operations, no
reordering of sums."""
_SIBLING = re.compile(r"^from webclean\.core\.(\w+) import (?:\([^)]*\)|.*)$", re.MULTILINE)
_FUTURE = re.compile(r"^from __future__ import .*$", re.MULTILINE)
_TOP_LEVEL = re.compile(r"^(?:def|class) (\w+)|^([A-Za-z_]\w*)\s*(?::[^=\n]+)?=\s", re.MULTILINE)


def read_sources() -> dict[str, str]:
    """Name of each file of the core -> its text, in the order in which they must be included: what is used first."""
    texts = {path.stem: path.read_text("utf-8") for path in CORE.glob("*.py") if path.name != "__init__.py"}
    uses = {name: sorted(set(_SIBLING.findall(text))) for name, text in sorted(texts.items())}
    return {name: texts[name] for name in TopologicalSorter(uses).static_order()}


def hash_sources() -> str:
    """What `webclean.core` compares with the sources that it finds."""
    stamp = hashlib.sha256()
    for path in sorted(CORE.glob("*.py")):
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


def is_compiled() -> bool:
    """Whether the extension is there for this Python, made of the present sources by this file."""
    extension = CORE / f"{MODULE}{sysconfig.get_config_var('EXT_SUFFIX')}"
    if not (extension.exists() and STAMP.exists()) or STAMP.read_text(encoding="ascii") != hash_sources():
        return False
    return extension.stat().st_mtime > Path(__file__).stat().st_mtime


def compile_core(*, quick: bool = False) -> list[Path]:
    """Compile the core beside its sources and note their hash. Returns the files that were made.

    quick: without optimisation.

    Raises what Cython, setuptools and the compiler raise, after removing what an earlier build left.
    """
    for old in [*CORE.glob("*.so"), *CORE.glob("*.pyd"), STAMP]:
        old.unlink(missing_ok=True)
    from Cython.Build import cythonize  # noqa: PLC0415  needed by builds alone
    from Cython.Compiler import Options  # noqa: PLC0415
    from setuptools import Distribution, Extension  # noqa: PLC0415

    Options.docstrings = False
    Options.emit_code_comments = False  # type: ignore[attr-defined]
    sources = read_sources()
    check_names(sources)
    with tempfile.TemporaryDirectory() as work:
        unit = write_unit(Path(work), sources)
        flags = [] if sys.platform == "win32" else [*FLAGS, "-O0"] if quick else FLAGS
        extension = Extension(f"webclean.core.{MODULE}", [str(unit)], extra_compile_args=flags)
        modules = cythonize([extension], compiler_directives=DIRECTIVES, quiet=True)  # type: ignore[no-untyped-call]
        command = Distribution({"ext_modules": modules}).get_command_obj("build_ext")
        command.build_lib, command.build_temp = work, work
        command.ensure_finalized()
        command.run()
        outputs = [Path(shutil.copy(path, CORE)) for path in map(Path, command.get_outputs())]
    STAMP.write_text(hash_sources(), encoding="ascii")
    return [*outputs, STAMP]


if __name__ == "__main__":
    for path in compile_core(quick="--quick" in sys.argv):
        print(path)
