"""Build the sdist, the wheel from that sdist, and an editable install; each must clean a page and find its rules.
Every extra must be one that an old pip can install.

usage: check_packages.py WORK     WORK is an empty folder outside the checkout
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
import venv
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
STOCK_PIP = "23.0.1"
PROGRAM = """
import sys
import webclean
from webclean.rules.files import find_shipped_rules
page = webclean.clean(sys.stdin.buffer.read())
assert page.text.strip(), "no text"
print(webclean.__version__, find_shipped_rules())
"""


def run(*command: str | Path, cwd: Path, stdin: bytes = b"") -> str:
    """Output of a command that must succeed."""
    print("$", *command, flush=True)
    return subprocess.run(
        [*map(str, command)], cwd=cwd, input=stdin, check=True, stdout=subprocess.PIPE
    ).stdout.decode()


def check_install(requirement: list[str | Path], folder: Path, page: Path, rules: Path | None) -> None:
    """Install into a fresh environment and clean a page there, outside the checkout.

    rules: the folder that must be used, None for one inside the environment.
    """
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", *requirement, cwd=folder)
    version, used = run(python, "-c", PROGRAM, cwd=folder, stdin=page.read_bytes()).split(maxsplit=1)
    if not Path(used.strip()).is_relative_to(rules or folder):
        sys.exit(f"rules are read from {used.strip()}, not from {rules or folder}")
    said = run(folder / "bin" / "webclean", "--version", cwd=folder)
    if version not in said:
        sys.exit(f"the command line says {said.strip()}, the package {version}")
    text = run(folder / "bin" / "webclean", "clean", "-", "--format", "text", cwd=folder, stdin=page.read_bytes())
    if not text.strip():
        sys.exit("the command line gave no text")


def check_extras(wheel: Path, folder: Path) -> None:
    """What every extra asks for can be resolved by the pip of Debian 12."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", f"pip=={STOCK_PIP}", cwd=folder)
    extras = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    for extra in extras:
        run(python, "-m", "pip", "install", "-q", "--dry-run", f"{wheel}[{extra}]", cwd=folder)


def main() -> None:
    work = Path(sys.argv[1]).resolve()
    work.mkdir(parents=True, exist_ok=True)
    page = min((CHECKOUT / "fixtures").glob("content/*/input.html"))
    dist = work / "dist"
    run(sys.executable, "-m", "build", "--outdir", dist, CHECKOUT, cwd=work)
    (wheel,) = dist.glob("*.whl")
    (sdist,) = dist.glob("*.tar.gz")
    listed = run("tar", "-tzf", sdist, cwd=work)
    for name in ("/rules/default.yaml", "/fixtures/", "/benchmarks/gate.py", "/tests/", "/LICENSE", "/README.md"):
        if name not in listed:
            sys.exit(f"{sdist.name} holds no {name}")
    check_extras(wheel, work / "extras")
    check_install([wheel], work / "wheel", page, None)
    check_install(["-e", CHECKOUT], work / "editable", page, CHECKOUT / "rules")


if __name__ == "__main__":
    main()
