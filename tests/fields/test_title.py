from __future__ import annotations

import pytest

from tests.fields.pages import read_fields
from webclean.fields.title_comparison import split_title
from webclean.rules import load_rules

SEPARATORS = load_rules().fields.title.separators
SITE = '<meta property="og:site_name" content="Example Garden">'


def test_heading_that_agrees_with_title_wins_over_title_with_site_name() -> None:
    found = read_fields(
        "<h1>How to prune an old apple tree</h1><p>Text.</p>",
        head="<title>How to prune an old apple tree | Garden</title>",
    ).title
    assert found.value == "How to prune an old apple tree"
    assert found.source == "h1"
    assert 0.5 < found.confidence <= 1


def test_a_label_before_a_title_is_not_of_it() -> None:
    assert read_fields("<h1><span>Title:</span>Merging of models</h1><p>Text.</p>").title.value == "Merging of models"


def test_site_name_is_stripped_when_no_heading_agrees() -> None:
    head = f"<title>Pruning apple trees in winter - Example Garden</title>{SITE}"
    assert read_fields("<p>Text only.</p>", head=head).title.value == "Pruning apple trees in winter"


def test_heading_in_capitals_takes_the_spelling_of_the_title() -> None:
    head = "<title>Pruning apple trees in winter | Example</title>"
    assert (
        read_fields("<h1>PRUNING APPLE TREES IN WINTER</h1>", head=head).title.value == "Pruning apple trees in winter"
    )


def test_a_heading_that_is_the_name_of_the_site_is_not_the_title() -> None:
    head = f"<title>Example Garden | Pruning apple trees in winter</title>{SITE}"
    found = read_fields("<h1>Example Garden</h1><p>Text.</p>", head=head).title
    assert found.value == "Pruning apple trees in winter"


def test_text_that_title_begins_with_is_preferred_to_its_end() -> None:
    body = "<div>树木在冬天怎样修剪才好</div><p>正文的内容。</p>"
    found = read_fields(body, head="<title>树木在冬天怎样修剪才好|冬天|花园学报在线</title>", lang="zh").title
    assert found.value == "树木在冬天怎样修剪才好"


def test_button_in_a_heading_is_no_part_of_the_title() -> None:
    found = read_fields("<h1>Pruning apple trees <button>Copy link</button></h1>").title
    assert found.value == "Pruning apple trees"


def test_sign_that_links_a_heading_to_itself_is_no_part_of_the_title() -> None:
    found = read_fields('<h1 id="quickstart">Quickstart of it<a href="#quickstart">¶</a></h1><p>Text.</p>').title
    assert found.value == "Quickstart of it"


def test_line_break_in_a_heading_keeps_words_apart() -> None:
    assert read_fields("<h1>Pruning<br>apple trees</h1><p>Text.</p>").title.value == "Pruning apple trees"


def test_title_of_a_drawing_is_not_the_title() -> None:
    found = read_fields("<svg><title>Menu icon of the page</title></svg><h1>Pruning apple trees</h1>")
    assert found.title.value == "Pruning apple trees"


def test_chinese_title_loses_unspaced_site_name() -> None:
    found = read_fields(
        "<h1>北京发布新的城市规划方案</h1><p>正文。</p>",
        head="<title>北京发布新的城市规划方案_示例新闻网</title>",
        lang="zh",
    )
    assert found.title.value == "北京发布新的城市规划方案"


def test_page_without_anything_has_no_title() -> None:
    assert read_fields("").title.value is None


def test_other_candidates_are_alternatives_with_their_sources() -> None:
    found = read_fields("<h1>Pruning apple trees</h1>", head="<title>Winter work in the garden</title>").title
    assert {found.value, *(value for value, _ in found.alternatives)} == {
        "Pruning apple trees",
        "Winter work in the garden",
    }


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("One - Two", ["One", "Two"]),
        ("One|Two", ["One", "Two"]),
        ("Well-known words", ["Well-known words"]),
        ("标题_新闻", ["标题", "新闻"]),
        ("ツリーを描画できる「木」:日誌", ["ツリーを描画できる「木」", "日誌"]),
        ("Trees: a guide", ["Trees: a guide"]),
        ("", []),
    ],
)
def test_titles_are_split_at_separators(title: str, parts: list[str]) -> None:
    assert [title[a:b] for a, b in split_title(title, SEPARATORS)] == parts
