"""Where blocks stand beside the main text."""

from __future__ import annotations

import pytest

from webclean.blocks.text_blocks import find_text_blocks
from webclean.features import PageColumns, measure
from webclean.parse import parse_page

SENTENCE = "The river rises in the hills, and it takes a long way down to the sea."
PAGE = f"""<div id=page><h1>On rivers</h1>
<div id=text><p>{SENTENCE}</p><p>{SENTENCE} It is slow.</p><ul><li>Salmon</li></ul></div>
<aside><p>{SENTENCE}</p></aside></div>"""


@pytest.fixture
def columns() -> PageColumns:
    document = parse_page(PAGE)
    return PageColumns(document, find_text_blocks(document))


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
    document = parse_page(html)
    columns = PageColumns(document, find_text_blocks(document))
    for name in ("parent_prose_share", "levels_above_main_text", "after_main_text", "path_prose_share"):
        assert len(measure(columns, name)) == len(columns.blocks)


def test_the_highest_link_density_stops_below_half_the_page() -> None:
    menu = "".join(f"<li><a href=/{i}>Page {i}</a></li>" for i in range(3))
    document = parse_page(f"<div><ul>{menu}<li>and more</li></ul><p>{SENTENCE} {SENTENCE}</p></div>")
    columns = PageColumns(document, find_text_blocks(document))
    found = measure(columns, "highest_link_density")
    assert found[0] == 1.0
    assert found[3] == pytest.approx(6 / 8)
    assert found[4] == 0.0
