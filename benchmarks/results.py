"""What a figure was measured on: result files, the hashes of what goes into them, and whether they still hold.

`results/NAME.yaml` holds the command, the date, the minutes, the hashes of its inputs, and its figures (system ->
measure -> value) or its report. A file without `inputs` holds figures of which nobody recorded what they were measured
on; nothing can be said of their age.

Hashes ignore what decides nothing: comments, tests and the order of keys in rules. Of data they see names and sizes of
files. Of code they see what it makes and not its source: of the code that measures, the values of features on some
fixtures; of a learner, what it prints and writes of a few pages. Whoever writes it anew, with the same answers, makes
no card stale.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml
from checkout import CLONE

RESULTS: Final = Path(__file__).resolve().parent / "results"
RULES: Final = CLONE / "rules"
VALUES: Final = CLONE / "tests" / "features" / "fixture_values.json"
"""Kinds of features and their values on pages of `fixtures/`; a test holds it to what the code computes."""
LEARNT: Final = CLONE / "tests" / "laboratory" / "learnt"
"""What each learner prints and writes of a few pages; a test holds it to what the learners do."""
_HEAD: Final = "# Written by `python benchmarks/remake.py`. The tables of README and docs are made of these figures.\n"
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

Figures = dict[str, dict[str, float]]


class _Dumper(yaml.SafeDumper):
    """Texts of several lines as they are."""


_Dumper.add_representer(
    str,
    lambda dumper, text: dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None),
)


@dataclass(slots=True)
class Result:
    """One result file. carried: why figures were taken to hold after a change of their inputs, newest last."""

    command: str
    date: str = ""
    minutes: float = 0.0
    n_pages: int | dict[str, int] = 0
    inputs: dict[str, str] = field(default_factory=dict)
    carried: list[str] = field(default_factory=list)
    figures: Figures = field(default_factory=dict)
    report: str = ""


def list_results() -> list[str]:
    """Names of all result files."""
    return sorted(path.stem for path in RESULTS.glob("*.yaml"))


def read_result(name: str) -> Result | None:
    """A result file, None where there is none."""
    path = RESULTS / f"{name}.yaml"
    if not path.is_file():
        return None
    return Result(**yaml.load(path.read_text(encoding="utf-8"), _LOADER))  # a safe loader


def write_result(name: str, result: Result) -> None:
    """Write a result file anew; empty entries are left out."""
    RESULTS.mkdir(exist_ok=True)
    values = {key: value for key, value in asdict(result).items() if value}
    text = yaml.dump(values, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=120)
    (RESULTS / f"{name}.yaml").write_text(_HEAD + text, encoding="utf-8")


def hash_rules(names: Iterable[str]) -> str:
    """Of the values in shipped rule files; a name is that of a file anywhere under rules/, without `.yaml`, or that of
    the folder that it is in."""
    wanted, digest = set(names), hashlib.sha256()
    for path in sorted(RULES.rglob("*.yaml")):
        if path.stem in wanted or path.parent.name in wanted:
            digest.update(path.relative_to(RULES).as_posix().encode() + _read_values(path, path.stat().st_mtime_ns))
    return digest.hexdigest()[:16]


@cache
def _read_values(path: Path, written: int) -> bytes:
    values: Any = yaml.load(path.read_bytes(), _LOADER)  # a safe loader
    # the tests of a platform or a rule decide nothing
    return json.dumps(_drop_tests(values), sort_keys=True, default=str).encode()


def _drop_tests(values: Any) -> Any:
    if isinstance(values, dict):
        return {key: _drop_tests(value) for key, value in values.items() if key != "tests"}
    return [_drop_tests(value) for value in values] if isinstance(values, list) else values


def hash_values(kinds: Iterable[str]) -> str:
    """Of what features of some kinds are on fixtures. Raises KeyError for an unknown kind."""
    values = json.loads(VALUES.read_text(encoding="utf-8"))
    seen = [own[kind] for own in values.values() for kind in sorted(kinds)]
    return hashlib.sha256(json.dumps(seen, sort_keys=True).encode()).hexdigest()[:16]


def hash_learnt(names: Iterable[str]) -> str:
    """Of what learners make of a few pages."""
    return hashlib.sha256(b"".join((LEARNT / f"{name}.txt").read_bytes() for name in names)).hexdigest()[:16]


def hash_data(data: Path, folders: Iterable[str]) -> str:
    """Of the names and sizes of all files in some folders of the data."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted(path for path in (data / folder).rglob("*") if path.is_file()):
            digest.update(f"{path.relative_to(data).as_posix()} {path.stat().st_size}\n".encode())
    return digest.hexdigest()[:16]


def list_changes(recorded: dict[str, str], present: dict[str, str]) -> list[str]:
    """The inputs that are not what they were when a result was made."""
    return [name for name, value in present.items() if name in recorded and recorded[name] != value]
