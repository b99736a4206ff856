"""Scrapy: a crawl of a site on this machine, by the example of the docs."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.adapters import need, read_example
from tests.web_sites import run_folder

scrapy = need("scrapy", "crawl")

ROOT = Path(__file__).resolve().parents[2]
TEXT = "The tide tables of the harbour say when the water is high enough for the ferry to leave the quay. " * 3
PAGES = {
    "index.html": "<title>Port</title><main><h1>Port of Skerry</h1><p>All that happens in the port this week.</p>"
    '<ul><li><a href="/museum.html">The museum of glass</a></li><li><a href="/choir.html">Choir practice</a></li>'
    '<li><a href="/tides.html#now">Tide tables of the harbour</a></li></ul></main><footer><p>© Port</p></footer>',
    "museum.html": "<title>Museum</title><h1>The museum of glass</h1><p>Glass was blown here since 1820, by hand.</p>",
    "choir.html": "<title>Choir</title><h1>Choir practice</h1><p>The choir meets in the hall on every Monday.</p>",
    "tides.html": f"<title>Tides - Port</title><nav><a href='/'>Home</a></nav><h1>Tide tables</h1><p>{TEXT}</p>"
    "<p class='signed'>The harbour master</p>",
}
CRAWL = """
import sys
from scrapy.crawler import CrawlerProcess
{example}
TidesSpider.start_urls = [sys.argv[1]]
process = CrawlerProcess({{
    "FEEDS": {{sys.argv[2]: {{"format": "jsonlines"}}}}, "CONCURRENT_REQUESTS": 1, "TELNETCONSOLE_ENABLED": False,
    "LOG_LEVEL": "WARNING", {settings}
}})
process.crawl(TidesSpider)
process.start()
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("site")
    for name, markup in PAGES.items():
        (folder / name).write_text(f"<!doctype html><meta charset=utf-8>{markup}", encoding="utf-8")
    with run_folder(folder) as base:
        yield f"{base}/"


def crawl(example: str, site: str, output: Path, settings: str = "") -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-c", CRAWL.format(example=example, settings=settings), site, str(output)],
        capture_output=True, text=True, check=False, cwd=ROOT, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def items(site: str, tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    return crawl(read_example("Scrapy"), site, tmp_path_factory.mktemp("crawl") / "items.jsonl")


def test_links_on_the_topic_are_fetched_first(items: list[dict[str, Any]], site: str) -> None:
    pages = [item for item in items if "role" not in item]
    assert [page["url"].removeprefix(site) for page in pages[:2]] == ["", "tides.html"]
    assert {page["url"].removeprefix(site) for page in pages} == {"", "tides.html", "museum.html", "choir.html"}


def test_pages_are_items_with_text_and_fields(items: list[dict[str, Any]]) -> None:
    (tides,) = [item for item in items if "role" not in item and item["url"].endswith("tides.html")]
    assert tides["title"] == "Tide tables"
    assert "The tide tables of the harbour say when the water is high enough" in tides["text"]
    assert "Home" not in tides["text"]


def test_blocks_are_items_with_a_link_to_each(items: list[dict[str, Any]], site: str) -> None:
    blocks = [item for item in items if item.get("page") == f"{site}tides.html"]
    assert blocks
    assert all(block["kept"] for block in blocks)
    assert any(block["link"].startswith(f"{site}tides.html#:~:text=T") for block in blocks)


def test_links_below_the_minimum_are_not_followed(site: str, tmp_path: Path) -> None:
    found = crawl(read_example("Scrapy"), site, tmp_path / "items.jsonl", '"WEBCLEAN_TOPIC_MINIMUM": 0.95')
    assert {item["url"].removeprefix(site) for item in found if "role" not in item} == {"", "tides.html"}


def test_a_topic_adds_to_the_priority_that_a_request_has() -> None:
    from scrapy.utils.test import get_crawler

    from webclean.web.crawl import TopicMiddleware

    crawler = get_crawler(settings_dict={"WEBCLEAN_TOPIC": "tide tables", "WEBCLEAN_TOPIC_WEIGHT": 50})
    crawler.spider = crawler._create_spider("tides")
    port = scrapy.http.HtmlResponse("https://port.example/", body=PAGES["index.html"].encode())
    ranked = {}
    for name in ("tides.html", "choir.html"):
        request = scrapy.Request(f"https://port.example/{name}", priority=7)
        found = TopicMiddleware(crawler).get_processed_request(request, port)
        ranked[name] = found.meta["webclean_score"]
        assert found.priority == 7 + round(50 * found.meta["webclean_score"])
    assert ranked["tides.html"] > ranked["choir.html"]


def test_a_response_is_read_in_its_declared_encoding() -> None:
    from webclean.web.crawl import clean_response

    body = "<p>Приливы и отливы у северного причала порта</p>".encode("koi8-r")
    response = scrapy.http.HtmlResponse(
        "https://example.org/a", body=body, headers={"Content-Type": "text/html; charset=koi8-r"}
    )
    page = clean_response(response)
    assert page.text == "Приливы и отливы у северного причала порта"
    assert page.url == "https://example.org/a"
