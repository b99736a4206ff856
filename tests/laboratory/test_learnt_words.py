"""Which words stand on which blocks."""

from __future__ import annotations

import pytest

from webclean.blocks.text_blocks import find_text_blocks
from webclean.features import PageColumns
from webclean.parse import parse_page

pytest.importorskip("scipy")

from webclean.laboratory.block_material import count_words

PAGE = """<div class="story story-box"><h2>More news</h2><div class=story><p>Short text</p></div></div>"""


def test_words_are_counted_by_where_they_stand() -> None:
    document = parse_page(PAGE)
    found = count_words([(PageColumns(document, find_text_blocks(document)), 0)], 1)
    heading, text = (dict(zip(found.words, row, strict=True)) for row in found.counts.toarray().tolist())
    assert heading["names", "story"] == 1  # twice in the names of one element
    assert {word for kind, word in heading if kind == "words" and heading[kind, word]} == {"more", "news"}
    assert text["names", "story"] == 2
    assert text["names", "box"] == 1
    assert {word for kind, word in text if kind == "words" and text[kind, word]} == {"short", "text"}
    assert {word for kind, word in text if kind == "headings" and text[kind, word]} == {"more", "news"}


def test_words_of_few_sites_are_left_out() -> None:
    pages = []
    for site, name in enumerate(("menu", "menu", "other")):
        document = parse_page(f"<div class={name}><p>Text</p></div>")
        pages.append((PageColumns(document, find_text_blocks(document)), site))
    found = count_words(pages, 2)
    assert ("names", "menu") in found.words
    assert ("names", "other") not in found.words
    assert found.counts.shape[0] == 3
    assert found.counts[:, found.words.index(("names", "menu"))].toarray().ravel().tolist() == [1, 1, 0]
    assert found.counts.max() == 1
