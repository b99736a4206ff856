"""Object stores: jobs read from and write to servers that speak the protocols of S3, of Google's and of the Hub."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from archives import list_samples, read_rows, write_folder, write_parquet, write_warc

from tests.adapters import need
from tests.adapters.hub import Hub
from webclean import clean
from webclean.cli import main
from webclean.storage import find_path, write_whole

need("s3fs", "stores")
need("upath", "stores")
need("gcsfs", "adapters")
hugging = need("huggingface_hub", "adapters")
moto = need("moto.server", "adapters")
google = need("gcp_storage_emulator.server", "adapters")
pytest.importorskip("pyarrow", reason="jobs need the extra batch")

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = list_samples(n=12)
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same pages in three forms."""
    folder = tmp_path_factory.mktemp("forms")
    write_folder(folder / "pages", SAMPLES)
    write_warc(folder / "a.warc.gz", SAMPLES)
    write_parquet(folder / "a.parquet", SAMPLES)
    return folder


@contextmanager
def serve_s3(_: Path) -> Iterator[tuple[str, dict[str, str]]]:
    server = moto.ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    keys = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": "us-east-1"}
    yield "s3://crawl", {"AWS_ENDPOINT_URL": f"http://{host}:{port}", **keys}
    server.stop()


@contextmanager
def serve_google(_: Path) -> Iterator[tuple[str, dict[str, str]]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = google.create_server("localhost", port, in_memory=True, default_bucket="crawl")
    server.start()
    yield "gs://crawl", {"STORAGE_EMULATOR_HOST": f"http://localhost:{port}", "GOOGLE_CLOUD_PROJECT": "none"}
    server.stop()


@contextmanager
def serve_hub(folder: Path) -> Iterator[tuple[str, dict[str, str]]]:
    hub = Hub(folder)
    yield "hf://datasets/crawl/pages", {"HF_ENDPOINT": hub.address, "HF_TOKEN": "hf_none"}
    hub.shutdown()


@pytest.fixture(scope="module", params=[serve_s3, serve_google, serve_hub], ids=["s3", "gs", "hf"])
def store(request: pytest.FixtureRequest, folder: Path) -> Iterator[Any]:
    """A folder in a store, whose `in` holds the pages."""
    with pytest.MonkeyPatch.context() as patch, request.param(folder) as (root, environment):
        for name, value in environment.items():
            patch.setenv(name, value)
        if "HF_ENDPOINT" in environment:  # read once, and an earlier test may have imported the library
            for name in ("HUGGINGFACE_CO_URL_TEMPLATE", "ENDPOINT"):
                value = getattr(hugging.constants, name)
                server = value.replace(hugging.constants.ENDPOINT, environment["HF_ENDPOINT"])
                patch.setattr(hugging.constants, name, server)
        found: Any = find_path(root)
        if root.startswith("s3"):
            found.fs.mkdir("crawl")
        if not root.startswith("hf"):
            found.fs.put(str(folder), "crawl/in", recursive=True)
        yield found


def name(path: Any) -> str:
    """Its address, as people write it."""
    return str(path).rstrip("/")


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """A job in a process of its own, as the libraries read the addresses of their servers once."""
    command = [sys.executable, "-m", "webclean", "batch", *map(str, arguments), "--quiet", "--jobs", "1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def write(path: Any, content: bytes) -> None:
    with write_whole(path) as file:
        file.write(content)


def find_rows(output: Any, folder: Path) -> list[dict[str, Any]]:
    """The rows of a job in a store. folder: a new one."""
    (folder / "pages").mkdir(parents=True)
    for path in (output / "pages").iterdir():
        (folder / "pages" / path.name).write_bytes(path.read_bytes())
    return read_rows(folder)


def test_a_job_reads_from_a_store_writes_into_it_and_is_taken_up_again(store: Any, tmp_path: Path) -> None:
    inputs = (f"{name(store)}/in/*.warc.gz", f"{name(store)}/in/pages", f"{name(store)}/in/a.parquet")
    arguments = (*inputs, "-o", f"{name(store)}/out", "--part-rows", 8)
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    rows = find_rows(store / "out", tmp_path / "before")
    assert rows[0]["source"].startswith(f"{name(store)}/in/a.warc.gz#")
    assert rows[23]["source"].startswith(f"{name(store)}/in/pages/00011")
    wanted = [clean(sample.html, url=sample.url).text for sample in SAMPLES]
    assert [row["text"] for row in rows[:12]] == wanted
    assert [row["url"] for row in rows[:12]] == [sample.url for sample in SAMPLES]
    assert {row["status"] for row in rows} == {"ok"}
    assert len(rows) == 36
    last = sorted(path.name for path in (store / "out" / "_parts").iterdir())[-1]
    number = int(last.removesuffix(".json").split("-")[0])
    for lost in (f"_parts/{number:05d}.json", f"_parts/{number:05d}-00001.json", f"pages/{number:05d}-00001.parquet"):
        store.fs.rm((store / "out" / lost).path)
    # a finished part that is not touched keeps what was put in its place
    kept = store / "out" / "pages" / f"{number:05d}-00000.parquet"
    held = kept.read_bytes()
    write(kept, b"untouched")
    assert run(*arguments, "--resume").returncode == 0
    assert kept.read_bytes() == b"untouched"
    write(kept, held)
    assert [row | {"ms": 0} for row in find_rows(store / "out", tmp_path / "after")] == [
        row | {"ms": 0} for row in rows
    ]


def test_what_is_not_finished_is_not_in_the_store(store: Any) -> None:
    # in one piece, and in several, for which the servers of the others take half a minute
    for n_bytes in (10, 12_000_000) if name(store).startswith("s3") else (10,):
        path = find_path(f"{name(store)}/half/{n_bytes}")
        with pytest.raises(ZeroDivisionError), write_whole(path) as file:
            file.write(bytes(n_bytes))
            1 / 0  # noqa: B018
        assert not path.exists()
        with write_whole(path) as file:
            file.write(bytes(n_bytes))
        assert path.stat().st_size == n_bytes


def test_what_a_store_lacks_is_told(store: Any, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, told in (
        ((f"{name(store)}/none.warc.gz", "-o", f"{name(store)}/none"), "no such file"),
        (("nowhere://crawl/a.warc.gz", "-o", "out"), "nowhere:// needs"),
    ):
        assert main(["batch", *arguments, "--quiet"]) == 2
        assert told in capsys.readouterr().err
