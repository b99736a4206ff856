"""What the address of a page tells of it, given or stated by the page."""

import math

import numpy as np
import pytest

import webclean
from webclean.classify.classification import measure_address
from webclean.features.block_features import find_links
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules


@pytest.mark.parametrize(
    ("url", "steps", "words", "is_plural"),
    [
        ("https://a.example/news/two-red-shoes.html", 2, 3, 1),
        ("https://a.example/news/glass?page=2", 2, 1, 0),
        ("https://a.example/show.asp?id=12", math.nan, math.nan, math.nan),
        ("https://a.example/de/index.php?seite=schuhe", math.nan, math.nan, math.nan),
        ("https://a.example/index.php", 1, 1, 0),
        ("", math.nan, math.nan, math.nan),
    ],
)
def test_the_address_of_a_program_with_a_query_has_no_step_that_names_the_page(
    url: str, steps: float, words: float, is_plural: float
) -> None:
    found = measure_address(url)
    np.testing.assert_equal((found[0], *found[2:]), (steps, words, is_plural))


def test_the_links_of_a_page_are_its_own_by_the_address_that_it_states() -> None:
    host = "https://news.example"
    stories = "".join(
        f"<li><h3><a href={host}/{n}/{word}-takes-the-bridge>The {word} takes the old bridge at noon</a></h3>"
        f"<p>What the {word} did next, told in a line or two.</p>"
        for n, word in enumerate("miller baker weaver tanner cooper potter tailor joiner".split())  # noqa: SIM905
    )
    html = f"<!doctype html><html><head><title>News</title>%s</head><body><h1>News</h1><ul>{stories}</ul></body></html>"
    known = find_links(build_columns(parse_page(html % "", url=f"{host}/"), load_rules()))
    stated = find_links(build_columns(parse_page(html % f"<link rel=canonical href={host}/>"), load_rules()))
    other = find_links(build_columns(parse_page(html % "<link rel=canonical href=https://b.example/>"), load_rules()))
    assert stated.kind.tolist() == known.kind.tolist() != other.kind.tolist()
    cleaned = webclean.clean(html % f"<link rel=canonical href={host}/>")
    assert cleaned.page_type == webclean.clean(html % "", url=f"{host}/").page_type
