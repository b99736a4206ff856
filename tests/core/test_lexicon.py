"""Words of names as they are written, found in a table of hashes."""

from __future__ import annotations

from webclean import core
from webclean.parse import parse_page
from webclean.parse.columns import list_words


def test_words_of_names_are_found_whole_and_in_their_case() -> None:
    known = core.NameSet(["wp-block", "Theme x", "名"])
    assert known.find(["div wp-block wp-block-2", "a\xa0Theme", "theme 名", "", " x\n"]) == {
        "wp-block", "Theme", "名", "x",
    }  # fmt: skip
    assert "x" in known
    assert "wp" not in known
    assert "" not in known


def test_a_set_of_more_words_than_it_had_room_for_finds_all_of_them() -> None:
    words = [f"name-{number}" for number in range(5000)]
    known = core.NameSet([" ".join(words)])
    assert known.find(words) == set(words)
    assert known.find([f"{word}x" for word in words]) == set()


def test_the_words_of_an_attribute_are_those_of_all_its_values() -> None:
    document = parse_page('<p class="a b">1<p class="b &amp; c&nbsp;d">2<p class="">3<p id=e>4')
    words = list_words(document, "class")
    assert [name for name in ("a", "b", "&", "c", "d", "e", "&amp;") if name in words] == ["a", "b", "&", "c", "d"]
    assert "a" not in list_words(document, "title")
