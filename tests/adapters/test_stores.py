"""Object stores: jobs read from and write to a server that speaks the protocol of S3."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from archives import list_samples, read_rows, write_folder, write_parquet, write_warc

from tests.adapters import need
from webclean import clean
from webclean.cli import main

need("s3fs", "stores")
need("upath", "stores")
moto = need("moto.server", "adapters")
pytest.importorskip("pyarrow", reason="jobs need the extra batch")

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = list_samples(n=24)
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def store() -> Iterator[dict[str, str]]:
    """The environment in which `s3://` is a server of this machine."""
    server = moto.ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    given = {"AWS_ENDPOINT_URL": f"http://{host}:{port}", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {**given, "AWS_DEFAULT_REGION": "us-east-1"}.items():
            patch.setenv(name, value)
        yield dict(os.environ)
    server.stop()


@pytest.fixture(scope="module")
def bucket(store: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A bucket with the same pages in three forms."""
    from upath import UPath

    bucket = UPath("s3://crawl", use_listings_cache=False)
    bucket.fs.mkdir("crawl")
    folder = tmp_path_factory.mktemp("forms")
    write_folder(folder / "pages", SAMPLES)
    write_warc(folder / "a.warc.gz", SAMPLES)
    write_parquet(folder / "a.parquet", SAMPLES)
    bucket.fs.put(str(folder), "crawl/in", recursive=True)
    return bucket


def run(store: dict[str, str], *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "webclean", "batch", *map(str, arguments), "--quiet", "--jobs", "1"]
    return subprocess.run(command, env={**store, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False)


def find_rows(output: Any, folder: Path) -> list[dict[str, Any]]:
    """The rows of a job in a store. folder: a new one."""
    output.fs.get(f"{output.path}/pages", str(folder / "pages"), recursive=True)
    return read_rows(folder)


def test_a_job_reads_from_a_store_and_writes_into_it(store: dict[str, str], bucket: Any, tmp_path: Path) -> None:
    done = run(store, "s3://crawl/in/*.warc.gz", "s3://crawl/in/pages", "-o", "s3://crawl/out", "--part-rows", 10)
    assert done.returncode == 0, done.stderr
    rows = find_rows(bucket / "out", tmp_path)
    assert rows[0]["source"].startswith("s3://crawl/in/a.warc.gz#")
    assert rows[-1]["source"].startswith("s3://crawl/in/pages/00023")
    wanted = [clean(sample.html, url=sample.url).text for sample in SAMPLES]
    assert [row["text"] for row in rows[:24]] == wanted
    assert [row["url"] for row in rows[:24]] == [sample.url for sample in SAMPLES]
    assert {row["status"] for row in rows} == {"ok"}
    assert len(rows) == 48


def test_a_job_of_a_store_is_taken_up_again(store: dict[str, str], bucket: Any, tmp_path: Path) -> None:
    arguments = ("s3://crawl/in/a.parquet", "-o", "s3://crawl/again", "--part-rows", 5)
    assert run(store, *arguments).returncode == 0
    before = find_rows(bucket / "again", tmp_path)
    for lost in ("_parts/00000.json", "_parts/00000-00003.json", "pages/00000-00003.parquet"):
        (bucket / "again" / lost).unlink()
    kept = (bucket / "again" / "pages" / "00000-00002.parquet").stat().st_mtime
    assert run(store, *arguments, "--resume").returncode == 0
    (tmp_path / "after").mkdir()
    assert find_rows(bucket / "again", tmp_path / "after") == before
    assert (bucket / "again" / "pages" / "00000-00002.parquet").stat().st_mtime == kept


def test_what_is_not_finished_is_not_in_the_store(bucket: Any) -> None:
    from webclean.files import find_path, write_whole

    for n_bytes in (10, 12_000_000):  # in one piece, and in several
        path = find_path(f"s3://crawl/half/{n_bytes}")
        with pytest.raises(ZeroDivisionError), write_whole(path) as file:
            file.write(bytes(n_bytes))
            1 / 0  # noqa: B018
        assert not path.exists()
        with write_whole(path) as file:
            file.write(bytes(n_bytes))
        assert path.stat().st_size == n_bytes


def test_what_a_store_lacks_is_told(bucket: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, told in (
        (("s3://crawl/none.warc.gz", "-o", "s3://crawl/none"), "no such file"),
        (("nowhere://crawl/a.warc.gz", "-o", "out"), "nowhere:// needs"),
        (("s3://crawl/in/a.warc.gz", "-o", "s3://crawl/a", "--learn-sites"), "a folder of a file system alone"),
    ):
        assert main(["batch", *arguments, "--quiet"]) == 2
        assert told in capsys.readouterr().err
