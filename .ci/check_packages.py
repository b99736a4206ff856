"""Build the sdist and the wheel from that sdist; look at what is in them; install them in every way that is promised.

usage: check_packages.py WORK [--only-build]     WORK is a folder outside the checkout

What is built goes to WORK/dist and is used from there if it is there already. Each installation must clean a page and
find its rules: by the stock pip of Debian 12, from source where no compiler is to be found, by `pipx install`, by `uv
tool install`, and an editable one. Every extra must be one that this old pip can resolve.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tomllib
import zipfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from email import message_from_bytes
from pathlib import Path
from types import MappingProxyType

CHECKOUT = Path(__file__).resolve().parent.parent
STOCK_PIP = "23.0.1"
ORIGIN = "git@git.example:someone/webclean.git"
"""Where a clone is from while packages are built: the links of the package must follow."""
LINKS = {
    "Source": "https://git.example/someone/webclean",
    "Documentation": "https://git.example/someone/webclean/tree/HEAD/docs",
    "Changelog": "https://git.example/someone/webclean/blob/HEAD/CHANGELOG.md",
}
MOST_BYTES = 12_000_000
"""Of a wheel."""
PROGRAM = """
import sys
import webclean
from webclean.rules.files import find_shipped_rules
page = webclean.clean(sys.stdin.buffer.read())
assert page.text.strip(), "no text"
print(webclean.__version__, find_shipped_rules())
"""


def run(
    *command: str | Path, cwd: Path, stdin: bytes = b"", environment: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Output of a command that must succeed."""
    start = time.perf_counter()
    done = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        input=stdin,
        check=True,
        stdout=subprocess.PIPE,
        env={**os.environ, **environment, "PYTHONPATH": ""},
    )
    print("$", *command, f"  # {time.perf_counter() - start:.0f} s", flush=True)
    return done.stdout.decode()


def build(dist: Path) -> None:
    """An sdist of the checkout and a wheel of the sdist, as if the checkout were a clone of `ORIGIN`."""
    origin = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "remote.origin.url", "GIT_CONFIG_VALUE_0": ORIGIN}
    run("uv", "build", "-q", "--out-dir", dist, CHECKOUT, cwd=CHECKOUT, environment=origin)


def check_sdist(sdist: Path) -> None:
    """It holds what another person needs to test, measure and change webclean."""
    listed = run("tar", "-tzf", sdist, cwd=sdist.parent)
    for name in ("/rules/default.yaml", "/fixtures/", "/benchmarks/gate.py", "/tests/", "/docs/usage.md", "/LICENSE"):
        if name not in listed:
            sys.exit(f"{sdist.name} holds no {name}")


def list_sources() -> set[str]:
    """What a wheel must hold: the package as git knows it, and the rules."""
    tracked = run("git", "ls-files", "webclean", "rules", cwd=CHECKOUT).split()
    return {f"webclean/_{name}" if name.startswith("rules/") else name for name in tracked}


def check_wheel(wheel: Path) -> None:
    """It holds the package, the rules, the licence and the compiled core; nothing else, and not too much."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        about = message_from_bytes(archive.read(next(name for name in names if name.endswith(".dist-info/METADATA"))))
    inside = {name for name in names if ".dist-info/" not in name}
    core = {name for name in inside if name.startswith("webclean/core/") and name.endswith((".so", ".pyd"))}
    made = {*core, "webclean/core/compiled.txt"}
    sources = list_sources()
    if not core:
        sys.exit(f"{wheel.name} has no compiled core")
    if lost := sorted(sources - inside):
        sys.exit(f"{wheel.name} is without {lost}")
    if more := sorted(inside - sources - made):
        sys.exit(f"{wheel.name} holds {more}")
    if not any(name.endswith("/licenses/LICENSE") for name in names):
        sys.exit(f"{wheel.name} holds no licence")
    if wheel.stat().st_size > MOST_BYTES:
        sys.exit(f"{wheel.name} has {wheel.stat().st_size} bytes, over {MOST_BYTES}")
    links = dict(line.split(", ", 1) for line in about.get_all("Project-URL", []))
    if links != LINKS:
        sys.exit(f"the links of {wheel.name} are {links}")


def check_command(webclean: Path, page: Path) -> str:
    """Clean a page by an installed command, outside the checkout. Returns what it says its version is."""
    said = run(webclean, "--version", cwd=webclean.parent)
    text = run(webclean, "clean", "-", "--format", "text", cwd=webclean.parent, stdin=page.read_bytes())
    if not text.strip():
        sys.exit("the command line gave no text")
    return said


def check_environment(folder: Path, page: Path, rules: Path) -> None:
    """What is installed in an environment cleans a page, and its rules are those in the folder `rules`."""
    program = run(folder / "bin" / "python", "-c", PROGRAM, cwd=folder, stdin=page.read_bytes())
    version, used = program.split(maxsplit=1)
    if not Path(used.strip()).is_relative_to(rules):
        sys.exit(f"rules are read from {used.strip()}, not from {rules}")
    said = check_command(folder / "bin" / "webclean", page)
    if version not in said:
        sys.exit(f"the command line says {said.strip()}, the package {version}")


def check_stock_pip(wheel: Path, folder: Path, page: Path) -> None:
    """The pip of Debian 12 installs the wheel, and can resolve what every extra asks for."""
    run("uv", "venv", "-q", folder, cwd=CHECKOUT)
    python = folder / "bin" / "python"
    run("uv", "pip", "install", "-q", "--python", python, f"pip=={STOCK_PIP}", "setuptools<81", cwd=folder)
    install = (python, "-m", "pip", "install", "-q")
    run(*install, wheel, cwd=folder)
    check_environment(folder, page, folder)
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    def resolve(extra: str) -> str:
        return run(*install, "--dry-run", f"{wheel}[{extra}]", cwd=folder)

    with ThreadPoolExecutor(2) as threads:  # they wait for the index most of the time
        list(threads.map(resolve, project["optional-dependencies"]))


def check_without_compiler(sdist: Path, folder: Path, page: Path) -> None:
    """The same pip installs the sdist where no command is on the path: the build brings its own compiler."""
    (folder / "no-commands").mkdir()
    python = folder / "bin" / "python"
    install = (python, "-m", "pip", "install", "-q", "--force-reinstall", "--no-deps", sdist)
    run(*install, cwd=folder, environment={"PATH": str(folder / "no-commands"), "CC": ""})
    check_environment(folder, page, folder)


def check_tools(wheel: Path, folder: Path, page: Path) -> None:
    """`uv tool install` and `pipx install` give a command that works."""
    uv = {"UV_TOOL_DIR": f"{folder}/uv/tools", "UV_TOOL_BIN_DIR": f"{folder}/uv/bin"}
    run("uv", "tool", "install", "-q", wheel, cwd=CHECKOUT, environment=uv)
    check_command(folder / "uv" / "bin" / "webclean", page)
    pipx = {"PIPX_HOME": f"{folder}/pipx", "PIPX_BIN_DIR": f"{folder}/pipx/bin", "PIPX_MAN_DIR": f"{folder}/pipx/man"}
    run("uvx", "-q", "pipx", "install", "-q", wheel, cwd=CHECKOUT, environment=pipx)
    check_command(folder / "pipx" / "bin" / "webclean", page)


def check_editable(folder: Path, page: Path) -> None:
    """An editable installation uses the rules of the checkout."""
    run("uv", "venv", "-q", folder, cwd=CHECKOUT)
    run("uv", "pip", "install", "-q", "--python", folder / "bin" / "python", "-e", CHECKOUT, cwd=folder)
    check_environment(folder, page, CHECKOUT / "rules")


def main() -> None:
    work = Path(sys.argv[1]).resolve()
    dist = work / "dist"
    page = min((CHECKOUT / "fixtures").glob("content/*/input.html"))
    if not dist.exists():
        work.mkdir(parents=True, exist_ok=True)
        build(dist)
    if "--only-build" in sys.argv:
        return
    (wheel,) = dist.glob("*.whl")
    (sdist,) = dist.glob("*.tar.gz")
    check_sdist(sdist)
    check_wheel(wheel)
    check_stock_pip(wheel, work / "stock", page)
    check_without_compiler(sdist, work / "stock", page)
    check_tools(wheel, work, page)
    check_editable(work / "editable", page)


if __name__ == "__main__":
    main()
