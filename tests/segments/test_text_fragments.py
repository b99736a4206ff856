"""Links to blocks: the directive finds its block and no place before it."""

import pickle
from pathlib import Path
from urllib.parse import unquote

import pytest

import webclean

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
WORDS = "The gauge at the north quay has been read every hour since the year 1904 by the harbour master"


def list_directives(body: str) -> list[str]:
    """The decoded directives of the blocks of a page, in reading order, each block one element of the body."""
    page = webclean.clean(f"<html><body>{body}</body></html>")
    return [unquote(block.fragment.removeprefix("#:~:text=")) for block in page.blocks]


def section(*texts: str) -> str:
    return "<section>" + "".join(f"<p>{text}</p>" for text in texts) + "</section>"


def test_a_text_is_named_by_its_first_words() -> None:
    assert list_directives(section(f"{WORDS}.")) == ["The gauge at the"]
    assert list_directives(section("Low water"))[0] == "Low water"


def test_a_start_gets_the_words_that_tell_it_from_a_place_before() -> None:
    other = "<footer><p>The gauge at the south quay is new and read by nobody now.</p></footer>"
    assert list_directives(section(f"{WORDS} of the town.") + other) == ["The gauge at the", "The gauge at the south"]


def test_a_block_that_begins_as_one_before_is_named_by_its_next_line() -> None:
    page = section("See the tide tables of this week", "High water is at noon")
    other = "<aside><p>See the tide tables of this week</p><p>Low water is at six</p></aside>"
    assert list_directives(page + other)[-1] == "Low water is at"
    again = "<aside><p>See the tide tables of this week</p></aside>"
    assert list_directives(page + again)[-1] == "See the tide tables"


def test_marks_that_mean_something_in_a_directive_are_escaped() -> None:
    page = webclean.clean(section("Salt-marsh, sand & sea"))
    assert page.blocks[0].fragment == "#:~:text=Salt%2Dmarsh%2C%20sand%20%26%20sea"


def test_words_that_touch_are_no_part_of_a_phrase() -> None:
    page = section('Tides bay<span class="a">Updated</span><span class="b">Today</span> by the harbour master')
    assert list_directives(page)[0] == "Tides"


def test_hidden_text_is_no_part_of_a_directive() -> None:
    hidden = '<p style="display: none">See the tide tables of this week</p>'
    page = hidden + section("See the tide tables of this week")
    assert "See the tide tables" in list_directives(page)
    only_hidden = webclean.clean(f"<div hidden>{section(WORDS)}</div>")
    assert {block.fragment for block in only_hidden.blocks} <= {""}


def test_text_without_spaces_is_cut_at_its_punctuation() -> None:
    texts = [f"第{n}回の調査は港の北側で行われ、結果は来月に公表される見込みです。" for n in range(1, 8)]
    assert list_directives(section("".join(texts)))[0].endswith("結果は来月に公表される見込みです。")


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*/*/input.html"))[::6], ids=lambda path: path.parent.name)
def test_a_phrase_of_each_block_is_text_of_the_page(path: Path) -> None:
    page = webclean.clean(path.read_bytes())
    for block in page.blocks:
        assert bool(block.fragment) <= bool(block.text)
        assert unquote(block.fragment.removeprefix("#:~:text=")) in " ".join(block.text.split())


def test_links_are_in_rows_dictionaries_and_copies() -> None:
    page = webclean.clean(section(WORDS), url="https://example.org/tides#top")
    wanted = "#:~:text=The%20gauge%20at%20the"
    assert page.blocks[0].fragment == wanted
    assert page.to_dict()["blocks"][0]["fragment"] == wanted
    assert page.block_rows()[0]["fragment"] == wanted
    assert page.search_rows()[0]["link"] == f"https://example.org/tides{wanted}"
    assert pickle.loads(pickle.dumps(page.blocks[0])).fragment == wanted
