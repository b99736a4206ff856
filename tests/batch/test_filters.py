"""URLs, languages and near-duplicates: what is left out is counted or told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from archives import Sample, read_rows, write_folder, write_parquet, write_warc

from webclean.batch.job import plan_job, run_job
from webclean.batch.output_folder import FORMS, find_duplicates, list_shingles, write_errors
from webclean.batch.readers import read_rows as read_records
from webclean.batch.sources import Position, Reading, list_sources
from webclean.batch.tables import Shape, build_schemas, find_schema
from webclean.batch.work import Job
from webclean.cli import main
from webclean.errors import InputError

from .site_pages import tell_story

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


def test_pages_of_other_languages_are_skipped_and_near_duplicates_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("datasketch")
    story = f"<html lang=en><h1>Story</h1><p>{tell_story(1, 120)}</p>"
    pages = [ENGLISH, GERMAN, story, story.replace("Story", "The story"), ENGLISH]
    samples = [Sample(str(n), html.encode(), f"https://x.example/{n}") for n, html in enumerate(pages)]
    path = write_parquet(tmp_path / "pages.parquet", samples)
    out = tmp_path / "out"
    assert (
        main(["batch", str(path), "-o", str(out), "--languages", "en,fr", "--duplicates", "--blocks", "--jobs", "1"])
        == 0
    )
    rows = read_rows(out)
    assert [row["status"] for row in rows] == ["ok", "skipped", "ok", "ok", "ok"]
    assert rows[1]["error"] == "in another language: de"
    assert rows[1]["text"] is None
    assert rows[1]["error_kind"] is None
    assert {row["url"] for row in read_rows(out, "blocks")} == {row["url"] for row in rows} - {rows[1]["url"]}
    found = read_rows(out, "duplicates")
    assert [(row["url"], row["duplicate_of_url"]) for row in found] == [
        ("https://x.example/3", "https://x.example/2"),
        ("https://x.example/4", "https://x.example/0"),
    ]
    assert 0.8 <= found[0]["similarity"] < 1.0 == found[1]["similarity"]
    assert "2 near-duplicates" in capsys.readouterr().err


def test_a_duplicate_is_told_of_the_first_page_and_not_of_another_duplicate() -> None:
    pytest.importorskip("datasketch")
    texts = [
        tell_story(1, 200),
        tell_story(2, 200),
        tell_story(1, 200),
        "",
        tell_story(1, 200) + " and more",
        "two words",
    ]
    pages: list[dict[str, Any]] = [{"source": str(n), "url": None, "text": text} for n, text in enumerate(texts)]
    found = list(find_duplicates(iter(pages)))
    assert [(row["source"], row["duplicate_of"]) for row in found] == [("2", "0"), ("4", "0")]


def test_shingles_are_runs_of_five_words() -> None:
    assert list_shingles("A b c d e f") == [b"a b c d e", b"b c d e f"]
    assert list_shingles("Two words") == [b"two words"]
    assert list_shingles(" ") == []


def test_a_column_that_is_kept_takes_the_place_of_ours_of_the_same_name() -> None:
    ours = find_schema("pages").names
    for name in ours:
        made = build_schemas(Shape(), (pyarrow.field(name, pyarrow.binary()),))["pages"]
        assert (made.names, made.field(name).type) == (ours, pyarrow.binary())
    assert build_schemas(Shape(), (pyarrow.field("mine", pyarrow.int64()),))["pages"].names == [*ours, "mine"]


@pytest.mark.parametrize("form", FORMS)
def test_what_failed_is_told_whatever_the_form_of_the_output(form: str, tmp_path: Path) -> None:
    samples = [Sample("a", ENGLISH.encode(), "https://x.example/a"), Sample("b", b"%PDF-1.4 x", "https://x.example/b")]
    source = write_parquet(tmp_path / "pages.parquet", samples)
    run_job(Job((str(source),), tmp_path / "out", form=form, jobs=1))
    assert write_errors(tmp_path / "out", tmp_path / "errors.jsonl") == 1
    assert '"https://x.example/b"' in (tmp_path / "errors.jsonl").read_text()


def test_patterns_of_urls_are_linear(tmp_path: Path) -> None:
    path = tmp_path / "pages.jsonl"
    path.write_text(json.dumps({"html": "<p>a", "url": "https://e.example/" + "a" * 50_000 + "b"}))
    (source,) = list_sources([str(path)], 100).found
    # an engine that backtracks would not end in a lifetime
    assert list(read_records(source, Reading(url_pattern="(a+)+$"), Position())) == []
