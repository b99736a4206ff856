"""`clean_table` in data frames and SQL, by the examples of the docs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.adapters import need, read_example

pa = need("pyarrow", "batch")

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "content"
NAMES = ("news-en-harbour", "recipe-leek-galette")
URLS = [*(f"https://example.org/{name}" for name in NAMES), "http://[::1"]
PAGES = [*((FIXTURES / name / "input.html").read_text(encoding="utf-8") for name in NAMES), "<p>Not at a URL."]


def run(*numbers: int) -> dict[str, Any]:
    names: dict[str, Any] = {"pages": PAGES, "urls": URLS}
    for number in numbers:
        exec(read_example("Data frames and SQL", number), names)
    return names


@pytest.fixture(scope="module")
def wanted() -> Any:
    return run(0)["found"]


def test_pyarrow_has_a_row_for_each_page(wanted: Any) -> None:
    assert wanted.num_rows == len(PAGES)
    assert wanted.column("title").to_pylist()[:2] == [
        "Harbour wall repairs pushed back to spring after second survey", "Leek and barley galette",
    ]  # fmt: skip
    # a wrong address costs a page its address, not its text
    assert wanted.column("status").to_pylist() == ["ok"] * 3
    assert "[::1" in " ".join(wanted.column("warnings").to_pylist()[2])


def test_pandas_and_polars_get_frames_of_their_own(wanted: Any) -> None:
    pandas, polars = need("pandas", "batch"), need("polars", "batch")
    from webclean.adapters.frames import clean_pandas, clean_polars

    names = run(1)
    assert names["by_pandas"]["text"].tolist()[:2] == wanted.column("text").to_pylist()[:2]
    assert isinstance(names["by_polars"], polars.DataFrame)
    assert set(names["by_polars"]["url"]) == {*URLS[:2], None}
    assert "content" in set(names["by_polars"]["role"])
    frame = pandas.DataFrame({"html": PAGES, "url": URLS}, index=["a", "b", "c"])
    assert clean_pandas(frame).index.tolist() == ["a", "b", "c"]
    for rows in ("blocks", "records"):
        assert clean_pandas(frame, rows=rows).index.tolist() == [*range(len(clean_pandas(frame, rows=rows)))]
    assert len(clean_pandas(frame, rows="blocks")) == names["by_polars"].height
    lazy = polars.LazyFrame({"html": PAGES, "url": URLS}).map_batches(
        clean_polars, schema=None, validate_output_schema=False
    )
    assert lazy.collect()["title"].to_list() == wanted.column("title").to_pylist()


def test_duckdb_cleans_in_sql(wanted: Any) -> None:
    need("duckdb", "search")
    names = run(0, 2)
    rows = names["titles"].fetchall()
    assert [row[0] for row in rows] == URLS
    assert [row[1:] for row in rows[:2]] == list(
        zip(wanted.column("title").to_pylist(), wanted.column("text").to_pylist(), strict=True)
    )[:2]
    connection = names["connection"]
    blob = connection.execute("SELECT clean_bytes(?::BLOB, NULL).text", [PAGES[0].encode()]).fetchone()
    assert "Rosalind Peake" in blob[0]
    found = connection.execute("SELECT p.status, p.text FROM (SELECT clean_page('<p>a', 'http://[::1') p)").fetchone()
    assert found == ("ok", "a")


def test_record_batches_are_cleaned_one_after_the_other(wanted: Any) -> None:
    from webclean.adapters.frames import clean_batches

    batches = pa.table({"html": PAGES, "url": URLS}).to_batches(max_chunksize=1)
    found = list(clean_batches(batches))
    assert [batch.num_rows for batch in found] == [1, 1, 1]
    assert pa.Table.from_batches(found).column("text").to_pylist() == wanted.column("text").to_pylist()


@pytest.mark.filterwarnings("ignore")
def test_ray_runs_the_same_function(wanted: Any) -> None:
    ray = pytest.importorskip("ray", reason="ray is not installed")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        rows = run(0, 3)["dataset"].take_all()
    finally:
        ray.shutdown()
    assert sorted(row["text"] or "" for row in rows) == sorted(text or "" for text in wanted.column("text").to_pylist())
