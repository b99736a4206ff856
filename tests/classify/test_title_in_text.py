"""The text block that the title element contains."""

import pytest

from webclean.classify.classification import PAGE_FEATURES, view_page
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules

SENTENCE = "The lock was dug by hand, and the water came in the spring of the year after that."


def measure(name: str, body: str, title: str = "") -> float:
    page = view_page(build_columns(parse_page(f"<title>{title}</title><body>{body}")), load_rules().page_type)
    return PAGE_FEATURES.find(name).compute(page)


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
