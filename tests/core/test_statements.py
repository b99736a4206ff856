"""What fields ask of the core: texts with digits, meta elements up to a number, texts beside buttons, likeness."""

from __future__ import annotations

import pytest

from webclean import core
from webclean.fields.statements import PageStatements
from webclean.parse import parse_page
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
