"""Whatever stages ask selectors that columns cannot answer, the page is written as an lxml tree once, else never."""

from __future__ import annotations

from pathlib import Path

import pytest

import webclean
from webclean.matching import select
from webclean.model import Document

HTML = """<html><head><title>Old mill</title></head><body><h1>The old mill</h1><div class=word>path</div>
<p>A walk through the forest takes an hour, and a path leads back to the old mill.</p><time>2 May 2023</time>
<aside>Read more about other mills of the valley.</aside><p class=author>Ann Walker</p></body></html>"""

SIX_RULES = """
rules:
  unwrapped: {when: {selector: "WRAPPER", page_contains: //body}, action: unwrap}
  dropped: {when: {selector: //aside}, action: drop}
  typed: {when: {page_contains: "//div[@class='index']"}, action: {page_type: index}}
  titled: {when: {page_contains: //h1}, action: {title: //h1}}
  dated: {when: {page_contains: //time}, action: {date: //time}}
  signed: {when: {page_contains: "//p[@class='author']"}, action: {author: "//p[@class='author']"}}
"""


@pytest.fixture
def trees(monkeypatch: pytest.MonkeyPatch) -> list[Document]:
    """The documents that trees are made of."""
    made: list[Document] = []
    build = select.build_lxml_tree

    def count(document: Document) -> object:
        made.append(document)
        return build(document)

    monkeypatch.setattr(select, "build_lxml_tree", count)
    return made


def clean_with(rules: str, tmp_path: Path) -> webclean.CleanPage:
    file = tmp_path / "rules.yaml"
    file.write_text(rules)
    return webclean.clean(HTML, rules=file)


def test_all_stages_share_one_tree(tmp_path: Path, trees: list[Document]) -> None:
    page = clean_with(SIX_RULES.replace("WRAPPER", "//div[@class='nowhere']"), tmp_path)
    assert (page.title, page.date, page.author) == ("The old mill", "2023-05-02", "Ann Walker")
    assert "other mills" not in page.text
    assert len(trees) == 1


def test_a_page_that_was_edited_has_a_tree_of_its_own(tmp_path: Path, trees: list[Document]) -> None:
    page = clean_with(SIX_RULES.replace("WRAPPER", "//div[@class='word']"), tmp_path)
    assert page.title == "The old mill"
    assert len(trees) == 2
    assert trees[1] is page.analysis.columns.document


def test_without_a_selector_there_is_no_tree(tmp_path: Path, trees: list[Document]) -> None:
    page = clean_with("rules: {other: {when: {text: other mills}, action: drop}}", tmp_path)
    assert "other mills" not in page.text
    assert page.title
    assert not trees


def test_plain_selectors_need_no_tree(tmp_path: Path, trees: list[Document]) -> None:
    page = clean_with("rules: {other: {when: {selector: 'body > aside, .nowhere'}, action: drop}}", tmp_path)
    assert "other mills" not in page.text
    assert not trees
