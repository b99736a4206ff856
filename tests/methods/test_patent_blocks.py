"""Semantic blocks of the patent (A4) from the structure-block tree, each signal on a page of its own."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.blocks.markup import MARKUP, SOUP
from tests.methods.patent_pages import make_page, name_rows, row_of
from webclean.methods.patent.blocks import StructuredPage, cut_semantic_blocks

URLS = ("http://news.qq.com/a/20080108/000688.htm", "http://news.qq.com/a/20080108/001413.htm")
OFF = {"visual": False, "url": False, "tags": False, "gain": False, "fragment_chars": 0}
REST = f"<div id=r><p>{'r' * 400}</p></div>"


def list_blocks(page: StructuredPage) -> list[list[str]]:
    return [name_rows(page, rows) for rows in cut_semantic_blocks(page).roots]


def test_leaves_are_blocks_where_no_signal_joins_them() -> None:
    page = make_page(f"<body><div id=w><div id=a>{'a' * 30}</div><div id=b>{'b' * 30}</div></div>{REST}", **OFF)
    assert list_blocks(page) == [["a"], ["b"], ["r"]]


def test_a_block_around_a_single_one_is_that_block() -> None:
    page = make_page(f"<body><div id=w>Own text<div id=v><div id=a>{'a' * 30}</div></div></div>{REST}", **OFF)
    assert list_blocks(page) == [["w"], ["r"]]


LINKS = [f"<div id={name}><a href={url}>{name * 30}</a></div>" for name, url in zip("ab", URLS, strict=True)]
MENU = "<div id=m><a href=/about>About us</a> <a href=/login>Log in</a></div>"


def test_a_part_joins_the_block_before_it() -> None:
    page = make_page(f"<body><div id=w>{MENU}{''.join(LINKS)}</div>{REST}", **OFF | {"url": True})
    assert list_blocks(page) == [["m"], ["a", "b"], ["r"]]


BASE = "<base href=http://news.qq.com/>"


def list_joined(*urls: str, base: str = "", **changes: float) -> list[list[str]]:
    """The blocks of a page with a list of single links, between a menu of the same host and the rest."""
    menu = "".join(f"<a href=http://news.qq.com/{name}>{name} us</a> " for name in ("about", "call", "join"))
    links = "".join(f"<div id={name}><a href={url}>{name * 30}</a></div>" for name, url in zip("ab", urls, strict=True))
    page = make_page(
        f"{base}<body><div id=w><div id=m>{menu}</div>{links}</div>{REST}", **OFF | {"url": True} | changes
    )
    return list_blocks(page)


def test_urls_with_a_common_centre_join_and_not_the_menu_of_the_same_host() -> None:
    assert list_joined(*URLS) == [["m"], ["a", "b"], ["r"]]
    assert list_joined(*URLS, url_overlap=1.0) == [["m"], ["a", "b"], ["r"]]
    assert list_joined(URLS[0], "http://news.qq.com/help.php") == [["m"], ["a"], ["b"], ["r"]]


def test_relative_and_absolute_urls_of_one_list_are_alike() -> None:
    relative = "/a/20080108/001413.htm"
    assert list_joined(URLS[0], relative, base=BASE, url_overlap=1.0) == [["m"], ["a", "b"], ["r"]]


@pytest.mark.parametrize(
    ("inner", "on", "joined"),
    [
        (LINKS[0] + MENU, {"url": True}, False),
        ("<div id=a><h4>x</h4><p>y</p></div><div id=b><h4>x</h4><p>z</p></div>", {"tags": True}, True),
        ("<div id=a><h4>x</h4><p>y</p></div><div id=b><p>x</p><h4>z</h4></div>", {"tags": True}, False),
        ("<div id=a><p>x</p><p>x</p></div><div id=b><p>y</p><p>y</p><p>y</p></div>", {"tags": True}, True),
        (f"<div id=a>{'a' * 63}</div><div id=b>{'b' * 37}</div>", {"gain": True}, True),  # .63 of the text around
        (f"<div id=a>{'a' * 65}</div><div id=b>{'b' * 35}</div>", {"gain": True}, False),
        (f"<div id=a>{'a' * 50}</div><div id=b><a href=/>{'b' * 50}</a></div>", {"gain": True}, False),
        (f"<div id=a>{'a' * 50}</div><div id=b>{'b' * 19}</div>", {"fragment_chars": 20}, True),
        (f"<div id=a>{'a' * 50}</div><div id=b>{'b' * 20}</div>", {"fragment_chars": 20}, False),
        (f"<div id=a><b>{'a' * 20}</b></div><div id=b>{'b' * 90}</div>", {"visual": True}, True),
        (f"<div id=a>{'a' * 20}</div><div id=b>{'b' * 90}</div>", {"visual": True}, False),
    ],
)
def test_a_signal_joins_neighbours(inner: str, on: dict[str, bool | float], joined: bool) -> None:
    page = make_page(f"<body><div id=w>{inner}</div>{REST}", **OFF | on)
    assert (list_blocks(page) == [["w"], ["r"]]) == joined
    assert list_blocks(page)[-1] == ["r"]


@pytest.mark.parametrize(
    ("style", "text", "joined"),
    [("", "plain", True), ("style='color: red'", "plain", False), ("", "<h3>Heading</h3>", False)],
)
def test_a_heading_or_a_change_of_looks_parts_neighbours_that_are_alike(style: str, text: str, joined: bool) -> None:
    inner = f"<div id=a>{'a' * 30}</div><div id=b {style}>{text}{'b' * 30}</div>"
    page = make_page(f"<body><div id=w>{inner}</div>{REST}")
    assert (["w"] in list_blocks(page)) == joined


def test_what_holds_most_of_the_page_is_cut_and_its_like_parts_are_one_block() -> None:
    parts = "".join(f"<div id=d{i}><p>{'x' * 40}</p><p>y</p></div>" for i in range(3))
    page = make_page(f"<body><div id=w>{parts}</div><div id=r>{'r' * 100}</div>", gain=False, url=False)
    assert list_blocks(page) == [["d0", "d1", "d2"], ["r"]]
    assert cut_semantic_blocks(page).why[0] == "merged: the same sequence of tags"
    # 123 of 223 characters are more than half of the page; with two further ones in the rest they are not
    longer = make_page(f"<body><div id=w>{parts}</div><div id=r>{'r' * 123}</div>", gain=False, url=False)
    assert list_blocks(longer) == [["w"], ["r"]]


def test_text_directly_inside_what_is_cut_is_a_block_around_the_others() -> None:
    page = make_page(f"<body id=p>Own<div id=a>{'a' * 30}</div><div id=b>{'b' * 30}</div>", **OFF)
    found = cut_semantic_blocks(page)
    assert list_blocks(page) == [["p"], ["a"], ["b"]]
    assert found.parent == (-1, 0, 0)
    assert found.why[0] == "text directly inside an element that was cut"


def check(markup: str) -> None:
    page = make_page(markup)
    found = cut_semantic_blocks(page)
    assert (found.owner[page.columns.row] >= 0).all()
    assert list(found.roots) == sorted(set(found.roots))


@given(MARKUP)
def test_every_text_is_in_a_block(markup: str) -> None:
    check(markup)


@given(SOUP)
def test_every_text_of_broken_markup_is_in_a_block(markup: str) -> None:
    check(markup)


@pytest.mark.parametrize(
    ("second", "on", "joined"),
    [
        ("<h4>x</h4><p>z</p>", {}, True),
        ("<h4>x</h4><p>z</p>", {"tags": False}, False),
        ("<h4>x</h4><p>z</p><p>z</p>", {}, False),
        (f"<h4>x</h4><p>{'z' * 149}</p>", {}, False),  # 150 characters are a text of its own
        (f"<h4>x</h4><p>{'z' * 148}</p>", {}, True),
        ("<h4>x</h4><p>" + "".join(f"<a href=/{i}></a>" for i in range(3)), {}, False),
    ],
)
def test_short_entries_of_a_list_join_though_each_has_a_heading(second: str, on: dict[str, bool], joined: bool) -> None:
    page = make_page(
        f"<body><div id=w><div id=a><h4>x</h4><p>{'y' * 60}</p></div><div id=b>{second}</div></div>{REST}",
        fragment_chars=0,
        **on,
    )
    assert (["w"] in list_blocks(page)) == joined


def test_hidden_text_before_a_heading_is_passed_over() -> None:
    page = make_page(
        "<body><div id=a><p hidden>x</p><h2>Tides</h2><p>y</p></div><div id=b><p hidden>x</p>z</div><h2>w</h2>"
    )
    assert page.starts_with_heading(row_of(page, "a"))
    assert not page.starts_with_heading(row_of(page, "b"))
