"""Which characters a page may not pass on, one by one."""

import unicodedata
from html import unescape

import pytest

from webclean import core
from webclean.parse import parse_page
from webclean.parse.controls import clean_line, drop_controls, drop_controls_of_all, escape_controls

BIDIRECTIONAL = [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]
LOOKED_AT = [*range(0x180), *range(0x2000, 0x2070)]


def _drop_of_all(texts: list[str]) -> list[str]:
    return drop_controls_of_all(texts, core.find_controls(texts))


@pytest.mark.parametrize("rest", ["b", "é", "中"])
def test_control_characters_are_dropped_or_become_a_space(rest: str) -> None:
    """Python takes for white space what separates words; tab and line breaks stay; C1 is what a reference to it is."""
    for code in LOOKED_AT:
        sign = chr(code)
        is_control = unicodedata.category(sign) == "Cc" and sign not in "\t\n\r"
        expected = sign if not is_control and code not in BIDIRECTIONAL else " " if sign.isspace() else ""
        read = unescape(f"&#{code};")
        if 0x80 <= code < 0xA0 and read != sign and not sign.isspace():
            expected = read
        assert drop_controls(f"a{sign}{rest}") == f"a{expected}{rest}", hex(code)
        assert _drop_of_all(["x", f"a{sign}{rest}"]) == ["x", f"a{expected}{rest}"], hex(code)


def test_texts_without_control_characters_are_the_same_list() -> None:
    for texts in (["a\tb", "c\r\nd"], ["é"], []):
        assert _drop_of_all(texts) is texts


@pytest.mark.parametrize("rest", ["b", "é", "中", " \n"])
def test_control_characters_of_a_page_are_dropped_whichever_parser_reads_it(rest: str) -> None:
    for sign in "\x0b\x1b\x7f\x9b\u202e\u2069":
        for engine in ("fast", "html5lib"):
            texts = parse_page(f"<p>{sign}{rest}<i>a{rest}</i>", engine=engine).text
            assert texts == [drop_controls(f"{sign}{rest}") or " ", f"a{rest}"], (engine, hex(ord(sign)))


def test_control_characters_of_addresses_are_escaped() -> None:
    assert escape_controls("/a\x00b\x1b\x7f\x85c d") == "/a%00b%1B%7F%C2%85c d"
    assert escape_controls("/a\u202eb") == "/a%E2%80%AEb"
    assert escape_controls("/é中") == "/é中"


def test_attributes_are_read_as_one_line() -> None:
    assert clean_line("  a\n\tb\x0cc\x07 ") == "a b c"
    assert (clean_line(None), clean_line(""), clean_line(" \n")) == ("", "", "")
