"""Features: documented, finite on any page, comparable between scripts; the headline; places beside the main text."""

import numpy as np
import pytest

from tests import read_columns
from webclean.features import BLOCK_FEATURES, PageColumns, measure
from webclean.features.block_features import find_headline
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


TITLE = "<title>Floods in  the old\ntown - The Courier</title>"


def read_headline(page: str) -> str | None:
    columns = read_columns(page)
    found = find_headline(columns)
    return None if found < 0 else f"{columns.document.names[columns.row[found]]}:{columns.blocks.text[found]}"


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (f"{TITLE}<h1>Daily paper</h1><div>Floods in the old town</div><p>Text.</p>", "div:Floods in the old town"),
        (f"{TITLE}<p>floods in the OLD town</p><h3>Floods in the old town</h3>", "h3:Floods in the old town"),
        (f"{TITLE}<h2>Floods in the old</h2><p>Text.</p><h4>Floods in the old town</h4>", "h4:Floods in the old town"),
        (f"{TITLE}<div>Floods in the old town</div><p>Floods in the old town</p>", "div:Floods in the old town"),
        (f"{TITLE}<h1>Daily</h1><li><a href=/a>Floods in the old town</a>", "h1:Daily"),
        (f"{TITLE}<h1>Daily</h1><h2><a href=/a>Floods in the old town</a></h2>", "h2:Floods in the old town"),
        (f"{TITLE}<h1>Daily</h1><div hidden>Floods in the old town</div>", "h1:Daily"),
        (f"{TITLE}<h1>Daily</h1><p>the old</p>", "h1:Daily"),
        ("<title>旧城发生洪水 - 信使报</title><h1>信使报</h1><div>旧城发生洪水</div>", "div:旧城发生洪水"),
        ("<title>Tea - The Courier</title><h1>Daily</h1><p>Tea</p><p>Courier</p>", "h1:Daily"),
    ],
)
def test_the_headline_is_the_line_that_the_title_contains(page: str, expected: str) -> None:
    assert read_headline(page) == expected


def test_else_it_is_the_first_h1() -> None:
    assert read_headline("<h2>News</h2><h1>Daily</h1><h1>Weekly</h1>") == "h1:Daily"
    assert read_headline("<h2>Daily</h2>") is None
    assert read_headline(f"<h1>{'long ' * 50}</h1>") is None


SENTENCE = "The river rises in the hills, and it takes a long way down to the sea."
PAGE = f"""<div id=page><h1>On rivers</h1>
<div id=text><p>{SENTENCE}</p><p>{SENTENCE} It is slow.</p><ul><li>Salmon</li></ul></div>
<aside><p>{SENTENCE}</p></aside></div>"""


@pytest.fixture
def columns() -> PageColumns:
    return read_columns(PAGE)


@pytest.mark.parametrize(
    ("name", "values"),
    [  # heading, two paragraphs, list item, teaser
        ("levels_above_main_text", [1, 0, 0, 0, 1]),
        ("levels_below_main_text", [1, 1, 1, 2, 2]),
        ("before_main_text", [1, 0, 0, 0, 0]),
        ("after_main_text", [0, 0, 0, 1, 2]),
        ("path_in_main_text", [0, 1, 1, 1, 0]),
        ("path_prose_share", [0, 1, 1, 0, 1]),
    ],
)
def test_places_are_counted_from_the_element_with_most_paragraphs(
    columns: PageColumns, name: str, values: list[float]
) -> None:
    assert measure(columns, name).tolist() == values


def test_shares_are_of_the_running_text(columns: PageColumns) -> None:
    n_words = [16, 19, 16]
    inside = sum(n_words[:2]) / sum(n_words)
    assert measure(columns, "siblings_prose_share") == pytest.approx([0, inside, inside, 0, 1 - inside])
    assert measure(columns, "parent_prose_share") == pytest.approx([1, inside, inside, 0, 1 - inside])
    assert measure(columns, "main_text_container_share")[1] < measure(columns, "main_text_container_share")[4] == 1


@pytest.mark.parametrize("html", ["", "<p>Home</p>"])
def test_pages_without_running_text_are_measured(html: str) -> None:
    columns = read_columns(html)
    for name in ("parent_prose_share", "levels_above_main_text", "after_main_text", "path_prose_share"):
        assert len(measure(columns, name)) == len(columns.blocks)


def test_the_highest_link_density_stops_below_half_the_page() -> None:
    menu = "".join(f"<li><a href=/{i}>Page {i}</a></li>" for i in range(3))
    columns = read_columns(f"<div><ul>{menu}<li>and more</li></ul><p>{SENTENCE} {SENTENCE}</p></div>")
    found = measure(columns, "highest_link_density")
    assert found[0] == 1.0
    assert found[3] == pytest.approx(6 / 8)
    assert found[4] == 0.0


def test_labels_are_the_same_in_whatever_case() -> None:
    texts = ("Read more", "READ MORE", "Read  on", "ΟΔΟΣ", "οδος")
    columns = read_columns("".join(f"<p>{text}</p>" for text in texts))
    assert measure(columns, "n_same_text").tolist() == [2, 2, 1, 2, 2]
