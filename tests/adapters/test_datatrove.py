"""datatrove: from a WARC file to JSON lines, by the example of the docs."""

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

import webclean
from tests.adapters import need, read_example

need("datatrove", "datatrove")
warcio = need("warcio.warcwriter", "datatrove")
need("magic", "datatrove")

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
PAGES = {
    "https://example.org/harbour": FIXTURES / "content" / "news-en-harbour" / "input.html",
    "https://example.org/galette": FIXTURES / "content" / "recipe-leek-galette" / "input.html",
    "https://example.org/shell": FIXTURES / "no_feature" / "spa-shell" / "input.html",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    from warcio.statusandheaders import StatusAndHeaders

    (tmp_path / "warc").mkdir()
    with (tmp_path / "warc" / "pages.warc.gz").open("wb") as file:
        writer = warcio.WARCWriter(file, gzip=True)
        for url, path in PAGES.items():
            headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
            given = {"WARC-Identified-Payload-Type": "text/html"}
            body = io.BytesIO(path.read_bytes())
            writer.write_record(
                writer.create_warc_record(url, "response", payload=body, http_headers=headers, warc_headers_dict=given)
            )
    return tmp_path


def read_code(folder: Path) -> str:
    """The example, in a folder: datatrove remembers the working directory of its first run."""
    return re.sub(r'"(warc|out|logs)/"', rf'"{folder}/\1/"', read_example("datatrove"))


def read_rows(folder: Path) -> dict[str, dict[str, Any]]:
    lines = [
        line for path in (folder / "out").glob("*.jsonl") for line in path.read_text(encoding="utf-8").splitlines()
    ]
    rows = [json.loads(line) for line in lines]
    return {row["metadata"]["url"]: row for row in rows}


@pytest.mark.filterwarnings("ignore")
def test_the_extractor_stands_between_reader_and_writer(folder: Path) -> None:
    exec(read_code(folder), {})
    rows = read_rows(folder)
    assert set(rows) == set(list(PAGES)[:2])
    wanted = webclean.clean(PAGES["https://example.org/harbour"], profile="corpus").text
    assert rows["https://example.org/harbour"]["text"] == wanted


@pytest.mark.filterwarnings("ignore")
def test_pages_have_fields_where_a_filter_cleans_them(folder: Path) -> None:
    names: dict[str, Any] = {}
    head, pipeline = read_code(folder).split("LocalPipelineExecutor(\n")
    exec(head + read_example("datatrove", 1), names)
    exec("LocalPipelineExecutor(\n" + pipeline.replace("Webclean()", "keep"), names)
    rows = read_rows(folder)
    assert set(rows) == set(list(PAGES)[:2])
    known = rows["https://example.org/harbour"]["metadata"]
    assert (known["title"], known["author"]) == (
        "Harbour wall repairs pushed back to spring after second survey", "Imogen Tarrant",
    )  # fmt: skip
    assert 0.5 < known["confidence"] <= 1
