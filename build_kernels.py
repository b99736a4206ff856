"""Compile the kernels of `webclean/kernels` in place, for a checkout: `python build_kernels.py`.

The build hook of the package (`hatch_build.py`) calls the same function. It needs Cython, setuptools and a C compiler;
without them the package works too, slower.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path

KERNELS = Path(__file__).resolve().parent / "webclean" / "kernels"
FLAGS = ["-O3", "-g0", "-fno-math-errno"]
"""For the compiler: quick code without symbols for debuggers. No flag may change results: no fused operations, no
reordering of sums."""


def list_kernels() -> list[str]:
    """The names of the kernels, as `webclean/kernels/__init__.py` states them (not imported: it needs the package)."""
    found = re.search(r"^NAMES: Final = \((.*?)\)", (KERNELS / "__init__.py").read_text("utf-8"), re.M | re.S)
    return re.findall(r'"(\w+)"', found[1]) if found else []


def hash_sources(names: list[str]) -> str:
    """What `webclean.kernels` compares with the sources that it finds."""
    stamp = hashlib.sha256()
    for name in names:
        stamp.update((KERNELS / f"{name}.py").read_bytes())
    return stamp.hexdigest()


def are_compiled() -> bool:
    """Whether all kernels are there for this Python, made of the present sources by this file."""
    suffix, stamp, names = sysconfig.get_config_var("EXT_SUFFIX"), KERNELS / "compiled.txt", list_kernels()
    made = [stamp, *(KERNELS / f"{name}{suffix}" for name in names)]
    if not all(path.exists() for path in made) or stamp.read_text(encoding="ascii") != hash_sources(names):
        return False
    return min(path.stat().st_mtime for path in made) > Path(__file__).stat().st_mtime


def compile_kernels() -> list[Path]:
    """Compile all kernels beside their sources and note the hash of the sources. Returns the files that were made.

    Raises what Cython, setuptools and the compiler raise, after removing what an earlier build left.
    """
    for old in [*KERNELS.glob("*.so"), *KERNELS.glob("*.pyd"), KERNELS / "compiled.txt"]:
        old.unlink(missing_ok=True)
    from Cython.Build import cythonize  # noqa: PLC0415  optional
    from setuptools import Distribution, Extension  # noqa: PLC0415  optional

    names = list_kernels()
    with tempfile.TemporaryDirectory() as work:
        sources = [str(shutil.copy(KERNELS / f"{name}.py", work)) for name in names]
        flags = [] if sys.platform == "win32" else [*FLAGS, "-ffp-contract=off"]
        extensions = [
            Extension(f"webclean.kernels.{name}", [source], extra_compile_args=flags)
            for name, source in zip(names, sources, strict=True)
        ]
        made = Distribution({"ext_modules": cythonize(extensions, language_level=3, quiet=True)})  # type: ignore[no-untyped-call]
        command = made.get_command_obj("build_ext")
        command.build_lib, command.build_temp, command.parallel = work, work, True
        command.ensure_finalized()
        command.run()
        outputs = [Path(shutil.copy(path, KERNELS)) for path in map(Path, command.get_outputs())]
    (KERNELS / "compiled.txt").write_text(hash_sources(names), encoding="ascii")
    return [*outputs, KERNELS / "compiled.txt"]


if __name__ == "__main__":
    for path in compile_kernels():
        print(path)
