"""URLs and languages: what is left out is counted or told."""

import json
from pathlib import Path

import pyarrow
import pytest
from archives import Sample, read_rows, write_folder, write_parquet, write_warc

from webclean.batch.job import Job, plan_job
from webclean.batch.readers import read_rows as read_records
from webclean.batch.sources import Position, Reading, list_sources
from webclean.batch.tables import Shape, build_schemas, find_schema
from webclean.cli import main
from webclean.errors import InputError

ENGLISH = "<html lang=en><h1>Peas</h1><p>Mice eat peas, and they find them where they are sown, so use a gutter."
GERMAN = "<html lang=de><h1>Erbsen</h1><p>Mäuse fressen Erbsen, und sie finden sie dort, wo sie gesät sind, im Beet."


def test_records_of_other_urls_are_counted(tmp_path: Path) -> None:
    samples = [Sample(str(n), b"<p>x", f"https://{'news' if n % 3 else 'shop'}.example/{n}") for n in range(10)]
    path = write_warc(tmp_path / "a.warc.gz", samples)
    (source,) = list_sources([str(path)], 100).found
    position = Position()
    rows = list(read_records(source, Reading(url_pattern=r"^https://news\."), position))
    assert [row["url"] for row in rows] == [sample.url for sample in samples if "news" in sample.url]
    assert position.skipped == {"other URL": 4}
    later = list(read_records(source, Reading(url_pattern=r"^https://news\."), Position(), 4))
    assert later == rows[4:]
    folder = write_folder(tmp_path / "pages", samples)
    (source,) = list_sources([str(folder)], 100).found
    assert len(list(read_records(source, Reading(url_pattern="nowhere"), Position()))) == 10  # none has a URL
    with pytest.raises(InputError, match="not a regular expression"):
        plan_job(Job((str(path),), tmp_path / "out", reading=Reading(url_pattern="(")))


def test_pages_of_other_languages_are_skipped(tmp_path: Path) -> None:
    samples = [Sample(str(n), html.encode(), f"https://x.example/{n}") for n, html in enumerate((ENGLISH, GERMAN))]
    path, out = write_parquet(tmp_path / "pages.parquet", samples), tmp_path / "out"
    assert main(["batch", str(path), "-o", str(out), "--languages", "en,fr", "--blocks", "--jobs", "1"]) == 0
    rows = read_rows(out)
    assert [row["status"] for row in rows] == ["ok", "skipped"]
    assert rows[1]["error"] == "in another language: de"
    assert rows[1]["text"] is None
    assert rows[1]["error_kind"] is None
    assert {row["url"] for row in read_rows(out, "blocks")} == {rows[0]["url"]}


def test_a_column_that_is_kept_takes_the_place_of_ours_of_the_same_name() -> None:
    ours = find_schema("pages").names
    for name in ours:
        made = build_schemas(Shape(), (pyarrow.field(name, pyarrow.binary()),))["pages"]
        assert (made.names, made.field(name).type) == (ours, pyarrow.binary())
    assert build_schemas(Shape(), (pyarrow.field("mine", pyarrow.int64()),))["pages"].names == [*ours, "mine"]


def test_patterns_of_urls_are_linear(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text(json.dumps({"html": "<p>a", "url": "https://e.example/" + "a" * 50_000 + "b"}))
    (source,) = list_sources([str(path)], 100).found
    # an engine that backtracks would not end in a lifetime
    assert list(read_records(source, Reading(url_pattern="(a+)+$"), Position())) == []
