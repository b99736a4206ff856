"""What fields and corrections ask the core of the elements of a page, on small pages by hand."""

import pytest

from webclean import core
from webclean.decide.corrections import list_following
from webclean.fields.statements import PageStatements
from webclean.outputs.flow.tools import find_conventions, find_named
from webclean.parse import count_tags, parse_page
from webclean.parse.columns import list_undefined
from webclean.parse.tags import CODE
from webclean.pipeline import build_columns


def make_statements(markup: str) -> PageStatements:
    return PageStatements(build_columns(parse_page(markup)))


@pytest.mark.parametrize(
    ("text", "most", "is_found"),
    [
        ("on 3 May", 9, True),
        ("on 3 May", 3, False),
        ("٣ مايو", 9, True),
        ("３月", 9, True),
        ("x²", 9, False),
        ("", 9, False),
    ],
)
def test_texts_with_a_digit_of_any_script_are_found(text: str, most: int, *, is_found: bool) -> None:
    texts = ["1", text, "2"]
    assert core.list_numbered(texts, 1, 2, most) == [1] * is_found
    assert core.list_numbered(texts, 0, 9, most) == [0, *[1] * is_found, 2]


def test_meta_elements_with_a_content_are_read_up_to_a_number() -> None:
    metas = "<meta name=a><meta name=A content=1><meta property=a value=2><meta name=b itemprop=B content=3>"
    elements = make_statements(f"<head>{metas}<meta name=a content=4>")._elements
    keys = ("content", "value"), ("property", "name", "itemprop")
    assert elements.read_metas(*keys, 9) == {"a": ["1", "2", "4"], "b": ["3"]}
    assert elements.read_metas(*keys, 2) == {"a": ["1", "2"]}


def test_a_button_is_no_text_of_what_is_around_it() -> None:
    statements = make_statements("<div><p>Tea <button><b>Share</b></button>time</p><button>More</button></div>")
    rows = {name: row for row, name in enumerate(statements.document.names)}
    assert statements.read_text(rows["div"]) == statements.read_text(rows["p"]) == "Tea time"
    assert statements.read_text(rows["b"]) == "Share"


def test_short_texts_are_those_of_few_nodes_and_characters() -> None:
    document = parse_page(b"<p>say <a>1</a> and <a>[<b>2</b>]</a> or <a>a long link</a><a></a> end</p>")
    links = [row for row, name in enumerate(document.names) if name == "a"]
    assert core.read_short(document.page, links, 4, 8) == ["1", "[2]", ""]
    assert core.read_short(document.page, links, 3, 20) == ["1", "a long link", ""]


def test_elements_after_a_control_are_those_after_what_it_stands_in_too() -> None:
    document = parse_page(b"<div><h3><button>Ask</button><i></i></h3><p>Answer</p></div><p>Other</p>")
    named = {document.names[row]: row for row in reversed(range(len(document)))}
    after = list_following(document, [named["button"]], 3)
    assert [document.names[row] for row in after] == ["i", "p", "p"]
    assert list(list_following(document, [named["button"]], 1)) == [named["i"]]


def test_tags_are_counted_and_undefined_elements_found_by_name() -> None:
    document = parse_page(b"<my-tab>a</my-tab><p>b<my-tab>c</my-tab><other-tab>d</other-tab>")
    assert count_tags(document)[CODE["p"]] == 1
    assert {name: len(rows) for name, rows in list_undefined(document).items()} == {"my-tab": 2, "other-tab": 1}


def test_names_of_tools_are_asked_of_the_tags_that_may_have_them() -> None:
    document = parse_page(b"<p class=latex>a</p><img class=latex><span class=alert>b</span><div class=alert>c</div>")
    found = find_named(document, find_conventions(None))
    assert [document.names[row] for row in found["formula_images"]] == ["img"]
    assert [document.names[row] for row in found["callouts"]] == ["div"]
