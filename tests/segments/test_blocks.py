"""Semantic blocks through the public API: they nest, cover the text and carry exact XPaths."""

from __future__ import annotations

import html5lib
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

import webclean
from tests.blocks.markup import MARKUP, SOUP

PAGE = """<body><header><a href=/>Harbour Post</a></header>
<nav><ul><li><a href=/a>World</a><li><a href=/b>Sport</a><li><a href=/c>Arts</a></ul></nav>
<main><div><div><h1>Ferry returns</h1><p>The ferry is back on the crossing after a long winter in the yard.
<p>It leaves at eight.</div></div><div><h2>More</h2><ul><li><a href=/1>One</a><li><a href=/2>Two</a></ul></div></main>
<footer>© 2024 Harbour Post</footer>"""


def test_a_page_is_cut_into_its_parts_and_not_into_fragments() -> None:
    blocks = webclean.clean(PAGE).blocks
    assert [block.text.split("\n")[0] for block in blocks] == [
        "Harbour Post",
        "World",
        "Ferry returns",
        "More",
        "© 2024 Harbour Post",
    ]
    assert [block.heading for block in blocks] == ["", "", "Ferry returns", "More", ""]
    assert [len(block.links) for block in blocks] == [1, 3, 0, 2, 0]


def test_text_directly_inside_a_split_element_is_the_parent_of_what_is_below() -> None:
    items = "".join(f"<div><h2>Part {i}</h2><p>Something about part {i}.</div>" for i in range(4))
    blocks = webclean.clean(f"<body>Loose words<div>Other words {items}</div>").blocks
    text = [block.text for block in blocks]
    assert text[0] == "Loose words"
    assert text[1] == "Other words"
    assert [block.parent for block in blocks] == [None, 0, 1, 1, 1, 1]


@given(st.one_of(MARKUP, SOUP))
@settings(deadline=None, max_examples=150)
def test_blocks_hold_all_text_once_and_in_order(markup: str) -> None:
    page = webclean.clean(markup)
    said = [line for text in page.analysis.columns.blocks.text for line in text.split("\n")]
    held = [line for block in page.blocks for line in block.text.split("\n") if line]
    assert sorted(held) == sorted(said)
    for number, block in enumerate(page.blocks):
        assert block.parent is None or block.parent < number


def test_xpaths_name_the_elements_of_the_reference_tree() -> None:
    tree = html5lib.parse(PAGE, treebuilder="lxml", namespaceHTMLElements=False)
    for block in webclean.clean(PAGE).blocks:
        found = [element for xpath in block.xpaths for element in tree.xpath(xpath)]
        assert found
        text = " ".join("".join(etree.tostring(found[0], method="text", encoding="unicode", with_tail=False)).split())
        assert text.startswith(block.text.split("\n")[0])
