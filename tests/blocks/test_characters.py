"""Kinds of characters against Python's own idea of them, and counts against regular expressions."""

from __future__ import annotations

import re
import sys

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.blocks.markup import MARKUP, SOUP
from webclean.blocks.text_blocks import PUNCTUATION, SPACE, count_characters, find_text_blocks, list_kinds
from webclean.parse import parse_page

MARK = re.compile(
    "[!-#%-*,-/:;?@\\[-\\]_{}¡§«¶·»¿\u037e\u0387։،؛؟۔।॥၊။።-፧។-៖‐-‧‰-⁞、-〃〈-】〔-〟・！-＃％-＊，-／：；？＠［-］＿｛｝｡-･]"
)
SENTENCE_END = re.compile(
    "(?:[.!?…]|(?<=[\u0370-\u03ff\u1f00-\u1fff])[;\u037e])(?=[\\s\"'”’“‘»«›)\\]]|$)|[。！？．｡](?![。！？．｡])|[۔؟।॥։።፧။។]"
)
SIGNS = st.text(st.sampled_from(list("ab .!?…。！？｡۔।\"'”’“»;ως)]<b>\u3000\n\u00a0中")), max_size=30)


def test_white_space_is_what_python_takes_for_it() -> None:
    everything = [chr(code) for code in range(sys.maxunicode + 1)]
    assert [char for char, kind in zip(everything, list_kinds(), strict=True) if kind & SPACE] == [
        char for char in everything if char.isspace()
    ]


def test_every_mark_is_punctuation_and_nothing_else() -> None:
    everything = [chr(code) for code in range(sys.maxunicode + 1)]
    assert [char for char, kind in zip(everything, list_kinds(), strict=True) if kind & PUNCTUATION] == [
        char for char in everything if MARK.match(char)
    ]


@given(st.lists(st.text(max_size=8), max_size=8))
def test_texts_are_told_apart(texts: list[str]) -> None:
    assert count_characters(texts, SPACE).tolist() == [sum(map(str.isspace, text)) for text in texts]
    assert count_characters(texts, PUNCTUATION).tolist() == [len(MARK.findall(text)) for text in texts]


def check_marks(markup: str) -> None:
    blocks = find_text_blocks(parse_page(f"<body>{markup}"))
    assert blocks.n_punctuation.tolist() == [len(MARK.findall(text)) for text in blocks.text]
    assert blocks.n_sentences.tolist() == [len(SENTENCE_END.findall(text)) for text in blocks.text]
    assert np.array_equal(blocks.n_chars, [sum(not char.isspace() for char in text) for text in blocks.text])


@given(MARKUP)
def test_marks_of_blocks(markup: str) -> None:
    check_marks(markup)


@given(SOUP)
def test_marks_of_broken_markup(markup: str) -> None:
    check_marks(markup)


@given(st.lists(st.tuples(st.sampled_from(["", "b", "i", "a href=x", "p", "br", "button"]), SIGNS), max_size=8))
def test_marks_between_elements(parts: list[tuple[str, str]]) -> None:
    check_marks("".join(f"<{tag}>{text}</{tag}>" if tag else text for tag, text in parts))
