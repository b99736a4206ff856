"""The cluster engine on a real Ray cluster of this machine: the same rows, whatever a page does and whatever dies."""

import os
import subprocess
import sys
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from archives import Sample, list_samples, read_rows, write_parquet, write_warc
from poison import KINDS, poison, poison_plan, survive

from tests.batch import run_job
from webclean.batch.job import Job, plan_job, run_plan_on_ray
from webclean.batch.output_folder import Counts, FinishedMarks
from webclean.batch.tables import Shape
from webclean.pipeline import Cleaner
from webclean.workers import WorkLimits

ASKED = "WEBCLEAN_TEST_RAY"
if not os.environ.get(ASKED):
    pytest.skip(f"starts a cluster of three nodes, which takes a minute: {ASKED}=1", allow_module_level=True)

os.environ |= {"RAY_AUTH_MODE": "disabled", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0"}
import ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
ROOT = Path(__file__).parents[2]
CLEANER = Cleaner()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A cluster of three nodes, each with its own object store and processes, with one CPU each."""
    os.environ["PYTHONPATH"] = os.pathsep.join((str(ROOT), str(ROOT / "benchmarks")))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        node = {"num_cpus": 1, "object_store_memory": 80_000_000}
        made = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
        made.more = [made.add_node(**node) for _ in range(2)]
        ray.init(address=made.address, log_to_driver=False, logging_level="ERROR")
        yield made
        ray.shutdown()
        made.shutdown()


def write_archives(folder: Path, samples: list[Sample], n_archives: int) -> tuple[str, ...]:
    paths = [folder / f"{number}.warc.gz" for number in range(n_archives)]
    return tuple(str(write_warc(path, samples[number::n_archives])) for number, path in enumerate(paths))


def find_host(row: dict[str, Any]) -> str:
    return str(row["url"]).split("/")[2].split(".")[0]


def test_a_job_has_the_same_rows_on_a_cluster_and_bad_pages_are_flagged(cluster: Any, tmp_path: Path) -> None:
    samples = list_samples(n=30)
    for place, name in enumerate(KINDS):
        samples.insert(3 + 6 * place, Sample(name, poison(name), f"http://{name}.example/"))
    inputs, shape = write_archives(tmp_path, samples, 2), Shape(("pages", "blocks"))
    told = Counts()
    job = Job(inputs, tmp_path / "out", CLEANER, shape=shape, part_rows=7, limits=WorkLimits(45, 900))
    plan = poison_plan(plan_job(job))
    run_plan_on_ray(plan, lambda counts, *_: told.add(counts))
    rows = read_rows(tmp_path / "out")
    assert [row["url"] for row in rows] == [sample.url for sample in samples[0::2] + samples[1::2]]
    assert {find_host(row): row["error_kind"] for row in rows if row["status"] == "error"} == KINDS
    assert plan.count().errors == told.errors == Counter(KINDS.values())
    assert plan.count().rows["pages"] == told.rows["pages"] == 35
    run_job(Job(inputs, tmp_path / "here", CLEANER, shape=shape, jobs=1))
    for table in ("pages", "blocks"):
        here, there = (read_rows(tmp_path / name, table) for name in ("here", "out"))
        expected = [row for row in here if find_host(row) not in KINDS]
        assert [row for row in there if find_host(row) not in KINDS] == expected


ENGINES = {"local": ("--engine", "local"), "ray": ("--engine", "ray", "--address", "{address}")}


@pytest.mark.parametrize(("first", "then"), [("ray", "local"), ("local", "ray")])
def test_a_driver_that_was_killed_is_taken_up_by_the_other_engine(
    cluster: Any, tmp_path: Path, first: str, then: str
) -> None:
    samples = list_samples(n=40)
    inputs = [str(write_parquet(tmp_path / f"{number}.parquet", samples)) for number in range(3)]
    # a page that fails, so that the table of progress has something to tell
    inputs.append(
        str(write_warc(tmp_path / "bad.warc.gz", [Sample("bad", bytes(range(256)) * 9, "https://bad.example/")]))
    )
    output = tmp_path / "out"
    command = [sys.executable, "-m", "webclean", "batch", *inputs, "-o", str(output), "--part-rows", "10"]
    command += ["--columns", "text", "--jobs", "2", "--quiet"]

    def start(engine: str, *more: str) -> subprocess.Popen[bytes]:
        of_engine = [one.format(address=cluster.address) for one in ENGINES[engine]]
        return subprocess.Popen([*command, *of_engine, *more], stderr=subprocess.DEVNULL)

    with start(first) as killed:
        while len(list((output / "_parts").glob("*-*.json"))) < 4:
            time.sleep(0.02)
        killed.kill()
    time.sleep(1)
    before = {path.name: path.stat().st_mtime_ns for path in (output / "_parts").glob("*-*.json")}
    assert 4 <= len(before) < 13
    with start(then, "--resume") as taken_up:
        assert taken_up.wait(120) == 1  # a page failed
    rows = read_rows(output)
    assert [row["url"] for row in rows] == [sample.url for sample in samples] * 3 + ["https://bad.example/"]
    assert [row["status"] for row in rows] == ["ok"] * 120 + ["error"]
    for name, written in before.items():
        assert (output / "_parts" / name).stat().st_mtime_ns == written
    counts = FinishedMarks(output).sum_up(100)
    assert (counts.rows["pages"], counts.errors) == (121, {"not_a_page": 1})


def test_poison_in_all_forms_and_a_killed_driver_cost_the_guilty_pages_alone(cluster: Any, tmp_path: Path) -> None:
    assert survive(tmp_path, n_pages=8, engine="ray", address=cluster.address) == ""


def test_no_row_is_lost_though_a_node_dies_in_the_middle(cluster: Any, tmp_path: Path) -> None:
    pages = list_samples(n=40) * 6
    samples = [Sample(f"{number}", page.html, f"https://{number}.example/") for number, page in enumerate(pages)]
    plan = plan_job(Job(write_archives(tmp_path, samples, 6), tmp_path / "out", CLEANER, part_rows=5))
    victim, marks = cluster.more[1], tmp_path / "out" / "_parts"
    killed_at: list[int] = []

    def kill_a_node() -> None:
        while len(list(marks.glob("*-*.json"))) < 2:
            time.sleep(0.02)
        killed_at.append(len(list(marks.glob("*-*.json"))))
        cluster.remove_node(victim, allow_graceful=False)

    killer = Thread(target=kill_a_node)
    killer.start()
    run_plan_on_ray(plan, lambda *_: None)
    killer.join()
    assert killed_at[0] < 48
    wanted = [sample.url for number in range(6) for sample in samples[number::6]]
    assert [row["url"] for row in read_rows(tmp_path / "out")] == wanted
    assert plan.count().rows["pages"] == 240
