"""What an installation of webclean brings along, with licences: the table of docs/dependencies.md.

usage: python benchmarks/dependencies.py [--docs]

Read from the metadata of what is installed: the dependencies of webclean, theirs, and so on. `python -m pip_audit -r
requirements-dev.lock`, a tool that asks the vulnerability service of PyPI, checks all that development uses.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from importlib.metadata import Distribution, distribution
from typing import Any, Final, NamedTuple

import harness
from checkout import CLONE
from packaging.requirements import Requirement

DOCS: Final = harness.DOCS / "dependencies.md"
_ALLOWED: Final = re.compile(
    r"Apache|BSD|MIT|ISC|PSF|Python Software|MPL-2\.0|Mozilla|Unlicense|0BSD|CC0", re.IGNORECASE
)
"""Licences that ask for no more than to be named, and the weak copyleft of single files (certifi's, for one)."""


class Dependency(NamedTuple):
    """A distribution."""

    name: str
    licence: str

    @property
    def is_permissive(self) -> bool:
        return _ALLOWED.search(self.licence) is not None


def read_requirements(extra: str = "") -> list[Requirement]:
    """The requirements of the project, or of one of its extras."""
    project = tomllib.loads((CLONE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [
        Requirement(line) for line in (project["optional-dependencies"][extra] if extra else project["dependencies"])
    ]


def find_dependencies() -> list[Dependency]:
    """All that an installation without extras has, by name."""
    needed: set[str] = set()
    todo = read_requirements()
    while todo:
        requirement = todo.pop()
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        name = re.sub(r"[-_.]+", "-", requirement.name).lower()
        if name not in needed:
            needed.add(name)
            todo += map(Requirement, distribution(name).requires or ())
    return [Dependency(name, read_licence(distribution(name))) for name in sorted(needed)]


def read_licence(found: Distribution) -> str:
    """The licence that a distribution states: an expression, classifiers, or the first line of its text."""
    metadata: Any = found.metadata
    if expression := metadata.get("License-Expression"):
        return str(expression)
    classifiers = (line.rpartition(" :: ")[2] for line in metadata.get_all("Classifier") or () if "License ::" in line)
    stated = ", ".join(line for line in classifiers if line != "OSI Approved")
    return stated or str(metadata.get("License", "")).split("\n")[0]


def write_table() -> str:
    """The table, as Markdown: a row for each requirement of the project, one for all that these need."""
    bounds = {re.sub(r"[-_.]+", "-", one.name).lower(): str(one.specifier) for one in read_requirements()}
    found = find_dependencies()
    rows = [(one.name, bounds[one.name], one.licence) for one in found if one.name in bounds]
    others = [one for one in found if one.name not in bounds]
    licences = ", ".join(sorted({one.licence for one in others}))
    rows.append((f"what these need: {', '.join(one.name for one in others)}", "", licences))
    return harness.format_table(("package", "versions", "licence"), rows)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = harness.make_parser(__doc__)
    parser.add_argument("--docs", action="store_true", help="write the table into docs/dependencies.md")
    options = parser.parse_args(arguments)
    table = write_table()
    print(table)
    if options.docs:
        harness.replace_table(DOCS, "dependencies", table)
    strict = [found.name for found in find_dependencies() if not found.is_permissive]
    print(f"not permissive: {', '.join(strict) or 'none'}")
    return int(bool(strict))


if __name__ == "__main__":
    raise SystemExit(main())
