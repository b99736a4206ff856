"""A job loses no record and writes none twice: whatever a page does, and wherever the job is stopped."""

import gzip
import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from archives import Sample, list_samples, read_rows, write_folder, write_parquet, write_warc
from poison import survive

from tests import write_file
from tests.batch import run_job
from webclean.batch.job import Job, plan_job
from webclean.batch.output_folder import FinishedMarks
from webclean.batch.sources import Reading, read_url_list
from webclean.batch.tables import Columns, Shape, clean_tables
from webclean.cli import main
from webclean.errors import InputError
from webclean.pipeline import Cleaner

pa = pytest.importorskip("pyarrow", reason="jobs need the extra batch")
pq = pytest.importorskip("pyarrow.parquet")
pytest.importorskip("fastwarc", reason="web archives need the extra batch")
ROOT = Path(__file__).parents[2]
CLEANER = Cleaner()
ALL = Shape(("pages", "blocks", "records"), canonical=True)
WITHOUT_PLACE = ("source", "ms")


def make_job(inputs: Path, output: Path, **options: Any) -> Job:
    return Job((str(inputs),), output, CLEANER, **{"jobs": 2, "part_rows": 12, **options})


def drop(rows: list[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    return [{name: value for name, value in row.items() if name not in names} for row in rows]


@pytest.fixture(scope="module")
def expected(samples: list[Sample]) -> dict[str, list[dict[str, Any]]]:
    """What the pure function says of the samples."""
    table = pa.table({"html": [one.html for one in samples], "url": [one.url for one in samples]})
    return {kind: drop(found.to_pylist(), *WITHOUT_PLACE) for kind, found in clean_tables(table, ALL).items()}


@pytest.mark.parametrize("form", ["folder", "warc", "parquet"])
def test_a_folder_an_archive_and_a_table_give_the_same_rows(
    form: str, samples: list[Sample], expected: dict[str, list[dict[str, Any]]], tmp_path: Path
) -> None:
    if form == "folder":
        source = write_folder(tmp_path / "pages", samples)
        reading = Reading(urls=read_url_list(tmp_path / "urls.tsv"))
    else:
        write = write_warc if form == "warc" else write_parquet
        source, reading = write(tmp_path / f"pages.{form}", samples), Reading()
    counts = run_job(make_job(source, tmp_path / "out", shape=ALL, reading=reading))
    for kind, rows in expected.items():
        assert drop(read_rows(tmp_path / "out", kind), "source") == rows, kind
        assert counts.rows[kind] == len(rows)
    parts = sorted((tmp_path / "out" / "pages").iterdir())
    n_rows = len(expected["pages"])
    assert [pq.read_metadata(path).num_rows for path in parts] == [12, 12, 12, n_rows - 36]
    assert not list(tmp_path.rglob("*.webclean-part"))


def test_poison_in_all_forms_and_a_killed_driver_cost_the_guilty_pages_alone(tmp_path: Path) -> None:
    assert survive(tmp_path, n_pages=8) == ""


def start(*arguments: object, **options: Any) -> subprocess.Popen[str]:
    """The command line in a process of its own."""
    command = [sys.executable, "-m", "webclean", "batch", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True, **options)


def hear_interrupts() -> None:
    """As a process of a terminal does; what a shell runs in the background ignores them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for_parts(output: Path, n_parts: int) -> None:
    while len(list((output / "_parts").glob("*-*.json"))) < n_parts:
        time.sleep(0.02)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["kill", "Ctrl-C"])
def test_a_job_that_was_stopped_goes_on_and_loses_nothing(how: signal.Signals, tmp_path: Path) -> None:
    samples = list_samples(n=60) * 2
    source = write_parquet(tmp_path / "pages.parquet", samples)
    output = tmp_path / "out"
    arguments = (source, "-o", output, "--part-rows", 12, "--keep", "id", "--jobs", 1, "--blocks")
    with start(*arguments, preexec_fn=hear_interrupts) as stopped:
        wait_for_parts(output, 4)
        stopped.send_signal(how)
        _, told = stopped.communicate()
    if how is signal.SIGINT:
        assert stopped.returncode == 130
        assert "stopped: what is told above is finished" in told
        assert "Traceback" not in told
        assert not list(output.rglob("*.webclean-part"))
        return
    before = {path.name: path.stat().st_mtime_ns for path in (output / "_parts").glob("*-*.json")}
    assert 4 <= len(before) < 10
    (output / "pages" / ".00000-00014.parquet.1.webclean-part").write_bytes(b"left by a killed process")
    assert main(["batch", *map(str, arguments), "--resume", "--quiet"]) == 0
    rows = read_rows(output)
    assert [row["id"] for row in rows] == list(range(120))
    assert {row["status"] for row in rows} == {"ok"}
    assert {row["id"] for row in read_rows(output, "blocks")} == set(range(120))
    assert not list(output.rglob("*.webclean-part"))
    for name, written in before.items():  # finished parts were not done again
        assert (output / "_parts" / name).stat().st_mtime_ns == written
    assert FinishedMarks(output).sum_up(1).rows["pages"] == 120


def test_a_full_disk_is_told_and_leaves_no_part_of_a_file(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "pages.parquet", list_samples(n=60))
    output = tmp_path / "out"

    def limit_files() -> None:  # what a disk of this size does, in the same place
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))

    with start(source, "-o", output, "--part-rows", 20, "--jobs", 1, preexec_fn=limit_files) as full:
        _, told = full.communicate()
    assert full.returncode == 2
    assert "File too large" in told
    assert "00000-00000.parquet" in told
    assert "Traceback" not in told
    assert not list((output / "pages").iterdir())
    arguments = ("--part-rows", "20", "--quiet", "--resume", "--jobs", "1")
    assert main(["batch", str(source), "-o", str(output), *arguments]) == 0
    assert len(read_rows(output)) == 60


def test_another_job_does_not_go_on_in_a_folder(tmp_path: Path) -> None:
    source = write_folder(tmp_path / "pages", list_samples(n=2))
    job = make_job(source, tmp_path / "out")
    plan_job(job)
    with pytest.raises(InputError, match="go on with it by --resume"):
        plan_job(job)
    plan_job(replace(job, resume=True))
    with pytest.raises(InputError, match="another job: part_rows changed"):
        plan_job(replace(job, resume=True, part_rows=13))
    with pytest.raises(InputError, match="another job: profile, rules changed"):
        plan_job(replace(job, resume=True, cleaner=Cleaner(profile="recall")))
    write_file(tmp_path / "full" / "mine.txt", "mine")
    with pytest.raises(InputError, match="something else"):
        plan_job(replace(job, output=tmp_path / "full"))
    with pytest.raises(InputError, match="is a file"):
        plan_job(replace(job, output=tmp_path / "full" / "mine.txt"))


def test_columns_that_are_missing_stop_a_job_before_it_starts(tmp_path: Path) -> None:
    source = write_parquet(tmp_path / "pages.parquet", list_samples(n=2))
    with pytest.raises(InputError, match="no column 'mine'"):
        plan_job(make_job(source, tmp_path / "out", reading=Reading(columns=Columns(keep=("mine",)))))
    folder = write_folder(tmp_path / "pages", list_samples(n=2))
    with pytest.raises(InputError, match="has no columns to keep"):
        plan_job(make_job(folder, tmp_path / "out", reading=Reading(columns=Columns(keep=("id",)))))
    assert not (tmp_path / "out").exists()


def test_a_damaged_file_stops_no_job(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "pages", list_samples(n=2))
    packed = gzip.compress(b"<p>a page</p>" * 1000)
    (folder / "cut.html.gz").write_bytes(packed[: len(packed) // 2])
    (folder / "no.parquet").write_bytes(b"no parquet")
    (folder / "no.warc.gz").write_bytes(packed[:12] + bytes(100))
    (folder / "deep.jsonl").write_text('{"html":' + "[" * 2000)
    run_job(make_job(folder, tmp_path / "out", jobs=1))
    rows = read_rows(tmp_path / "out")
    assert sorted(row["status"] for row in rows) == ["error"] * 4 + ["ok"] * 2
    problems = {Path(row["source"]).name.partition(":")[0]: row["error"] for row in rows if row["error"]}
    assert "damaged gzip" in problems["cut.html.gz"]
    assert "no Parquet" in problems["no.parquet"]
    assert "damaged" in problems["no.warc.gz"]
    assert "too deep" in problems["deep.jsonl"]
