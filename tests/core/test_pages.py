"""What the core finds of whole pages, on addresses, heads and texts small enough to read."""

import math

import pytest

from webclean import core
from webclean.classify.classification import list_head_words, list_url_words, measure_feature, view_page
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules


def view(html: str, url: str = "") -> core.WholePage:
    return view_page(build_columns(parse_page(html, url=url), load_rules()), load_rules().page_type)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://docs.example.org:80/Guide/a%20b/Start-here.html?page=2&&Sort=up#top",
         ["host:docs", "host:example", "in:guide", "in:a", "in:b", "at:start", "at:here", "query:page", "query:sort"]),
        ("//host/only", ["at:only"]),
        ("mailto:tom", ["at:tom"]),
        ("/path:with/colon", ["in:path", "in:with", "at:colon"]),
        ("https://example.org", ["host:example"]),
        ("/a?b#c?d", ["at:a", "query:b"]),
        ("/a#c?d", ["at:a"]),
        ("/x/page.html%0A", ["in:x", "at:page"]),
        ("/x/page.htm2", ["in:x", "at:page", "at:htm"]),
        ("/x/page.longer", ["in:x", "at:page", "at:longer"]),
        ("", []),
    ],
)  # fmt: skip
def test_words_of_addresses(url: str, words: list[str]) -> None:
    assert list_url_words(url) == words


@pytest.mark.parametrize(
    ("url", "depth", "digits", "words", "is_plural"),
    [
        ("https://a.example/2024/red_shoes+and.snowboots", 2, 4, 4, 1),
        ("https://a.example/", 0, 0, 0, 0),
        ("https://a.example/glass", 1, 0, 1, 0),
        ("https://a.example/gas", 1, 0, 1, 0),
        ("https://a.example/item-٣", 1, 1, 2, 0),
    ],
)
def test_features_of_addresses(url: str, depth: int, digits: int, words: int, is_plural: int) -> None:
    page = view("<p>a", url)
    found = [measure_feature(page, name) for name in ("url_depth", "url_digits", "slug_words", "slug_is_plural")]
    assert found == [depth, digits, words, is_plural]


def test_an_unknown_address_has_no_features() -> None:
    assert math.isnan(measure_feature(view("<p>a"), "url_depth"))


def test_words_of_the_head_are_names_first_words_of_some_and_types_of_data() -> None:
    page = parse_page("""<meta property="OG:Type" content="  News article"><meta name=viewport content=x>
    <meta charset=utf-8><meta property="" itemprop="rating"><meta name=generator>""")
    scripts = ['{"@type" :\n[ "NewsArticle", "Thing"], "x": {"@type":"Person"}}', '{"@type": "Two words"} "@type"']
    words = list_head_words(page, scripts)
    meta = ["og:type", "viewport", "rating", "generator", "og:type=news", "generator="]
    assert words == [*meta, "schema:NewsArticle", "schema:Person"]


def test_the_running_text_below_the_headline_ends_at_the_next_heading_and_passes_over_items() -> None:
    text = "The river rises in the hills, and it takes a long way down to the sea."
    words = 16
    near, far = "<p>tag" * 7, "<p>tag" * 8
    for before, found in ((near, 2 * words), (far, 0)):
        body = f"<h1>How the river shaped towns</h1>{before}<p>{text}<li>{text}</li><p>{text}<h2>More</h2><p>{text}"
        page = view(f"<title>How the river shaped towns</title><body>{body}")
        assert measure_feature(page, "headline_text_words") == found


def test_question_marks_as_wide_as_a_character_count_too() -> None:
    page = view("<p>one? two three four?? five six seven<p>甚麼？ eight nine")
    words = measure_feature(page, "word_count")
    assert measure_feature(page, "question_rate") == pytest.approx(1000 * 4 / words)
