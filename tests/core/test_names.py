"""What the names of elements tell, of pages small enough to say by hand; words of names in a table of hashes."""

from collections.abc import Callable
from typing import Any

import pytest

from webclean.features import PageColumns
from webclean.features.page_words import (
    WORDS,
    find_names,
    find_numbered_alike,
    read_names,
    score_names,
    score_texts,
)
from webclean.features.words import CompiledWordPoints
from webclean.parse import parse_page
from webclean.parse.columns import list_classes
from webclean.pipeline import build_columns

LIST = "<ul><li class=post-1>tea</li><li class='post-2 wide'>a b</li><li class=post-3 id=x>a b c</li></ul><p>end</p>"


def build(body: str) -> PageColumns:
    return build_columns(parse_page(f"<html><head></head><body>{body}</body></html>"))


def read_repeats(markup: str) -> Callable[[str], Any]:
    """What views the columns of repeated elements of a page."""
    columns = build(markup)
    read_names(columns)
    view: Callable[[str], Any] = columns.document.page.view
    return view


def test_names_of_tag_and_class_come_before_those_with_more() -> None:
    columns = build(LIST)
    names = find_names(columns)
    assert names.names == ["", "html", "body", "ul", "li post-1", "li post-2 wide", "li post-3", "p", "li post-3 x"]
    assert names.n_classes == 8
    assert names.index.tolist() == [1, 0, 2, 3, 4, 5, 8, 7]  # the head has no words
    assert names.classes.tolist() == [1, 0, 2, 3, 4, 5, 6, 7]


def test_siblings_are_alike_but_for_the_numbers_of_their_classes() -> None:
    alike = find_numbered_alike(build(LIST)).tolist()
    assert alike[4] == alike[6] != alike[5]
    alike = find_numbered_alike(build("<p class=q3>a</p><p class=q4>b</p>")).tolist()
    assert alike[2] != alike[3]


def test_three_siblings_alike_are_a_group() -> None:
    items = "<div class=item-1>tea</div><div class=item-2>tea cup</div><div class=item-3><p>tea cup pot</p></div>"
    view = read_repeats(f"<section>{items}</section><p>tea</p>")
    assert view("group").tolist() == [-1, -1, -1, -1, 3, 3, 3, -1, -1]
    size, words, spread, path = map(view, ("group_size", "group_words", "group_spread", "path"))
    assert (size[3], words[3]) == (3.0, 6.0)
    assert spread[3] == pytest.approx((2 / 3) ** 0.5 / 2)
    assert view("item").tolist() == [4, 5, 6, -1]
    assert path[0] == path[1] != path[2]
    assert (size[-1], words[-1], spread[-1]) == (0.0, 0.0, 0.0)


def test_a_group_in_a_group_is_the_innermost_and_that_around_it_the_outermost() -> None:
    inner = "<ul><li>a</li><li>b</li><li>c</li></ul>"
    view = read_repeats(f"<div>{inner}</div>" * 3)
    assert [a != b for a, b in zip(view("item"), view("outer"), strict=True)] == [True] * 9
    assert len(set(view("outer").tolist())) == 3


def test_points_of_the_words_of_a_name_count_once() -> None:
    columns = build("<div class='adBox ad nav'><p class=tea-time>x</p></div>")
    points = CompiledWordPoints(names={"ad": -0.5, "nav": -0.25, "p": 1.0})
    names, found = find_names(columns).names, score_names(columns, points)[0]
    assert dict(zip(names, found.tolist(), strict=True)) == {
        "": 0.0, "html": 0.0, "body": 0.0, "div adBox ad nav": -0.75, "p tea-time": 1.0
    }  # fmt: skip
    assert read_names(columns).take()[0].tolist() == [1, 2, 3, 3, 3, 3, 3, 4, 4, 4]


def test_points_of_a_text_are_those_of_its_words_and_of_each_concept_once() -> None:
    points = CompiledWordPoints(
        words={"more": -1.0, "news": -0.5}, concepts={"more": {"en": "more", "fr": "plus de, encore"}}
    )
    texts = ["more more news", "plus de thé, encore", "Plus de", "deplus", "x " * 40 + "news", "x " * 70 + "plus de"]
    found = score_texts(build("".join(f"<p>{text}</p>" for text in texts)), points)[WORDS]
    assert found.tolist() == [-1.5, -1.0, -1.0, 0.0, 0.0, 0.0]


def test_the_classes_of_a_page_are_those_of_all_its_elements() -> None:
    document = parse_page('<p class="a b">1<p class="b &amp; c&nbsp;d">2<p class="">3<p id=e>4')
    words = list_classes(document)
    assert [name for name in ("a", "b", "&", "c", "d", "e", "&amp;") if name in words] == ["a", "b", "&", "c", "d"]
