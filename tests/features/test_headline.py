"""The line that shows a page's title."""

from __future__ import annotations

import pytest

from webclean.blocks.text_blocks import find_text_blocks
from webclean.features import PageColumns
from webclean.features.block_features import find_headline
from webclean.parse import parse_page

TITLE = "<title>Floods in  the old\ntown - The Courier</title>"


def read_headline(page: str) -> str | None:
    document = parse_page(page)
    columns = PageColumns(document, find_text_blocks(document))
    found = find_headline(columns)
    return None if found < 0 else f"{document.names[columns.row[found]]}:{columns.blocks.text[found]}"


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


def test_the_name_of_a_book_is_the_headline_and_not_its_author_below() -> None:
    title = "<title>Cross Country by James Patterson : Books</title>"
    assert read_headline(f"{title}<h2>Cross Country (Hardcover)</h2><h3>by James Patterson</h3>") == (
        "h2:Cross Country (Hardcover)"
    )
    assert read_headline(f"{title}<h2>Customers of ours</h2><h3>by James Patterson</h3>") == "h3:by James Patterson"
    some = "<h2>Country readers also bought these</h2><h3>by James Patterson</h3>"
    assert read_headline(title + some) == "h3:by James Patterson"
    assert read_headline(f"{title}<h3>Cross Country (Hardcover)</h3><h3>by James Patterson</h3>") == (
        "h3:by James Patterson"
    )


def test_else_it_is_the_heading_that_shares_most_words_with_the_title() -> None:
    title = "<title>On rivers of the north - Daily</title>"
    heads = "<h1>Daily paper</h1><h2>More news</h2><h2>Rivers of the far north</h2><h2>North</h2>"
    assert read_headline(title + heads) == "h2:Rivers of the far north"
    assert read_headline(f"{title}<h1>Daily paper</h1><h2>Rivers and their many long bridges</h2>") == "h1:Daily paper"


def test_else_it_is_the_first_h1() -> None:
    assert read_headline("<h2>News</h2><h1>Daily</h1><h1>Weekly</h1>") == "h1:Daily"
    assert read_headline("<h2>Daily</h2>") is None
    assert read_headline(f"<h1>{'long ' * 50}</h1>") is None
