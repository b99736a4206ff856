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


def test_a_long_text_is_named_by_its_first_and_last_words() -> None:
    (found,) = list_directives(section(f"{WORDS}."))
    assert found == "The gauge at the,by the harbour master."


def test_a_short_text_is_quoted_as_a_whole() -> None:
    assert list_directives(section("Ten words are quoted as they are in the text"))[0] == (
        "Ten words are quoted as they are in the text"
    )
    eleven = list_directives(section("Eleven words are not quoted as they are in the text"))[0]
    assert eleven == "Eleven words are not,are in the text"


def test_a_start_gets_the_words_that_tell_it_from_a_place_before() -> None:
    other = "<footer><p>The gauge at the south quay is new and read by nobody now.</p></footer>"
    page = section(f"{WORDS} of the town.") + other
    first, second = list_directives(page)
    assert first == "The gauge at the,master of the town."
    assert second == "The gauge at the south,read by nobody now."


def test_equal_texts_are_told_apart_by_the_words_before() -> None:
    page = section("Low water", "See the tide tables of this week") + (
        "<footer><h2>High water</h2></footer><aside><p>See the tide tables of this week</p></aside>"
    )
    assert list_directives(page)[-1] == "High water-,See the tide tables of this week"


def test_marks_that_mean_something_in_a_directive_are_escaped() -> None:
    page = webclean.clean(section("Salt-marsh, sand & sea"))
    assert page.blocks[0].fragment == "#:~:text=Salt%2Dmarsh%2C%20sand%20%26%20sea"


def test_words_that_touch_are_no_part_of_a_phrase() -> None:
    page = section('Tides of the bay<span class="a">Updated</span><span class="b">Today</span> by the harbour master')
    assert list_directives(page)[0] == "Tides of the,by the harbour master"


def test_hidden_text_is_no_part_of_a_directive() -> None:
    hidden = '<p style="display: none">See the tide tables of this week</p>'
    page = hidden + section("See the tide tables of this week")
    assert "See the tide tables of this week" in list_directives(page)
    only_hidden = webclean.clean(f"<div hidden>{section(WORDS)}</div>")
    assert {block.fragment for block in only_hidden.blocks} <= {""}


def test_text_without_spaces_is_cut_at_its_punctuation() -> None:
    texts = [f"第{n}回の調査は港の北側で行われ、結果は来月に公表される見込みです。" for n in range(1, 8)]
    assert list_directives(section("".join(texts)))[0].startswith("第1回の調査は港の北側で行われ、")
    assert list_directives(section("".join(texts)))[0].endswith("結果は来月に公表される見込みです。")


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*/*/input.html"))[::6], ids=lambda path: path.parent.name)
def test_a_phrase_of_each_block_is_text_of_the_page(path: Path) -> None:
    page = webclean.clean(path.read_bytes())
    text = " ".join(" ".join(page.analysis.columns.blocks.text).split())
    for block in page.blocks:
        assert bool(block.fragment) <= bool(block.text)
        parts = block.fragment.removeprefix("#:~:text=").split(",")
        for part in parts:
            assert unquote(part.removesuffix("-")) in text
        start = next(part for part in parts if not part.endswith("-"))
        assert unquote(start) in " ".join(block.text.split())


def test_links_are_in_rows_dictionaries_and_copies() -> None:
    page = webclean.clean(section(WORDS), url="https://example.org/tides#top")
    wanted = "#:~:text=The%20gauge%20at%20the,by%20the%20harbour%20master"
    assert page.blocks[0].fragment == wanted
    assert page.to_dict()["blocks"][0]["fragment"] == wanted
    assert page.block_rows()[0]["fragment"] == wanted
    assert page.search_rows()[0]["link"] == f"https://example.org/tides{wanted}"
    assert pickle.loads(pickle.dumps(page.blocks[0])).fragment == wanted
