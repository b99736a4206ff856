"""The output folder of a job: its parts, which of them are finished, and what the job is.

    OUT/job.json                    what the job is: sources, options, rules; a job goes on only if it is the same
    OUT/pages/00002-00005.parquet   rows of part 5 of source 2
    OUT/blocks/..., OUT/records/...
    OUT/_parts/00002-00005.json     the part is finished: all its files are there; with counts
    OUT/_parts/00002.json           the source is finished; with the number of its parts
    OUT/rules/sites/, _parts/sites.json   the rules learnt of each site, and that all are

A part is a fixed number of records in the order of the source, so that parts can be made in any process, again, and
with the same rows.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from webclean.errors import InputError
from webclean.files import TEMPORARY, write_whole

_JOB: Final = "job.json"
_MARKS: Final = "_parts"
_SITES: Final = "sites"
JOB_VERSION: Final = 1


@dataclass(frozen=True, slots=True, order=True)
class PartName:
    """Part `part` of source `source`, both from 0."""

    source: int
    part: int

    def __str__(self) -> str:
        return f"{self.source:05d}-{self.part:05d}"


@dataclass(slots=True)
class Counts:
    """What came of records. rows: of each table. errors: kind -> pages. urls: `given` or `canonical` -> pages that have
    a URL. skipped: records that are no pages, by reason."""

    rows: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    urls: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)

    def add(self, other: Counts) -> None:
        """Add the counts of another part of the work."""
        self.rows.update(other.rows)
        self.errors.update(other.errors)
        self.urls.update(other.urls)
        self.skipped.update(other.skipped)

    @property
    def n_pages(self) -> int:
        return self.rows["pages"]

    @property
    def n_errors(self) -> int:
        return self.errors.total()


class FinishedMarks:
    """The marks of finished parts and sources in an output folder, which all processes of a job may share."""

    def __init__(self, output: Path) -> None:
        self._folder = output / _MARKS

    def count_finished(self, source: int) -> int:
        """Parts of a source that are finished, up to the first one that is not."""
        number = 0
        while self._find(str(PartName(source, number))).exists():
            number += 1
        return number

    def is_finished(self, source: int) -> bool:
        """Whether all parts of a source are."""
        return self._find(f"{source:05d}").exists()

    def finish_part(self, name: PartName, counts: Counts) -> None:
        """Mark a part whose files are all there."""
        self._write(str(name), {"rows": counts.rows, "errors": counts.errors, "urls": counts.urls})

    def finish_source(self, source: int, n_parts: int, skipped: Counter[str]) -> None:
        """Mark a source of which all is read and written."""
        self._write(f"{source:05d}", {"parts": n_parts, "skipped": skipped})

    def is_learnt(self) -> bool:
        """Whether the templates of all sites are learnt."""
        return self._find(_SITES).exists()

    def finish_learning(self, n_sites: int, n_with_rules: int, n_rules: int, problems: dict[str, str]) -> None:
        """Mark that the templates of all sites are learnt."""
        counts = {"sites": n_sites, "with_rules": n_with_rules, "rules": n_rules}
        self._write(_SITES, {**counts, "problems": problems})

    def sum_up(self, n_sources: int) -> Counts:
        """The counts of all finished parts of the first sources."""
        counts = Counts()
        for source in range(n_sources):
            for part in range(self.count_finished(source)):
                counts.add(_read_counts(self._find(str(PartName(source, part)))))
            if self.is_finished(source):
                counts.add(_read_counts(self._find(f"{source:05d}")))
        return counts

    def _find(self, name: str) -> Path:
        return self._folder / f"{name}.json"

    def _write(self, name: str, value: dict[str, Any]) -> None:
        with write_whole(self._find(name), "w", encoding="utf-8") as file:
            json.dump(value, file)


def _read_counts(path: Path) -> Counts:
    found = json.loads(path.read_text(encoding="utf-8"))
    return Counts(*(Counter(found.get(name) or {}) for name in ("rows", "errors", "urls", "skipped")))


def open_output(output: Path, described: dict[str, Any], *, resume: bool) -> None:
    """Make the output folder of a job, or go on in it.

    described: what the job is. Raises `InputError` if there is another job, or the same without `resume`.
    """
    job = output / _JOB
    described = json.loads(json.dumps({"version": JOB_VERSION, **described}))
    if output.exists() and not output.is_dir():
        raise InputError(f"{output}: is a file, not a folder")
    if not job.exists():
        if output.exists() and any(output.iterdir()):
            raise InputError(f"{output}: there is something else in this folder already")
        with write_whole(job, "w", encoding="utf-8") as file:
            json.dump(described, file, indent=1)
        return
    if not resume:
        raise InputError(f"{output}: there is a job already; go on with it by --resume, or name another folder")
    found = json.loads(job.read_text(encoding="utf-8"))
    changed = sorted(name for name in {*found, *described} if found.get(name) != described.get(name))
    if changed:
        raise InputError(f"{output}: cannot go on, for it is another job: {', '.join(changed)} changed")
    for path in _list_left(output):
        path.unlink(missing_ok=True)


def _list_left(output: Path) -> Iterator[Path]:
    """Files that a killed process was writing."""
    yield from list(output.rglob(f".*{TEMPORARY}"))


def list_part_files(output: Path, table: str) -> list[Path]:
    """The files of one table, in the order of the sources."""
    return sorted(path for path in (output / table).glob("[0-9]*") if path.is_file())
