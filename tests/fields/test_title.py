"""The title of small pages, by its card and by the decision tree of source C; candidates for it with their features;
what names a site, a slug, an end of a title."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import webclean
from tests import write_file
from tests.fields.candidates import collect
from tests.fields.pages import read_fields, read_forms
from webclean.fields.candidates import Candidate, fold_words
from webclean.fields.site_names import names_site, split_title
from webclean.fields.statements import PageStatements
from webclean.fields.title import (
    choose_title,
    collect_title_texts,
    count_title_words,
    find_slug,
    is_end,
    rank_by_tree,
    share_in_slug,
)
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules
from webclean.rules.card_schema import TreeNode

RULES = load_rules()
SITE = '<meta property="og:site_name" content="Example Garden">'
PRUNING = "Pruning apple trees in winter"


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>How to prune an old apple tree | Garden</title>", "<h1>{}</h1>", "How to prune an old apple tree"),
        ("", "<h1><span>Title:</span>{}</h1>", "Merging of models"),  # a label before it
        (f"<title>{{}} - Example Garden</title>{SITE}", "", PRUNING),  # the name of the site
        ("<title>{} | Example</title>", "<h1>PRUNING APPLE TREES IN WINTER</h1>", PRUNING),  # the better spelling
        (f"<title>Example Garden | {{}}</title>{SITE}", "<h1>Example Garden</h1>", PRUNING),  # a masthead
        ("<title>{}|冬天|花园学报在线</title>", "<div>{}</div>", "树木在冬天怎样修剪才好"),  # not its end
        ("<title>{}_示例新闻网</title>", "<h1>{}</h1>", "北京发布新的城市规划方案"),
        ("", "<h1>{} <button>Copy link</button></h1>", "Pruning apple trees"),
        ("", "<h1 id=quickstart>{}<a href=#quickstart>¶</a></h1>", "Quickstart of it"),
        ("", "<h1>Pruning<br>apple trees</h1>", "Pruning apple trees"),
        ("", "<svg><title>Menu icon of the page</title></svg><h1>{}</h1>", "Pruning apple trees"),
        ("", "", None),
    ],
)
def test_the_title_is_the_headline_without_what_stands_around_it(head: str, body: str, title: str | None) -> None:
    lang = "en" if (title or "").isascii() else "zh"
    text = "<p>Text.</p>" if title else ""
    found = read_fields(body.format(title) + text, head=head.format(title), lang=lang).title
    assert found.value == title
    assert found.confidence <= 1


@pytest.mark.parametrize(*read_forms("titles"))
def test_a_title_is_neither_of_the_site_nor_of_its_machinery(head: str, body: str, title: str, url: str) -> None:
    text = "<p>The mill ran for two hundred years before the flood came and took its wheel.</p>"
    assert read_fields(body.format(title, title) + text, head=head.format(title), url=url).title.value == title


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
    assert [title[a:b] for a, b in split_title(title, RULES.fields.title.separators)] == parts


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


def collect_texts(html: str) -> list[Candidate]:
    return collect_title_texts(PageStatements(build_columns(parse_page(html))), RULES.fields.title)


def test_the_texts_of_a_page_but_links_hidden_and_long_ones_can_be_the_title() -> None:
    texts = ["ab", "c", "<a href=/>linked</a>", "<a href=/>ab</a>cd", "x" * 150, "y" * 151]
    html = f"<title>Abcd</title><p hidden>hidden</p>{''.join(f'<p>{text}</p>' for text in texts)}"
    assert [candidate.value for candidate in collect_texts(html)] == ["ab", "abcd", "x" * 150]


def test_features_by_hand() -> None:
    # kitten -> sitting takes three edits of seven letters; half of the texts are before it
    html = "<title>Sitting</title><body><p>abcde fghij<h2 style='color: red'>kitten</h2>"
    first, second = collect_texts(html)
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
    assert collect_texts("<body><p>ab<p>cd")[0].features["is_largest"] == 0.0


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
@pytest.mark.parametrize("url", [None, "http://dailypost.com/news/12"])
@pytest.mark.parametrize("title", ["The Daily Post", "Bridge reopens after long repair - The Daily Post"])
def test_the_tree_finds_a_headline_in_large_letters(shown: str, url: str | None, title: str, tmp_path: Path) -> None:
    rules = write_file(tmp_path / "rules.yaml", "fields: {title: {method: tree}}")
    headline = shown.format("Bridge reopens after long repair")
    html = f"<title>{title}</title><body><p><font size=2>Monday, 3 March</font></p><p>{headline}</p>{TEXT}"
    assert webclean.clean(html, url=url, rules=rules).title == "Bridge reopens after long repair"


def test_without_any_text_the_title_element_is_the_title(tmp_path: Path) -> None:
    rules = write_file(tmp_path / "rules.yaml", "fields: {title: {method: tree}}")
    assert webclean.clean("<title>Only this</title><a href=/>x</a>", rules=rules).title == "Only this"
    assert webclean.clean("<a href=/>x</a>", rules=rules).title is None
    page = webclean.clean("<title>Bridges</title><p>Bridges</p><p>Other</p>", rules=rules)
    assert page.fields.title.alternatives == (("Other", "tree: p"),)
    assert page.fields.title.source == "tree: p"


MEASURED = ("title_similarity", "part_similarity", "og_similarity", "n_words", "n_chars", "slug_share", "h1_slug_share")


def list_all(markup: str, url: str | None = None) -> dict[str, dict[str, float]]:
    columns = build_columns(parse_page(markup, url=url), RULES)
    return {found.value: found.features for found in dict(collect(columns))["title"]}


def list_titles(markup: str, url: str | None = None) -> dict[str, set[str]]:
    """Title -> the names of its features but those that are measured."""
    return {title: features.keys() - MEASURED for title, features in list_all(markup, url).items()}


def test_parts_of_a_title_are_candidates_from_both_ends() -> None:
    markup = "<title>Old mill | News | Example</title>"
    assert list_titles(markup, "https://www.example.com/old-mill.html") == {
        "Old mill | News | Example": {"title_whole", "holds_separator"},
        "Old mill": {"title_start", "title_first_part"},
        "News | Example": {"title_end", "names_site", "holds_separator"},
        "Old mill | News": {"title_start", "title_without_site", "holds_separator"},
        "Example": {"title_end", "names_site"},
        "News": {"title_middle"},
    }
    assert list_titles("<title>Old mill</title>") == {
        "Old mill": {"title_whole", "title_without_site", "title_first_part"}
    }


def test_headings_say_their_place_and_whether_they_are_alone() -> None:
    markup = "<h1>One</h1><nav><h1>Two</h1></nav><h2>Three</h2><p hidden><h2 hidden>Four</h2>"
    assert list_titles(markup) == {
        "One": {"h1", "h1_first"},
        "Two": {"h1", "h1_in_landmark"},
        "Three": {"h2"},
        "Four": {"h2"},
    }
    assert list_titles("<h1>One</h1>") == {"One": {"h1", "h1_first", "h1_only"}}
    assert len(list_titles("".join(f"<h1>Number {at}</h1>" for at in range(14)))) == 12
    n = RULES.fields.title.n_subheadings
    assert len(list_titles("".join(f"<h2>Number {at}</h2>" for at in range(14)))) == n


def test_a_masthead_is_a_title_on_the_front_page_alone() -> None:
    markup = "<h1>Example</h1><h2>Old mill</h2>"
    assert list(list_titles(markup, "https://example.com/a")) == ["Old mill"]
    assert list_titles(markup, "https://example.com/")["Example"] == {
        "h1", "h1_first", "h1_only", "h1_on_front", "names_site"
    }  # fmt: skip


def test_texts_that_are_in_the_title_are_candidates() -> None:
    markup = "<title>The old mill - Example</title><div>{}</div>"
    assert "text" in list_titles(markup.format("The old mill"))["The old mill"]
    for other in ("The new mill", "<a href=x>The old mill</a>", "Th"):
        assert not any("text" in features for features in list_titles(markup.format(other)).values())


def test_measures_of_a_candidate() -> None:
    url = "https://x.net/a/the-old-mill.html"
    found = list_all("<title>The old mill | X</title><h1>The old mill</h1>", url)["The old mill"]
    assert found["title_similarity"] == pytest.approx(1 - 4 / (12 + 16))
    assert (found["part_similarity"], found["og_similarity"]) == (1, 0)
    assert (found["n_words"], found["n_chars"], found["slug_share"], found["h1_slug_share"]) == (3, 12, 1, 1)
    shared = list_all("<title>Old mill | X</title><meta property=og:title content=Mill>", url)["Old mill"]
    assert shared["og_similarity"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("url", "slug"),
    [
        ("https://x.net/a/old-mill.html", "old-mill"),
        ("https://x.net/old-mill/2024/12", "old-mill"),
        ("https://x.net/old-mill/abc", "old-mill"),
        ("https://x.net/old-mill/abcd", "abcd"),
        ("https://x.net/old.mill.long-end", "old.mill.long-end"),
        ("https://x.net/a?old-mill#old-mill", ""),
        ("https://old-mill.net", ""),
        ("/old-mill", ""),
        ("", ""),
    ],
)
def test_the_slug_is_the_last_part_with_more_than_three_letters(url: str, slug: str) -> None:
    assert find_slug(url) == slug


@pytest.mark.parametrize(
    ("text", "share"), [("The old mill", 1), ("The new mill", 2 / 3), ("An ox", 0), ("of it", 0), ("Mill", 1), ("", 0)]
)
def test_the_share_of_words_in_the_slug(text: str, share: float) -> None:
    assert share_in_slug(fold_words(text), "theoldmill") == pytest.approx(share)


@pytest.mark.parametrize(
    ("text", "n"),
    [("one two", 2), ("é two", 2), ("树", 1), ("树木", 1), ("树木在", 2), ("树木在，冬天", 3), ("树 a b", 3), ("", 0)],
)
def test_words_of_a_title(text: str, n: int) -> None:
    assert count_title_words(text) == n


@pytest.mark.parametrize(
    ("text", "title", "is_at_end"),
    [
        ("old", "old mill", True),
        ("old", "older mill", False),
        ("mill", "old mill", True),
        ("mill", "oldmill", False),
        ("old mill", "old mill", True),
        ("mi", "old mill", False),
        ("old", "old", True),
    ],
)
def test_a_title_ends_at_a_word(text: str, title: str, *, is_at_end: bool) -> None:
    assert is_end(text, title) is is_at_end


@pytest.mark.parametrize(
    ("part", "sites", "is_site"),
    [
        ("Example", ("example",), True),
        ("...", ("example",), True),
        ("Exam", ("example",), True),
        ("Exa", ("example",), False),
        ("Exam", ("example12345",), False),
        ("Example of it", ("example",), True),
        ("Example of a long day", ("example",), True),
        ("An example of a very long day", ("example",), False),
        ("World Trade Place", ("wtp",), False),
        ("World", ("w",), False),
        ("Kurier Nadwarciański", ("kuriernadwarcianski",), True),
        ("News", ("newsvalley",), True),
        ("News", ("newsvalleys",), False),
        ("New", ("newsval",), False),
        ("Abc News", ("abc",), True),  # a word of its own may have fewer letters
        ("Fabc News", ("abc",), False),
        ("Old mill", (), False),
    ],
)
def test_what_names_a_site(part: str, sites: tuple[str, ...], *, is_site: bool) -> None:
    assert names_site(part, sites) is is_site


HOME = "https://www.example.com/blog/2024/old-mill.html"


@pytest.mark.parametrize(
    ("shown", "is_site"),
    [
        ("<a href=/>The Daily Miller</a>", True),
        ("<a href=https://www.example.com/><img alt='The Daily Miller'></a>", True),
        ("<h1><a href=/blog/>The Daily Miller</a></h1>", True),
        ("<a href='/?p=1'>The Daily Miller</a>", False),
        ("<a href=/news/>The Daily Miller</a>", False),
        ("<h1><a href=/blog/2024/old-mill.html>The Daily Miller</a></h1>", False),
        ("<a href=https://elsewhere.net/>The Daily Miller</a>", False),
    ],
)
def test_a_logo_and_a_banner_name_the_site(shown: str, *, is_site: bool) -> None:
    found = list_titles(f"<title>The Daily Miller - Old mill</title>{shown}", HOME)
    assert ("names_site" in found["The Daily Miller"]) is is_site


NEWS = "<title>The Daily Miller : Old mill</title>"


@pytest.mark.parametrize(
    ("markup", "marked"),
    [
        (f"{NEWS}<b>Old mill burns down</b><div class=title4>Old mill</div>", {"Old mill"}),
        (f"{NEWS}<table><td class=pn-title><a href=/b>Old mill</a></table>", {"Old mill"}),
        (f"{NEWS}<h2>Old mill</h2><p>Old</p>", {"Old mill"}),
        (f"{NEWS}<h1>Old mill</h1><b>The Daily Miller</b>", set()),
        (f"<meta property=og:title content='Old mill'>{NEWS}<b>Old mill</b>", set()),
        (f"{NEWS}<nav><b class=title>Old wheel</b></nav>", set()),
    ],
)
def test_what_is_shown_of_the_title_without_a_heading(markup: str, marked: set[str]) -> None:
    assert {title for title, features in list_titles(markup).items() if "shown_unheaded" in features} == marked


@given(st.lists(st.sampled_from(["Old mill", "x", " | ", " - ", "|", " "]), max_size=12).map("".join))
def test_spans_of_a_title_do_not_overlap_and_leave_out_separators_alone(title: str) -> None:
    spans = split_title(title, (r"\s+[-|]\s+", r"\s*\|\s*"))
    assert len(spans) <= 6
    places = [place for span in spans for place in span]
    assert places == sorted(places)
    assert all(title[first:last] for first, last in spans)
    if len(spans) < 6:
        left = "".join(title[first:last] for first, last in spans)
        assert left.replace(" ", "").replace("-", "") == title.replace(" ", "").replace("-", "").replace("|", "")


def test_a_colon_behind_the_name_of_the_site_parts_a_title() -> None:
    url = "https://www.millnews.com/a"
    assert "title_without_site" in list_titles("<title>Mill News: Old mill</title>", url)["Old mill"]
    assert set(list_titles("<title>Walks: Old mill</title>", url)) == {"Walks: Old mill"}
    assert set(list_titles("<title>Mill News: </title>", url)) == {"Mill News:"}


def test_a_site_is_cut_off_at_one_end() -> None:
    markup = "<title>Old mills of Example – Where? - Example</title>"
    found = list_titles(markup, "https://example.com/a")
    assert "title_without_site" in found["Old mills of Example – Where?"]


def test_a_title_has_no_soft_hyphens() -> None:
    assert set(list_titles("<h1>Home Repair Assis\u00adtance</h1>")) == {"Home Repair Assistance"}
