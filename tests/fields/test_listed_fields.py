"""Fields that are the first of several statements, and lists of them."""

from __future__ import annotations

import pytest

from tests.fields.pages import read_fields
from webclean.blocks.text_blocks import find_text_blocks
from webclean.features import PageColumns
from webclean.fields.declared import rank_values
from webclean.fields.statements import PageStatements
from webclean.model import Alternate, FieldValue
from webclean.parse import parse_page

HOST = "https://www.example.com"


def json_ld(text: str) -> str:
    return f"<script type=application/ld+json>{text}</script>"


def make_statements(markup: str, url: str | None = f"{HOST}/a/page") -> PageStatements:
    document = parse_page(markup, url=url)
    return PageStatements(PageColumns(document, find_text_blocks(document)))


@pytest.mark.parametrize(
    ("found", "value"),
    [
        ([], FieldValue(None)),
        ([(" ", "x")], FieldValue(None)),
        ([(" a  b ", "x")], FieldValue("a b", "x", 0.6)),
        ([("a", "x"), ("b", "y"), ("a", "z")], FieldValue("a", "x", 0.8, (("b", "y"),))),
        ([("a", "x"), ("a", "y"), ("a", "z")], FieldValue("a", "x", 0.9)),
        ([(str(at), "x") for at in range(8)], FieldValue("0", "x", 0.6, tuple((str(at), "x") for at in range(1, 6)))),
    ],
)
def test_the_first_value_counts_and_is_surer_where_others_agree(
    found: list[tuple[str, str]], value: FieldValue
) -> None:
    assert rank_values(found, 0.6) == value


@pytest.mark.parametrize(
    ("steps", "section"),
    [
        ('[{"name": "Home"}, {"name": "Trees"}, {"name": "My title"}]', "Trees"),
        ('[{"name": "Home"}, {"item": {"name": "Trees"}}]', "Trees"),
        ('[{"name": "Home"}, {"name": "My Title!"}]', None),
        ('[{"name": 3}, "x", {"item": "y"}]', None),
        ('{"name": "Home"}', None),
    ],
)
def test_a_section_is_the_last_step_that_is_not_the_page(steps: str, section: str | None) -> None:
    head = json_ld(f'{{"@type": "BreadcrumbList", "itemListElement": {steps}}}')
    assert read_fields("<h1>My title</h1>", head=head).section.value == section


def test_keywords_come_once_in_the_order_of_their_sources() -> None:
    head = "<meta name=keywords content='tea, cup;tea、x'>" + json_ld('{"@type": "Article", "keywords": "pot|cup"}')
    found = read_fields("<a rel=tag href=/t>#leaf</a><a href=/u>none</a>", head=head).keywords
    assert (found.values, found.source) == (("tea", "cup", "pot", "leaf"), "meta keywords")
    assert read_fields("<p>x").keywords.values == ()
    many = ", ".join(f"word{at}" for at in range(60))
    assert len(read_fields("", head=f"<meta name=keywords content='{many}'>").keywords.values) == 50


def test_alternates_have_each_address_once() -> None:
    head = (
        "<link rel=alternate hreflang=de href=/de><link rel=alternate href=/de title=x><link rel=amphtml href=/amp>"
        "<link rel='alternate stylesheet' href=/s.css><link rel=next href=/n><link rel=alternate href='#'>"
    )
    assert read_fields("", head=head).alternates == (
        Alternate(f"{HOST}/de", "de"),
        Alternate(f"{HOST}/amp", title="amp"),
    )


@pytest.mark.parametrize(
    ("head", "url", "canonical"),
    [
        ("<link rel=canonical href=/x>", f"{HOST}/a#b", f"{HOST}/x"),
        ("", f"{HOST}/a#b", f"{HOST}/a"),
        ("<link rel=canonical href='mailto:x'>", f"{HOST}/a", f"{HOST}/a"),
        ("<link rel=canonical href=x>", None, None),
        (json_ld('{"@type": "Article", "mainEntityOfPage": "/y"}'), f"{HOST}/a", f"{HOST}/y"),
        (json_ld('{"@type": "A", "about": {"@type": "B", "mainEntityOfPage": "/y"}}'), f"{HOST}/a", f"{HOST}/a"),
    ],
)
def test_the_canonical_address(head: str, url: str | None, canonical: str | None) -> None:
    assert read_fields("", head=head, url=url).canonical.value == canonical


@pytest.mark.parametrize(
    ("href", "url"),
    [
        ("https://x.y/z", "https://x.y/z"),
        (" /b/c?d=e ", f"{HOST}/b/c?d=e"),
        ("/b/../c", f"{HOST}/c"),
        ("//x.y/z", "https://x.y/z"),
        ("c", f"{HOST}/a/c"),
        ("?p=2", f"{HOST}/a/page?p=2"),
        ("#x", ""),
        ("javascript:x()", ""),
        ("data:x", ""),
        ("", ""),
        ("http://a\x1bb/", "http://a%1Bb/"),
    ],
)
def test_addresses_become_absolute(href: str, url: str) -> None:
    assert make_statements("<p>x").absolute(href) == url
    assert make_statements("<p>x", None).absolute("c") == "c"


def test_texts_of_elements_leave_out_buttons_and_keep_words_apart() -> None:
    markup = (
        "<h1>One<br>two</h1><h2>Three <button>four</button></h2><div><p>five</p><p>si<b>x</b></p></div>"
        "<h3><b>seven</b></h3><div> eight </div><div></div><div>a<hr>b</div>"
    )
    statements = make_statements(markup)
    rows = [row for row, name in enumerate(statements.document.names) if name in ("h1", "h2", "h3", "div")]
    expected = ["One two", "Three", "five six", "seven", "eight", "", "a b"]
    assert [statements.read_text(row) for row in rows] == expected
    button = statements.document.names.index("button")
    assert statements.read_text(button) == "four"


def test_landmarks_hold_what_is_in_the_outermost() -> None:
    statements = make_statements(
        "<i></i><nav><i></i><aside><i></i></aside><i></i></nav><i></i><footer><i></i></footer>"
    )
    rows = [row for row, name in enumerate(statements.document.names) if name == "i"]
    assert [statements.is_in_landmark(row) for row in rows] == [False, True, True, True, False, True]


def test_the_nearest_wanted_element_is_found_so_many_levels_up() -> None:
    statements = make_statements("<div><p><b><i>x</i></b></p></div>")
    row = {name: statements.document.names.index(name) for name in ("div", "p", "b", "i")}
    for levels, found in ((0, -1), (1, -1), (2, row["p"]), (3, row["p"])):
        assert statements.find_above(row["i"], {row["p"], row["div"]}, levels) == found
    assert statements.find_above(row["i"], {row["i"]}, 0) == row["i"]
    assert statements.find_above(row["i"], set(), 9) == -1


def test_meta_elements_are_read_by_any_of_their_names() -> None:
    statements = make_statements(
        "<meta property='og:title' name=title content=' A  b '><meta name=Title value=C><meta name=title content=''>"
        "<meta http-equiv=x itemprop=title content=D><p name=title content=E>"
    )
    assert list(statements.read_meta(("Title", "og:title", "none"))) == [
        ("Title", "A b"), ("Title", "C"), ("Title", "D"), ("og:title", "A b")
    ]  # fmt: skip
