"""Title, by-line and site above the text."""

from __future__ import annotations

import pytest

from tests.outputs.phone.made_pages import URL, make_page, render_lines
from webclean.outputs.flow import Node
from webclean.outputs.flow.nodes import Head, read_text
from webclean.outputs.phone import Layout, render_phone
from webclean.outputs.phone.pieces import join_parts

HOST = f'<bdi><a href="{URL}">news.example.org</a></bdi>'
HEAD = Head("Two cranes", "Ada Lind", "2024-05-06T10:00", URL, "en")


def test_an_article_has_its_title_then_what_is_known_of_it() -> None:
    html = render_phone(make_page("<p>text</p>", Head("A & B", "Ada <Q>", "2024-05-06T10:00", URL, "en")))
    assert html.startswith('<!doctype html>\n<html lang="en">\n')
    assert "<title>A &amp; B</title>" in html
    meta = f'<p class="meta"><bdi>Ada &lt;Q&gt;</bdi> · <bdi>2024-05-06</bdi> · {HOST}</p>'
    lines = html.partition("<main>\n")[2].split("\n")
    assert lines[:6] == ["<header>", "<h1>A &amp; B</h1>", meta, "</header>", "<p>text</p>", "</main>"]


def test_what_is_not_known_is_not_shown() -> None:
    html = render_phone(make_page("<p>a</p>"))
    assert html.startswith("<!doctype html>\n<html>\n")
    assert render_lines(make_page("<p>a</p>")) == ["<p>a</p>"]
    assert render_lines(make_page("<p>a</p>", Head(url="javascript:x()"))) == ["<p>a</p>"]


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("<p>Home of news</p>", "<p>By Ada Lind, 6 May 2024</p>", ["<p class=\"meta\">By Ada Lind, 6 May 2024</p>"]),
        ("<p>May 6, 2024</p>", "", ["<p class=\"meta\">May 6, 2024</p>"]),
        ("", "<p>by <b>ADA  LIND</b></p>", ["<p class=\"meta\">by <strong>ADA LIND</strong></p>"]),
    ],
)  # fmt: skip
def test_the_title_comes_first_and_a_by_line_once(before: str, after: str, shown: list[str]) -> None:
    html = render_phone(make_page(f"{before}<h2>two  <i>cranes</i></h2>{after}<p>They came.</p>", HEAD))
    lines = html.partition("<main>\n")[2].partition("\n</main>")[0].split("\n")
    assert lines[:3] == ["<header>", "<h1>two <em>cranes</em></h1>", *shown]
    known = html.partition("<header>")[2].partition("</header>")[0].casefold()
    assert known.count("ada lind") == 1
    assert sum(known.count(day) for day in ("6 may 2024", "may 6, 2024", "2024-05-06")) == 1
    assert lines[-1] == "<p>They came.</p>"
    assert ("<p>Home of news</p>" in lines) == bool(before and "Home" in before)


def test_icons_of_a_by_line_are_left_out() -> None:
    page = make_page("<h1>Cranes</h1><p><img src=/clock.png><a href=/ada><img src=/a.png> Ada</a>, 6 May 2024</p><p>a",
                     Head("Cranes", "Ada", "2024-05-06"))  # fmt: skip
    lines = render_lines(page)
    assert '<p class="meta"><a href="https://news.example.org/ada"> Ada</a>, 6 May 2024</p>' in lines
    assert "<img" not in render_phone(page)


def test_what_is_said_of_a_name_and_a_colon_follows_it() -> None:
    parts = [Node("bdi", {}, [text]) for text in ("new", "Weight: ", "2 kg", "重さ：", "9", "red")]
    assert read_text(join_parts(parts)) == "new · Weight:  2 kg · 重さ： 9 · red"


def test_a_sentence_about_the_author_is_no_by_line() -> None:
    sentence = "Ada Lind, who lives by the harbour and has counted birds for forty years, was there when they came."
    lines = render_lines(make_page(f"<h1>Two cranes</h1><p>{sentence}</p>", HEAD))
    assert lines[-1] == f"<p>{sentence}</p>"
    assert "<bdi>Ada Lind</bdi>" in lines[2]


def test_a_heading_far_below_is_not_taken_for_the_title() -> None:
    far = "<p>word</p>" * 20
    lines = render_lines(make_page(f"{far}<h2>Two cranes</h2><p>more</p>", HEAD))
    assert lines[1] == "<h1>Two cranes</h1>"
    assert lines[-2:] == ['<h2 id="h1">Two cranes</h2>', "<p>more</p>"]


def test_a_product_has_no_author() -> None:
    lines = render_lines(make_page("<p>A lamp by Ada Lind.</p>", HEAD, Layout.PRODUCT))
    assert "<p>A lamp by Ada Lind.</p>" in lines
    assert lines[2] == f'<p class="meta">{HOST}</p>'


def test_a_line_that_is_the_title_is_not_said_twice() -> None:
    lines = render_lines(make_page("<p>Home</p><p><b>Two Cranes</b></p><p>They came.</p>", HEAD))
    assert lines[1] == "<h1><strong>Two Cranes</strong></h1>"
    assert "".join(lines).count("ranes") == 1
    both = render_lines(make_page("<p>Two cranes</p><h2>Two cranes</h2><p>They came.</p>", HEAD))
    assert "<p>Two cranes</p>" in both
