"""The JSON API: it gives what the library gives, in the forms that its OpenAPI document promises."""

from dataclasses import replace
from functools import partial
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

import webclean
from tests.server.running import ARTICLE
from tests.web_sites import Site
from webclean.model import SMALL_PAGE, Limits
from webclean.server import tasks
from webclean.server.api import ENDPOINTS, describe_api
from webclean.server.messages import PageRequest

HTML = {"content-type": "text/html; charset=utf-8"}
URL = "https://example.org/joinery/window"
FERRIES = "<h1>Ferries</h1><p>The ferry leaves the harbour at nine, and whoever wants a seat comes early.</p>"


def check(schema: str, value: Any) -> None:
    """An answer has the form that the OpenAPI document gives it."""
    described = describe_api()
    validator = Draft202012Validator({"$ref": f"#/components/schemas/{schema}", **described})
    assert [error.message for error in validator.iter_errors(value)] == []


def plain(page: webclean.CleanPage, **options: bool) -> dict[str, Any]:
    found: dict[str, Any] = httpx.Response(200, json=page.to_dict(**options)).json()
    return found


def test_a_page_is_cleaned_as_by_the_library(client: httpx.Client) -> None:
    sent = client.post("/v1/clean", params={"url": URL}, content=ARTICLE, headers=HTML)
    assert sent.status_code == 200
    assert sent.json() == plain(webclean.clean(ARTICLE, url=URL))
    asked = {"html": ARTICLE.decode(), "url": URL, "formats": ["markdown", "html", "mobile"], "reasons": True}
    found = client.post("/v1/clean", json=asked).json()
    check("CleanedObject", found)
    page = webclean.clean(ARTICLE.decode(), url=URL)
    assert found.pop("html") == page.to_html()
    assert found.pop("mobile") == page.to_mobile_html()
    assert found == plain(page, include_reasons=True, include_markdown=True)


def test_options_come_in_the_query_or_in_json(client: httpx.Client) -> None:
    wanted = plain(webclean.clean(ARTICLE, url=URL, method="patent", page_type="index", profile="recall"))
    options = {"method": "patent", "page_type": "index", "profile": "recall", "url": URL}
    assert client.post("/v1/clean", params=options, content=ARTICLE, headers=HTML).json()["text"] == wanted["text"]
    assert client.post("/v1/clean", json={**options, "html": ARTICLE.decode()}).json()["text"] == wanted["text"]
    found = client.post("/v1/clean", params={"formats": "markdown,html", "reasons": "1"}, content=ARTICLE, headers=HTML)
    assert {"markdown", "html", "type_reasons"} <= found.json().keys()
    assert "mobile" not in found.json()


def test_bytes_have_the_charset_of_the_request(client: httpx.Client) -> None:
    page = "<h1>河</h1><p>河水从山上流下来，经过十一座城镇，一直流到大海。每座城镇都有自己的桥。</p>".encode("gbk")
    found = client.post("/v1/clean", content=page, headers={"content-type": 'text/html; charset="GBK"'}).json()
    assert "十一座城镇" in found["text"]
    assert found["encoding"] == "gbk"


def test_a_page_is_fetched_when_only_its_url_is_given(client: httpx.Client, site: Site) -> None:
    found = client.post("/v1/clean", json={"url": f"{site.base}/article"}).json()
    assert found["text"] == webclean.clean(ARTICLE, url=f"{site.base}/article").text
    assert site.agents == {f"webclean/{webclean.__version__}"}
    assert client.post("/v1/clean", params={"url": f"{site.base}/article"}).json() == found


def test_blocks_and_text_blocks_are_explained_on_request(client: httpx.Client) -> None:
    page = webclean.clean(ARTICLE, url=URL)
    asked = {"url": URL, "reasons": "true", "text_blocks": "true"}
    explained = client.post("/v1/clean", params=asked, content=ARTICLE, headers=HTML).json()
    check("CleanedObject", explained)
    assert [block["id"] for block in explained["blocks"]] == [block.id for block in page.blocks]
    assert all(block["reasons"] for block in explained["blocks"])
    kept = page.analysis.decisions.kept.tolist()
    assert [block["kept"] for block in explained["text_blocks"]] == kept
    assert explained["text_blocks"][0]["text"] == page.analysis.columns.blocks.text[0]
    assert any(reason["points"] for reason in explained["text_blocks"][5]["reasons"])
    assert sum(explained["type_probabilities"].values()) == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize(
    ("asked", "status", "kind", "message"),
    [
        ({}, 422, "wrong_input", "neither `url` nor `html`"),
        ({"html": FERRIES, "colour": "red"}, 422, "wrong_input", "unknown field `colour`"),
        ({"html": FERRIES, "page_type": "novel"}, 422, "wrong_input", "novel"),
        ({"html": FERRIES, "method": "magic"}, 422, "wrong_input", "unknown method 'magic'"),
        ({"html": FERRIES, "url": "http://[::1"}, 422, "wrong_input", "not the URL of a page"),
        ({"html": FERRIES, "profile": "../../etc"}, 422, "wrong_rules", "no profile"),
        ({"html": 3}, 422, "wrong_input", "Expected `str | null`"),
        ({"html": "<html a=1>" * 300}, 413, "over_limit", "max_root_tags"),
        ({"html": "a" * 400_000}, 413, "over_limit", "at most 400000 bytes"),
        ({"url": "ftp://example.org/"}, 502, "not_fetched", "only http and https"),
    ],
)
def test_what_cannot_be_answered_says_why(
    client: httpx.Client, asked: dict[str, Any], status: int, kind: str, message: str
) -> None:
    found = client.post("/v1/clean", json=asked)
    assert (found.status_code, found.json()["status"], found.json()["kind"]) == (status, status, kind)
    assert message in found.json()["detail"]
    assert found.headers["content-type"] == "application/problem+json"
    check("ProblemObject", found.json())


def test_a_page_over_a_limit_can_be_cut(client: httpx.Client) -> None:
    asked = {"html": FERRIES + "<html a=1>" * 300 + "deep", "on_limit": "truncate"}
    found = client.post("/v1/clean", json=asked).json()
    assert found["truncated"] == ["max_root_tags"]
    assert "seat" in found["text"]


def test_answers_are_bounded_by_the_page() -> None:
    """A page of short headings has a block with a path, links and reasons for each."""
    limits = Limits(max_seconds=300)
    task = tasks.PageTask(b"<h1>x" * 6_000, limits=limits, options=PageRequest(reasons=True, text_blocks=True))
    refused = tasks.run_call(partial(tasks.clean, task))
    assert (refused.status, refused.kind) == (413, "over_limit")
    cut = replace(task, options=PageRequest(on_limit="truncate", text_blocks=True))
    assert len(tasks.run_call(partial(tasks.clean, cut))) < 3 * 20 * SMALL_PAGE


def test_json_that_is_none_and_bodies_that_are_no_json(client: httpx.Client) -> None:
    for body in (b"{", b'{"location": ' + b"[" * 100_000):
        found = client.post("/v1/clean", content=body, headers={"content-type": "application/json"})
        assert (found.status_code, found.json()["kind"]) == (422, "wrong_input")
    for name in ("application/x-www-form-urlencoded", "text/plain", "application/jsonp"):  # is no page either
        found = client.post("/v1/clean", content=b' {"html": "<p>a"}', headers={"content-type": name})
        assert (found.status_code, found.json()["kind"]) == (415, "wrong_type"), name
    found = client.post("/inspect/look", content=b"{}")
    assert (found.status_code, found.json()["kind"]) == (415, "wrong_type")
    assert client.get("/no/such/path").json()["kind"] == "not_served"
    assert client.get("/v1/clean").status_code == 405


def test_the_reader_gives_text_under_a_head(client: httpx.Client, site: Site) -> None:
    url = f"{site.base}/article"
    page = webclean.clean(ARTICLE, url=url)
    found = client.get(f"/r/{url}")
    assert found.headers["content-type"] == "text/plain; charset=utf-8"
    title, source, rest = found.text.split("\n\n", 2)
    assert (title, source) == (f"Title: {page.title}", f"URL Source: {url}")
    assert rest.endswith(f"Markdown Content:\n{page.to_markdown()}")
    dated = f"Published Time: {page.date}\n\n"
    assert (rest.startswith(dated), page.date is not None) == (True, True)
    site.pages["/tagged"] = (HTML, b"<title>Ferries</title><p>The ferry leaves at nine")
    assert "Published Time" not in client.get(f"/r/{site.base}/tagged").text


@pytest.mark.parametrize(
    "target", ["/a%20b?q=1&r=%2F", "/%E6%B2%B3", "/x?url=https://other.example/y", "/trailing/", "/a//b"]
)
def test_the_reader_asks_for_the_url_as_it_is_written(client: httpx.Client, site: Site, target: str) -> None:
    site.asked.clear()
    client.get(f"/r/{site.base}{target}")
    assert site.asked == [target]
    site.asked.clear()
    client.get(f"/r/{site.base}{target}".replace("http://", "http:/"))
    assert site.asked == [target]


def test_the_openapi_document_is_one_and_names_every_endpoint(client: httpx.Client) -> None:
    validate = pytest.importorskip("openapi_spec_validator").validate
    described = client.get("/openapi.json").json()
    validate(described)
    assert {(path, method.upper()) for path, methods in described["paths"].items() for method in methods} == {
        (one.path, one.method) for one in ENDPOINTS
    }
    # a page itself may be sent
    assert "text/html" in described["paths"]["/v1/clean"]["post"]["requestBody"]["content"]
    names = {parameter["name"] for parameter in described["paths"]["/v1/clean"]["post"]["parameters"]}
    assert names == {
        "url", "charset", "profile", "method", "page_type", "page_subtype", "on_limit", "reasons", "formats",
        "text_blocks",
    }  # fmt: skip


def test_health_and_metrics(client: httpx.Client, site: Site) -> None:
    health = client.get("/healthz")
    check("HealthObject", health.json())
    assert (health.status_code, health.json()["status"], health.json()["workers"]) == (200, "ok", 1)

    def read() -> dict[str, float]:
        lines = client.get("/metrics").text.splitlines()
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines if line[0] != "#")}

    before = read()
    client.post("/v1/clean", content=ARTICLE, headers=HTML)
    client.post("/v1/clean", content=b"", headers=HTML)
    client.get(f"/r/{site.base}/article")
    client.get(f"/r/{site.base}/missing")
    client.get("/what/ever")
    after = read()
    gained = {name: value - before.get(name, 0) for name, value in after.items() if value != before.get(name, 0)}
    assert gained['webclean_requests_total{method="POST",route="/v1/clean",status="200"}'] == 1
    assert gained['webclean_requests_total{method="POST",route="/v1/clean",status="422"}'] == 1
    assert gained['webclean_requests_total{method="GET",route="/r/{url:path}",status="200"}'] == 1
    assert gained['webclean_requests_total{method="GET",route="none",status="404"}'] == 1
    assert gained['webclean_pages_total{outcome="done"}'] == 2
    assert gained['webclean_fetches_total{outcome="failed"}'] == 1
    assert gained["webclean_page_seconds_count"] == 2
    assert after["webclean_waiting"] == 0
