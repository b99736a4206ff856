"""How a page's running text is divided: one run of paragraphs, or records."""

import math

import pytest

from webclean.classify.classification import PAGE_FEATURES, view_page
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules

SENTENCE = "The lock was dug by hand, and the water came in the spring of the year after that."
POST = "<div class=post><p>{name}</p><p>{text}</p></div>"
TEASER = "<div class=teaser><h3><a href=/{name}>How the lock was dug by hand</a></h3><p>{text}</p></div>"


def measure(name: str, body: str, title: str = "") -> float:
    page = view_page(build_columns(parse_page(f"<title>{title}</title><body>{body}")), load_rules().page_type)
    return PAGE_FEATURES.find(name).compute(page)


def repeat(form: str, n: int, text: str = SENTENCE) -> str:
    return "".join(form.format(name=f"name{i}", text=text) for i in range(n))


def test_equal_posts_count_in_full_and_share_all_the_text() -> None:
    body = f"<div>{repeat(POST, 4)}</div>"
    assert measure("record_count", body) == pytest.approx(4)
    assert measure("record_share", body) == pytest.approx(3 / 4)


def test_an_article_beside_boxes_of_its_class_is_hardly_more_than_one_record() -> None:
    body = f"<div>{POST.format(name='a', text=SENTENCE * 20)}{repeat(POST, 2)}</div>"
    assert 1 < measure("record_count", body) < 1.3
    assert measure("record_share", body) < 0.25


def test_the_group_that_holds_more_of_the_text_is_the_one_of_the_records() -> None:
    posts, teasers = repeat(POST, 4, " ".join([SENTENCE] * 3)), repeat(POST.replace("post", "teaser"), 3)
    assert measure("record_count", f"<div>{posts}</div><div>{teasers}</div>") == pytest.approx(4)
    assert measure("record_share", f"<div>{posts}</div><div>{teasers}</div>") == pytest.approx(12 / 15 * 3 / 4)


@pytest.mark.parametrize(
    "body",
    [
        f"<p>{SENTENCE}</p>" * 5,  # paragraphs of one block are no records
        f"<div>{repeat(POST, 2)}</div>",  # two are no list
        f"<div>{repeat(POST, 4, 'Short')}</div>",  # no running text
        "",
    ],
)
def test_pages_without_records(body: str) -> None:
    assert measure("record_count", body) == 0
    assert measure("record_share", body) == 0
    assert math.isnan(measure("record_link_share", body))
    assert math.isnan(measure("record_titles", body))


def test_teasers_have_linked_titles_and_posts_have_none() -> None:
    assert measure("record_titles", f"<div>{repeat(TEASER, 4)}</div>") == 1
    assert measure("record_titles", f"<div>{repeat(POST, 4)}</div>") == 0
    mixed = f"<div>{repeat(TEASER, 3)}{repeat(TEASER.replace('<a href=/{name}>', ''), 1)}</div>"
    assert measure("record_titles", mixed) == 3 / 4
    short = repeat(POST.replace("<p>{name}</p>", "<p><a href=/x>one two</a></p>"), 3)
    assert measure("record_titles", f"<div>{short}</div>") == 0


def test_the_links_of_records_are_weighed_by_words() -> None:
    n_words, n_title = len(SENTENCE.split()), 7
    assert measure("record_link_share", f"<div>{repeat(TEASER, 4)}</div>") == pytest.approx(
        n_title / (n_title + n_words)
    )


@pytest.mark.parametrize(
    ("title", "body", "words"),
    [
        ("How the Lock Was Dug | Canal News", "<h1>How the lock was dug</h1><p>Canal News</p>", 5),
        ("How the lock was dug", "<h1><a href=/>How the lock was dug</a></h1>", 0),
        ("Canal News", "<h1>How the lock was dug</h1>", 0),
        ("", "<h1>How the lock was dug</h1>", 0),
        ("A lock", "<p>A</p>", 0),  # under four characters
        ("Dam news", "<p>Dam</p>", 0),
        ("Lock news", "<p>Lock</p>", 1),
    ],
)
def test_the_headline_is_told_by_the_title_element(title: str, body: str, words: float) -> None:
    assert measure("title_in_text", f"{body}<p>{SENTENCE}</p>", title) == words
