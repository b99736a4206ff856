"""Results and cleaners go from process to process and are copied."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

import webclean
from webclean.page import CleanPage

FIXTURES = Path(__file__).parent.parent / "fixtures"
PAGES = [FIXTURES / name / "input.html" for name in ("content/news-en-harbour", "index/forum-board")]
FORMATS = ("text", "markdown", "html")
RULE = "rules: {{notes: {{when: {{selector: aside}}, action: {action}, because: notes stand there}}}}"


def describe(page: CleanPage) -> list[object]:
    return [page.to_dict(include_reasons=True), page.repairs, page.to_mobile_html(), *map(page.render, FORMATS)]


def store(page: CleanPage) -> CleanPage:
    return pickle.loads(pickle.dumps(page))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.parent.name)
@pytest.mark.parametrize(
    "copied", [copy.deepcopy, lambda page: pickle.loads(pickle.dumps(page))], ids=["copy", "pickle"]
)
def test_a_copy_of_a_page_is_the_page(path: Path, copied: object) -> None:
    page = webclean.clean(path.read_bytes(), url="https://example.org/a/b")
    twin = copied(page)  # type: ignore[operator]
    assert describe(twin) == describe(page)


def test_a_copy_holds_what_was_decided_and_no_columns() -> None:
    page = webclean.clean(PAGES[0].read_bytes(), url="https://example.org/")
    twin = pickle.loads(pickle.dumps(page))
    assert (twin.text, twin.title, twin.page_type, twin.url) == (page.text, page.title, page.page_type, page.url)
    assert [block.links for block in twin.blocks] == [block.links for block in page.blocks]
    assert "analysis" not in vars(twin)
    assert len(pickle.dumps(page)) < 4 * len(PAGES[0].read_bytes()) + 100_000


def test_a_copy_is_no_other_page_when_the_rules_have_changed(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(RULE.format(action="keep"))
    stored = pickle.dumps(webclean.clean(PAGES[0].read_bytes(), rules=rules))
    rules.write_text(RULE.format(action="drop"))
    twin = pickle.loads(stored)
    assert twin.text
    with pytest.raises(webclean.RuleError, match="rules have changed"):
        twin.to_markdown()


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_pages_are_cleaned_in_other_processes(method: str) -> None:
    pages = [path.read_bytes() for path in PAGES]
    with ProcessPoolExecutor(1, mp_context=get_context(method)) as pool:
        found = list(pool.map(webclean.clean, pages))
        again = list(pool.map(webclean.Cleaner(profile="recall").clean, pages))
    assert [page.text for page in found] == [webclean.clean(page).text for page in pages]
    assert [page.text for page in again] == [webclean.clean(page, profile="recall").text for page in pages]
