"""The registry of features: documented, finite on any page, comparable between scripts."""

from __future__ import annotations

import numpy as np
import pytest

from webclean.features import BLOCK_FEATURES, measure
from webclean.parse import parse_page
from webclean.pipeline import build_columns
from webclean.rules import load_rules

PAGES = {
    "one word": "hello",
    "text only": "<p>One sentence here. Another one.</p>",
    "list of links": "<ul>" + "<li><a href=/a/b>Tea from Assam</a></li>" * 9 + "</ul>",
    "no words": "<div><p>—</p><p>…</p></div><ul><li><a href=/a>»</a><li><a href=/b>*</a></ul><p>·</p>",
    "deep": "<div>" * 300 + "deep" + "</div>" * 300,
    "headings": "<h1>Tea</h1><h2>Related</h2><h3>Assam</h3><p>$5.20 a cup ©2024</p>",
}


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_every_feature_is_finite_on_any_page(html: str) -> None:
    columns = build_columns(parse_page(html, url="https://example.com/a/b"))
    for name in BLOCK_FEATURES:
        values = measure(columns, name)
        assert values.shape == (len(columns.blocks),), name
        assert np.isfinite(values).all(), name


def test_lengths_compare_across_scripts() -> None:
    chinese = build_columns(parse_page("<p>河流发源于山中，蜿蜒流向大海，沿途经过十一座城镇。</p>"))
    english = build_columns(parse_page("<p>The river rises in the hills and winds down to the sea past towns.</p>"))
    ratio = measure(chinese, "n_words")[0] / measure(english, "n_words")[0]
    assert 0.7 < ratio < 1.4


def test_blocks_since_a_heading_are_counted_up_to_98() -> None:
    columns = build_columns(parse_page("<p>a</p><h2>b</h2>" + "<p>c</p>" * 120))
    assert measure(columns, "from_heading").tolist() == [99, *range(99), *[98] * 22]


def test_names_of_the_root_count_for_what_is_near_it_and_those_of_the_head_never() -> None:
    page = "<html{}><head{}><title>River</title></head><body><p>River"
    root, head, none = (
        measure(build_columns(parse_page(page.format(*names))), "near_name_points")[0]
        for names in ((" class=menu", ""), ("", " class=menu"), ("", ""))
    )
    assert root != none == head


def test_names_are_whole_words() -> None:
    html = "<div class=padding><p>Tea</p></div><div class=sidebar-ad><p>Buy</p></div>"
    columns = build_columns(parse_page(html), load_rules())
    inside, beside = measure(columns, "near_name_points")
    assert inside > beside


@pytest.mark.parametrize("name", ["box{}", "post-{} post", "same", "wide\n box_{}"])
def test_members_of_a_list_that_the_template_numbers_are_alike(name: str) -> None:
    members = "".join(f"<div class='{name.format(i)}'><p>Tea is poured.</p></div>" for i in (8, 19, 207))
    columns = build_columns(parse_page(f"<h1>Tea</h1>{members}<div class=box-a><p>Milk is poured.</p></div>"))
    assert measure(columns, "n_same_path").tolist() == [1, 3, 3, 3, 1]
    assert measure(columns, "sibling_blocks").tolist() == [0, 1, 1, 1, 0]


@pytest.mark.parametrize("name", ["q{}", "col-md-{}", "a{}b", "box-{}x"])
def test_other_digits_tell_things_apart(name: str) -> None:
    members = "".join(f"<div class='{name.format(i)}'><p>Tea is poured.</p></div>" for i in (8, 19, 207))
    assert measure(build_columns(parse_page(members)), "n_same_path").tolist() == [1, 1, 1]


def test_an_icon_that_is_not_closed_hides_nothing() -> None:
    """The parser opens it anew around all blocks that follow."""
    icon = build_columns(
        parse_page("<p>a<i aria-hidden=true /></p><div><p>b</p></div><div aria-hidden=true><p>c</p></div>")
    )
    assert measure(icon, "hidden_state").tolist() == [0, 0, 2]
