"""`clean_table` in data frames, SQL and engines (each on 200 pages), by the examples of the docs."""

import sys
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
from archives import list_samples

from tests.adapters import need, read_example
from webclean.batch.tables import clean_table

pa = need("pyarrow", "batch")

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "content"
NAMES = ("news-en-harbour", "recipe-leek-galette")
URLS = [*(f"https://example.org/{name}" for name in NAMES), "http://[::1"]
PAGES = [*((FIXTURES / name / "input.html").read_text(encoding="utf-8") for name in NAMES), "<p>Not at a URL."]


def run(*numbers: int, **given: Any) -> dict[str, Any]:
    names: dict[str, Any] = {"pages": PAGES, "urls": URLS, **given}
    for number in numbers:
        exec(read_example("Data frames and SQL", number), names)
    return names


@pytest.fixture(scope="module")
def wanted() -> Any:
    return run(0)["found"]


def test_pandas_and_polars_get_frames_of_their_own(wanted: Any) -> None:
    need("pandas", "batch")
    polars = need("polars", "batch")
    names = run(0, 1)
    assert names["by_pandas"]["text"].tolist()[:2] == wanted.column("text").to_pylist()[:2]
    assert isinstance(names["by_polars"], polars.DataFrame)
    assert set(names["by_polars"]["url"]) == {*URLS[:2], None}
    assert "content" in set(names["by_polars"]["role"])


def test_duckdb_reads_and_gives_tables(wanted: Any) -> None:
    need("duckdb", "adapters")
    rows = run(0, 2)["titles"].fetchall()
    columns = [wanted.column(name).to_pylist() for name in ("url", "title", "text")]
    assert rows == list(zip(*columns, strict=True))


@pytest.mark.filterwarnings("ignore")
def test_ray_runs_the_same_function(wanted: Any) -> None:
    ray = pytest.importorskip("ray", reason="ray is not installed")
    ray.init(address="local", num_cpus=1, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        rows = run(0, 3)["dataset"].take_all()
    finally:
        ray.shutdown()
    assert sorted(row["text"] or "" for row in rows) == sorted(text or "" for text in wanted.column("text").to_pylist())


N_PAGES = 200


@pytest.fixture(scope="module")
def frame() -> Any:
    """The pages as a data frame, each under an address of its own."""
    samples = list(islice(cycle(list_samples(n=40)), N_PAGES))
    pages = [sample.html.decode("utf-8", "replace") for sample in samples]
    return need("pandas", "batch").DataFrame(
        {"html": pages, "url": [f"https://example.org/{number}" for number in range(N_PAGES)]}
    )


@pytest.fixture(scope="module")
def texts(frame: Any) -> dict[str, tuple[str, str]]:
    """Address of a page -> its title and text."""
    return find_texts(clean_table(pa.Table.from_pandas(frame), only=["title", "text"]).to_pylist())


def find_texts(rows: Any) -> dict[str, tuple[str, str]]:
    found = {row["url"]: (row["title"] or "", row["text"] or "") for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.mark.filterwarnings("ignore")
def test_dask_maps_the_function_over_partitions(frame: Any, texts: Any) -> None:
    need("dask.dataframe", "adapters")
    found = run(0, 4, frame=frame)["cleaned"]
    assert found.npartitions == 8
    assert find_texts(found.compute(scheduler="threads").to_dict("records")) == texts


@pytest.mark.filterwarnings("ignore")
def test_spark_maps_the_function_over_record_batches_and_in_a_pandas_udf(
    frame: Any, texts: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sql = need("pyspark.sql", "adapters, pyspark and Java")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    # a Java process that lives for seconds: compiling its code well and collecting garbage on all cores would delay it
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.sql.execution.arrow.pyspark.enabled", "true").getOrCreate()
    try:
        names = run(0, 5, frame=spark.createDataFrame(frame).repartition(2))
        assert find_texts([row.asDict() for row in names["cleaned"].collect()]) == texts
        assert find_texts([row.asDict() for row in names["by_udf"].collect()]) == texts
    finally:
        spark.stop()
