"""The same function in engines for tables and crawls, each on 200 pages: Dask, Spark, datatrove."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest
from archives import list_samples

from tests.adapters import need, read_example

pa = need("pyarrow", "batch")
pandas = need("pandas", "batch")

pytestmark = pytest.mark.filterwarnings("ignore")
N_PAGES = 200


@pytest.fixture(scope="module")
def frame() -> Any:
    """The pages as a data frame, each under an address of its own."""
    samples = list(islice(cycle(list_samples(n=40)), N_PAGES))
    pages = [sample.html.decode("utf-8", "replace") for sample in samples]
    return pandas.DataFrame({"html": pages, "url": [f"https://example.org/{number}" for number in range(N_PAGES)]})


@pytest.fixture(scope="module")
def wanted(frame: Any) -> dict[str, tuple[str, str]]:
    """Address of a page -> its title and text."""
    from webclean.batch.tables import clean_table

    return find_texts(clean_table(pa.Table.from_pandas(frame), only=["title", "text"]).to_pylist())


def find_texts(rows: Any) -> dict[str, tuple[str, str]]:
    found = {row["url"]: (row["title"] or "", row["text"] or "") for row in rows}
    assert len(found) == len(rows)
    return found


def run(number: int, frame: Any, **more: Any) -> dict[str, Any]:
    names: dict[str, Any] = {"frame": frame, **more}
    exec(read_example("Data frames and SQL", number), names)
    return names


def test_dask_maps_the_function_over_partitions(frame: Any, wanted: Any) -> None:
    need("dask.dataframe", "adapters")
    found = run(4, frame)["cleaned"]
    assert found.npartitions == 8
    assert find_texts(found.compute(scheduler="threads").to_dict("records")) == wanted


def test_spark_maps_the_function_over_record_batches_and_in_a_pandas_udf(
    frame: Any, wanted: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sql = need("pyspark.sql", "adapters, pyspark and Java")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    # a Java process that lives for seconds: compiling its code well and collecting garbage on all cores would delay it
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    builder = sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.sql.execution.arrow.pyspark.enabled", "true").getOrCreate()
    try:
        names = run(5, spark.createDataFrame(frame).repartition(2))
        assert find_texts([row.asDict() for row in names["cleaned"].collect()]) == wanted
        assert find_texts([row.asDict() for row in names["by_udf"].collect()]) == wanted
    finally:
        spark.stop()


def test_datatrove_cleans_documents_in_a_pipeline(frame: Any, wanted: Any, tmp_path: Path) -> None:
    need("datatrove", "datatrove")
    from datatrove.data import Document
    from datatrove.executor import LocalPipelineExecutor

    from webclean.adapters.datatrove import WebcleanPages

    cleaned: dict[str, Any] = {}

    def collect(documents: Iterator[Any], rank: int, world_size: int) -> Iterator[Any]:
        for document in documents:
            cleaned[document.id] = document
            yield document

    pages = zip(frame["html"], frame["url"], strict=True)
    documents = [Document(html, url, metadata={"url": url}) for html, url in pages]
    steps = [documents, WebcleanPages(profile="balanced", min_words=0), collect]
    LocalPipelineExecutor(steps, logging_dir=str(tmp_path / "logs"), skip_completed=False).run()
    found = {url: (document.metadata["title"] or "", document.text) for url, document in cleaned.items()}
    assert found == wanted
