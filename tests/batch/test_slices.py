"""One large file is the work of all cores: its slices give the rows of the whole, each once and in order."""

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from archives import Sample, list_samples, read_rows, write_jsonl, write_parquet, write_warc

from tests.batch import run_job
from webclean.batch.job import Job
from webclean.batch.readers import cut_sources
from webclean.batch.readers import read_rows as read_records
from webclean.batch.sources import PageSource, Position, Reading, list_sources
from webclean.pipeline import Cleaner
from webclean.storage import load_zstandard

pytest.importorskip("pyarrow", reason="jobs need the extra batch")
pytest.importorskip("fastwarc", reason="web archives need the extra batch")

SAMPLES = list_samples(n=30)


def find_sources(path: Path, slice_bytes: int) -> tuple[PageSource, ...]:
    return cut_sources(list_sources([str(path)], 1000).found, slice_bytes)


def read(source: PageSource, position: Position | None = None) -> list[dict[str, Any]]:
    return list(read_records(source, Reading(), position or Position()))


def write_whole_packed(path: Path, packed: Callable[[bytes], bytes]) -> Path:
    plain = gzip.decompress(write_warc(path, SAMPLES).read_bytes())
    path.write_bytes(packed(plain))
    return path


@pytest.mark.parametrize("slice_bytes", [700, 5_000, 40_000])
@pytest.mark.parametrize("form", ["gz", "zst", "plain"])
def test_slices_of_an_archive_have_each_record_once(form: str, slice_bytes: int, tmp_path: Path) -> None:
    path = write_warc(tmp_path / "a.warc.gz", SAMPLES)
    if form == "plain":
        path.write_bytes(gzip.decompress(path.read_bytes()))
    elif form == "zst":
        with path.open("wb") as file:
            for n, sample in enumerate(SAMPLES):
                one = write_warc(tmp_path / f"{n}.warc.gz", [sample])
                # the request and the response, a frame each
                for record in gzip.decompress(one.read_bytes()).split(b"WARC/1.1\r\n")[1:]:
                    file.write(load_zstandard().compress(b"WARC/1.1\r\n" + record))
    slices = find_sources(path, slice_bytes)
    assert len(slices) > 1
    positions = [Position() for _ in slices]
    rows = [row for one, position in zip(slices, positions, strict=True) for row in read(one, position)]
    assert rows == read(PageSource("warc", (str(path),)))
    assert [row["url"] for row in rows] == [sample.url for sample in SAMPLES]
    assert sum(one.n_bytes for one in slices) == path.stat().st_size
    assert all(position.n_bytes <= one.n_bytes for one, position in zip(slices, positions, strict=True))


@pytest.mark.parametrize("place", [0.2, 0.5, 0.8])
def test_damage_is_told_once_whichever_slice_it_is_in(place: float, tmp_path: Path) -> None:
    path = write_warc(tmp_path / "a.warc.gz", SAMPLES)
    data = bytearray(path.read_bytes())
    at = int(place * len(data))
    data[at : at + 300] = b"\xff" * 300
    path.write_bytes(data)
    whole = read(PageSource("warc", (str(path),)))
    for slice_bytes in (1_000, 10_000, 60_000):
        rows = [row for one in find_sources(path, slice_bytes) for row in read(one)]
        assert [row["url"] for row in rows if row["html"]] == [row["url"] for row in whole if row["html"]]
        assert len([row for row in rows if "damaged" in row.get("problem", "")]) == 1


def test_what_cannot_be_divided_is_read_once_and_handed_out(tmp_path: Path) -> None:
    whole = write_whole_packed(tmp_path / "whole.warc.gz", gzip.compress)
    frame = write_whole_packed(tmp_path / "frame.warc.zst", load_zstandard().compress)
    lines = write_jsonl(tmp_path / "a.jsonl.gz", [one for one in SAMPLES if one.html.isascii()])
    table = write_parquet(tmp_path / "one.parquet", SAMPLES, row_group_size=1000)
    for path in (whole, frame, lines, table):
        (source,) = find_sources(path, 2_000)
        assert source.is_handed, path
        assert len(read(source)) >= len([one for one in SAMPLES if one.html.isascii()])


def test_slices_of_a_table_are_its_row_groups(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "a.parquet", SAMPLES, row_group_size=4)
    slices = find_sources(path, 12_000)
    assert len(slices) > 2
    assert (slices[0].first, slices[-1].end) == (0, 8)
    rows = [row for one in slices for row in read(one)]
    assert rows == read(PageSource("parquet", (str(path),), path.stat().st_size))


def test_a_job_has_the_same_rows_in_one_slice_and_in_many(tmp_path: Path) -> None:
    cleaner = Cleaner()
    samples = [*SAMPLES, Sample("pdf", b"%PDF-1.4 \0", "http://pdf.x/")]
    path = str(write_warc(tmp_path / "a.warc.gz", samples))
    found = {}
    for name, slice_bytes in (("whole", None), ("cut", 20_000)):
        job = Job((path,), tmp_path / name, cleaner, part_rows=5, jobs=2, slice_bytes=slice_bytes)
        counts = run_job(job)
        assert (counts.rows["pages"], counts.errors.total()) == (31, 1)
        found[name] = read_rows(tmp_path / name)
    assert found["cut"] == found["whole"]
    assert len(list((tmp_path / "cut" / "_parts").glob("[0-9]*[0-9].json"))) > 9
