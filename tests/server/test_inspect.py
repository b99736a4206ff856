"""The workbench over HTTP: what it shows of a page, what an edit of rules changes, and what is saved."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

import webclean
from tests import write_file
from tests.server.running import ARTICLE, connect
from webclean.rules import open_rules
from webclean.workbench.rule_checks import run_rule_tests

URL = "https://news.example.org/ferries/1"
PAGE = """<title>Ferries of the bay</title><h1>Ferries of the bay</h1><div class="story"><p>The ferry leaves the harbour
at nine, and whoever wants a seat by the window comes half an hour early.</p><p class="weather">The weather is fair
today, the harbour master says, and will stay so until the evening of tomorrow.</p><p>In summer it leaves at eight, and
at seven on Sundays, when the whole town wants to see the islands.</p></div><footer>All rights reserved</footer>"""
NO_WEATHER = "rules:\n  no-weather:\n    when: {selector: .weather}\n    action: drop\n    because: it changes daily\n"


@pytest.fixture
def rules_dir(tmp_path: Path) -> Path:
    return tmp_path / "rules"


@pytest.fixture(scope="module")
def shared() -> Iterator[httpx.Client]:
    with connect() as client:
        yield client


@pytest.fixture
def bench(rules_dir: Path) -> Iterator[httpx.Client]:
    rules_dir.mkdir()
    with connect(rules_dir=rules_dir) as client:
        yield client


def open_page(client: httpx.Client, html: str | bytes = PAGE, url: str = URL) -> str:
    """The key of a page that is opened as the form does it."""
    sent = client.post("/open", data={"url": url, "to": "inspect"}, files={"file": ("a.html", html)})
    return httpx.URL(sent.headers["location"]).params["page"]


def look(client: httpx.Client, page: str, **more: Any) -> dict[str, Any]:
    answer = client.post("/inspect/look", json={"page": page, **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_what_is_shown_is_what_the_library_decides(shared: httpx.Client) -> None:
    found = look(shared, open_page(shared, ARTICLE))
    page = webclean.clean(ARTICLE, url=URL)
    assert found["text"] == page.text
    assert [block["id"] for block in found["blocks"]] == [block.id for block in page.blocks]
    assert [block["kept"] for block in found["blocks"]] == [block.kept for block in page.blocks]
    assert [block["kept"] for block in found["text_blocks"]] == page.analysis.decisions.kept.tolist()
    assert [block["block"] for block in found["text_blocks"]] == page.segment_of.tolist()
    assert sum(block["kept_words"] for block in found["blocks"]) == found["n_kept"]
    assert sum(block["words"] for block in found["blocks"]) == found["n_words"]
    assert (found["page_type"], found["fields"]["title"]["value"]) == (str(page.page_type), page.title)
    assert found["changes"] == found["remarks"] == []


def test_options_change_what_is_shown(shared: httpx.Client) -> None:
    page = open_page(shared, ARTICLE)
    for options in ({"method": "text-density"}, {"page_type": "index"}, {"profile": "recall"}):
        expected = webclean.clean(ARTICLE, url=URL, **options)  # type: ignore[arg-type]
        assert look(shared, page, **options)["text"] == expected.text
    assert shared.post("/inspect/look", json={"page": page, "method": "magic"}).json()["kind"] == "wrong_input"


def test_the_picture_marks_blocks_and_texts_and_holds_nothing_that_runs_or_loads(shared: httpx.Client) -> None:
    active = (
        "<img src=https://t.example/p.gif onerror=alert(1)><script>alert(2)</script>",
        "<a href='java\tscript:alert(3)'>x</a>",
        "<div style='background:url(https://t.example/b.png)'>y</div><style>@import 'https://t.example/c.css';",
        'p{background:url( "https://t.example/d.png" )}</style><svg><image href=https://t.example/e.svg /></svg>',
    )
    hostile = PAGE.replace("<footer>", f"{''.join(active)}<footer>")
    found = look(shared, open_page(shared, hostile))
    picture = shared.get(found["picture"])
    policy = picture.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")
    assert policy.endswith("sandbox allow-same-origin")
    assert not re.search(r"alert|t\.example|<script|javascript", picture.text, re.IGNORECASE)
    for block in found["blocks"]:
        assert f'data-wc="{block["id"]}"' in picture.text
    weather = next(block for block in found["text_blocks"] if "weather" in block["text"])
    assert f'class="weather" data-wc-text="{weather["number"]}"' in picture.text
    dropped = next(block for block in found["text_blocks"] if "reserved" in block["text"])
    assert not dropped["kept"]
    assert f'data-wc-text="{dropped["number"]}" data-wc-left=""' in picture.text
    assert shared.get("/inspect/pictures/none").status_code == 410


def test_an_edit_is_tried_at_once_and_its_changes_are_told(shared: httpx.Client) -> None:
    page = open_page(shared)
    before = look(shared, page)
    after = look(shared, page, yaml=NO_WEATHER)
    assert "weather is fair" in before["text"]
    assert "weather is fair" not in after["text"]
    assert [(sign, line[:14]) for sign, line in after["changes"]] == [("-", "The weather is")]
    assert [remark["kind"] for remark in after["remarks"]] == ["untested"]
    explained = shared.post("/inspect/block", json={"page": page, "yaml": NO_WEATHER, "number": 2}).json()
    assert (explained["kept"], explained["reasons"][0]["rule"]) == (False, "no-weather")
    assert explained["reasons"][0]["evidence"] == "it changes daily"
    assert "weather" in explained["text"]
    n_texts = len(before["text_blocks"])
    for number, status in ((0, 200), (n_texts - 1, 200), (n_texts, 422), (-1, 422)):
        assert shared.post("/inspect/block", json={"page": page, "number": number}).status_code == status


@pytest.mark.parametrize(
    ("yaml", "line", "message"),
    [
        ("rules: [\n", 2, "flow node"),
        ("rules:\n  a:\n    action: explode\n", 3, "explode"),
        ("rules:\n  a:\n    when: {selector: ']['}\n    action: drop\n", 3, "selector"),
        ("colour: red\n", 1, "colour"),
    ],
)
def test_faults_are_told_with_their_line_and_the_page_stays(
    shared: httpx.Client, yaml: str, line: int, message: str
) -> None:
    page = open_page(shared)
    found = look(shared, page, yaml=yaml)
    assert found["text"] == look(shared, page)["text"]
    fault = found["remarks"][0]
    assert (fault["kind"], fault["line"]) == ("fault", line)
    assert re.search(message, fault["message"])
    assert "/tmp" not in fault["message"]


def test_a_text_becomes_a_rule_with_its_test(shared: httpx.Client) -> None:
    page = open_page(shared)
    weather = "The weather is fair today"
    asked = {"page": page, "drop": [weather], "because": "it changes daily"}
    made = shared.post("/inspect/extend", json=asked).json()
    assert made["remarks"] == []
    found = look(shared, page, yaml=made["yaml"])
    assert "weather" not in found["text"]
    assert [(remark["kind"], remark["passed"]) for remark in found["remarks"]] == [("test", True)]
    more = shared.post(
        "/inspect/extend", json={"page": page, "keep": ["All rights reserved"], "yaml": made["yaml"]}
    ).json()
    found = look(shared, page, yaml=more["yaml"])
    assert "All rights reserved" in found["text"]
    assert "weather" not in found["text"]
    again = shared.post("/inspect/extend", json={"page": page, "drop": [weather], "yaml": more["yaml"]}).json()
    assert (again["yaml"], len(again["remarks"])) == (more["yaml"], 1)
    assert shared.post("/inspect/extend", json={"page": page, "drop": ["not there"]}).status_code == 422
    faulty = shared.post("/inspect/extend", json={"page": page, "drop": [weather], "yaml": "rules: ["})
    assert "mend the rules first" in faulty.json()["detail"]


def test_a_type_becomes_a_rule_with_its_test(shared: httpx.Client) -> None:
    page = open_page(shared)
    asked = {"page": page, "page_subtype": "forum", "as_type": "forum", "because": "people talk here"}
    made = shared.post("/inspect/extend", json=asked).json()
    found = look(shared, page, yaml=made["yaml"])
    assert (found["page_subtype"], [one["passed"] for one in found["remarks"]]) == ("forum", [True])
    wrong = look(shared, page, yaml=made["yaml"].replace("page_type: forum}", "page_type: blog}", 1))
    assert "page_type is " in wrong["remarks"][0]["message"]


@pytest.mark.parametrize(
    ("file", "kind", "said"),
    [
        ("example.org.html", "test", "must be dropped and is not"),
        *(
            (file, "fault", "stands beside its rules")
            for file in ("/etc/hostname", "../../../etc/hostname", "sub/a.html")
        ),
    ],
)
def test_tests_that_fail_are_told_and_read_no_file_but_their_page(
    shared: httpx.Client, file: str, kind: str, said: str
) -> None:
    found = look(shared, open_page(shared), yaml=NO_WEATHER + f"    tests: [{{file: {file}, drop: [The ferry]}}]\n")
    assert [(one["kind"], one["passed"]) for one in found["remarks"]] == [(kind, False)]
    assert said in found["remarks"][0]["message"]


def test_without_a_rules_folder_nothing_is_saved(shared: httpx.Client) -> None:
    page = open_page(shared)
    assert shared.post("/inspect/open", json={"page": page}).json() == {
        "site": "example.org", "file": "example.org.html", "yaml": "", "digest": "e3b0c44298fc1c14", "can_save": False,
    }  # fmt: skip
    refused = shared.post("/inspect/save", json={"page": page, "yaml": NO_WEATHER})
    assert (refused.status_code, refused.json()["kind"]) == (403, "not_allowed")


def test_rules_are_saved_with_the_page_of_their_tests(bench: httpx.Client, rules_dir: Path) -> None:
    page = open_page(bench)
    opened = bench.post("/inspect/open", json={"page": page}).json()
    assert (opened["yaml"], opened["can_save"]) == ("", True)
    asked = {"page": page, "drop": ["The weather is fair today"], "because": "it changes daily"}
    yaml = bench.post("/inspect/extend", json=asked).json()["yaml"]
    saved = bench.post("/inspect/save", json={"page": page, "yaml": yaml, "digest": opened["digest"]})
    assert saved.json()["saved"] == ["sites/example.org.yaml", "sites/example.org.html"]
    assert (rules_dir / "sites" / "example.org.yaml").read_text() == yaml
    assert (rules_dir / "sites" / "example.org.html").read_text() == PAGE
    assert [result.faults for result in run_rule_tests(open_rules([rules_dir]))][-1:] == [()]
    text = webclean.clean(PAGE, url=URL, rules=rules_dir).text
    assert "weather" not in text
    assert look(bench, page)["text"] == text
    assert bench.post("/v1/clean", json={"html": PAGE, "url": URL}).json()["text"] == text
    reopened = bench.post("/inspect/open", json={"page": page}).json()
    assert (reopened["yaml"], reopened["digest"]) == (yaml, saved.json()["digest"])
    without = look(bench, page, yaml="rules: {}\n")
    assert "weather is fair" in without["text"]
    assert without["changes"][0][0] == "+"
    other = bench.post("/inspect/open", json={"page": open_page(bench, PAGE + "<p>more")}).json()
    assert (other["file"], other["yaml"]) == ("example.org-2.html", yaml)


def test_what_is_not_sound_or_has_changed_is_not_saved(bench: httpx.Client, rules_dir: Path) -> None:
    page = open_page(bench)
    digest = bench.post("/inspect/open", json={"page": page}).json()["digest"]
    failing = NO_WEATHER + "    tests: [{file: example.org.html, keep: [The weather is fair]}]\n"
    for yaml, message in (
        ("rules: [", "not saved: line"),
        (failing, "must be kept and is not"),
        ("  ", "there are no rules"),
    ):
        refused = bench.post("/inspect/save", json={"page": page, "yaml": yaml, "digest": digest})
        assert refused.status_code == 422
        assert message in refused.json()["detail"]
    assert not (rules_dir / "sites").exists()
    write_file(rules_dir / "sites" / "example.org.yaml", "rules: {}\n")
    stale = bench.post("/inspect/save", json={"page": page, "yaml": NO_WEATHER, "digest": digest})
    assert (stale.status_code, stale.json()["kind"]) == (409, "changed")
    assert (rules_dir / "sites" / "example.org.yaml").read_text() == "rules: {}\n"


def test_of_two_savings_at_once_one_is_told_that_the_file_has_changed(bench: httpx.Client, rules_dir: Path) -> None:
    page = open_page(bench)
    digest = bench.post("/inspect/open", json={"page": page}).json()["digest"]

    def save(name: str) -> int:
        yaml = NO_WEATHER + f"  # {name}\n"
        return bench.post("/inspect/save", json={"page": page, "yaml": yaml, "digest": digest}).status_code

    with ThreadPoolExecutor(4) as threads:
        codes = sorted(threads.map(save, "abcd"))
    assert codes == [200, 409, 409, 409]


def test_line_ends_of_a_file_stay(bench: httpx.Client, rules_dir: Path) -> None:
    file = rules_dir / "sites" / "example.org.yaml"
    file.parent.mkdir()
    file.write_bytes(NO_WEATHER.replace("\n", "\r\n").encode())
    page = open_page(bench)
    opened = bench.post("/inspect/open", json={"page": page}).json()
    text, digest = opened["yaml"].replace("\r\n", "\n"), opened["digest"]
    for more in ("# one\n", "# one\n# two\n"):
        saved = bench.post("/inspect/save", json={"page": page, "yaml": text + more, "digest": digest})
        assert saved.status_code == 200, saved.text
        digest = saved.json()["digest"]
        assert file.read_bytes() == (text + more).replace("\n", "\r\n").encode()


def test_rules_that_leave_nothing_are_saved_by_who_is_sure(bench: httpx.Client, rules_dir: Path) -> None:
    page = open_page(bench)
    digest = bench.post("/inspect/open", json={"page": page}).json()["digest"]
    yaml = "rules:\n  x: {when: {selector: '*'}, action: drop, because: a try}\n"
    asked = {"page": page, "yaml": yaml, "digest": digest}
    refused = bench.post("/inspect/save", json=asked)
    assert (refused.status_code, refused.json()["kind"]) == (409, "unsure")
    assert not (rules_dir / "sites" / "example.org.yaml").exists()
    assert bench.post("/inspect/save", json={**asked, "sure": True}).status_code == 200


@pytest.mark.parametrize("url", ["", "https://../a", "https://..%2f..%2fx/a", "https://a b/x", "https://-/", "x:///y"])
def test_an_address_that_names_no_site_cannot_be_saved(bench: httpx.Client, rules_dir: Path, url: str) -> None:
    page = open_page(bench, url=url)
    opened = bench.post("/inspect/open", json={"page": page})
    if opened.status_code == 200:
        assert (opened.json()["site"], opened.json()["can_save"]) == (None, False)
    refused = bench.post("/inspect/save", json={"page": page, "yaml": NO_WEATHER, "digest": "e3b0c44298fc1c14"})
    assert refused.status_code == 422
    assert list(rules_dir.iterdir()) == []


def test_rules_of_a_page_without_address_hold_for_that_page(shared: httpx.Client) -> None:
    page = open_page(shared, url="")
    assert "weather" not in look(shared, page, yaml=NO_WEATHER)["text"]


def test_the_workbench_offers_what_there_is(shared: httpx.Client) -> None:
    shown = shared.get("/inspect", params={"url": "example.org/<a>"}).text
    for name in ("precision", "recall", "patent", "text-density", "multi_block", "forum"):
        assert f"<option>{name}</option>" in shown
    assert 'data-url="https://example.org/&lt;a&gt;"' in shown
    assert shared.get("/inspect").headers["location"] == "/"
