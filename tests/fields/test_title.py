"""The title of small pages: by its card, and by the decision tree of source C."""

from __future__ import annotations

from pathlib import Path

import pytest

import webclean
from tests.fields.pages import read_fields
from webclean.fields.candidates import Candidate
from webclean.fields.site_names import split_title
from webclean.fields.statements import PageStatements
from webclean.fields.title import choose_title, collect_title_texts, rank_by_tree
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules
from webclean.rules.card_schema import TreeNode

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


RULES = load_rules().fields.title
TEXT = "".join(
    f"<p>The bridge over the river was closed for long and is open again, says town {i}.</p>" for i in range(4)
)
TREE = TreeNode(
    test="title_similarity >= 0.5",
    then=TreeNode(answer="title", counts={"title": 3, "other": 1}),
    otherwise=TreeNode(
        test="is_largest",
        then=TreeNode(answer="other", counts={"title": 2, "other": 3}),
        otherwise=TreeNode(answer="other", counts={"other": 9, "title": 1}),
    ),
)


def collect(html: str) -> list[Candidate]:
    return collect_title_texts(PageStatements(build_columns(parse_page(html))), RULES)


def test_the_texts_of_a_page_but_links_hidden_and_long_ones_can_be_the_title() -> None:
    texts = ["ab", "c", "<a href=/>linked</a>", "<a href=/>ab</a>cd", "x" * 150, "y" * 151]
    html = f"<title>Abcd</title><p hidden>hidden</p>{''.join(f'<p>{text}</p>' for text in texts)}"
    assert [candidate.value for candidate in collect(html)] == ["ab", "abcd", "x" * 150]


def test_features_by_hand() -> None:
    # kitten -> sitting takes three edits of seven letters; half of the texts are before it
    html = "<title>Sitting</title><body><p>abcde fghij<h2 style='color: red'>kitten</h2>"
    first, second = collect(html)
    assert second.features == {
        "title_similarity": pytest.approx(1 - 3 / 7),
        "n_chars": 6.0,
        "position": 0.5,
        "heading_level": 2.0,
        "size_ratio": 1.5,
        "is_bold": 1.0,
        "other_colour": 1.0,
        "other_background": 0.0,
        "is_largest": 1.0,
    }
    assert (first.features["is_largest"], first.features["heading_level"], first.features["position"]) == (0, 7, 0)
    assert collect("<body><p>ab<p>cd")[0].features["is_largest"] == 0.0


def make(value: str, similarity: float, is_largest: float = 0.0) -> Candidate:
    return Candidate(value, "", {"title_similarity": similarity, "is_largest": is_largest})


def test_of_several_marked_texts_the_nearest_to_the_title_element_wins() -> None:
    best = choose_title([make("a", 0.5), make("b", 0.9), make("c", 0.9), make("d", 0.1, 1.0)], TREE)
    assert best is not None
    assert best.value == "b"
    assert rank_by_tree(best, TREE) == (True, 0.75, 0.9)


def test_where_none_is_marked_the_leaf_with_most_titles_wins_then_the_nearest() -> None:
    best = choose_title([make("a", 0.4), make("b", 0.1, 1.0), make("c", 0.2, 1.0)], TREE)
    assert best is not None
    assert best.value == "c"
    assert choose_title([], TREE) is None


@pytest.mark.parametrize(
    "shown", ["<font size=6>{}</font>", "<font size=5><b>{}</b></font>", "<i style='font-size: 24px'>{}</i>"]
)
@pytest.mark.parametrize("method", ["card", "tree"])
@pytest.mark.parametrize("url", [None, "http://dailypost.com/news/12"])
@pytest.mark.parametrize("title", ["The Daily Post", "Bridge reopens after long repair - The Daily Post"])
def test_a_headline_in_large_letters_is_found(
    shown: str, method: str, url: str | None, title: str, tmp_path: Path
) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text(f"fields: {{title: {{method: {method}}}}}")
    headline = shown.format("Bridge reopens after long repair")
    html = f"<title>{title}</title><body><p><font size=2>Monday, 3 March</font></p><p>{headline}</p>{TEXT}"
    assert webclean.clean(html, url=url, rules=rules).title == "Bridge reopens after long repair"


def test_the_name_of_the_site_in_large_letters_is_no_title() -> None:
    html = (
        f"<title>Bridge open</title><body><font size=6>Daily Post</font><p><font size=4>Bridge is open</font></p>{TEXT}"
    )
    assert webclean.clean(html, url="http://dailypost.com/a").title == "Bridge open"


def test_beside_a_heading_large_letters_are_no_candidate() -> None:
    html = (
        f"<title>Daily Post</title><body><h1>Bridge reopens</h1><p><font size=7>Subscribe to us today</font></p>{TEXT}"
    )
    page = webclean.clean(html, url="http://dailypost.com/a")
    assert page.title == "Bridge reopens"
    assert "largest text" not in [source for _, source in page.fields.title.alternatives]


def test_without_any_text_the_title_element_is_the_title(tmp_path: Path) -> None:
    rules = tmp_path / "rules.yaml"
    rules.write_text("fields: {title: {method: tree}}")
    assert webclean.clean("<title>Only this</title><a href=/>x</a>", rules=rules).title == "Only this"
    assert webclean.clean("<a href=/>x</a>", rules=rules).title is None
    page = webclean.clean("<title>Bridges</title><p>Bridges</p><p>Other</p>", rules=rules)
    assert page.fields.title.alternatives == (("Other", "tree: p"),)
    assert page.fields.title.source == "tree: p"
