"""Text nodes are divided into blocks, joined and counted as a reader would: small pages with what they give."""

import pytest

from webclean import core
from webclean.blocks import text_blocks
from webclean.blocks.text_blocks import find_text_blocks
from webclean.parse import parse_page

CASES = {
    "glued": ("<p><b>W</b>ord <i>a</i><i>b</i>. Then<b>.</b><b>.</b>x</p>", [("Word ab. Then..x", 9, 0, 1, True)]),
    "sentence over an edge": (
        "<p>End.<b>”</b> Yes!<i>x</i> No?<i> y</i> 好。<b>。</b>",
        [("End.” Yes!x No? y 好。。", 9, 0, 3, True)],
    ),
    "apart by class": (
        "<p><span class=a>one</span><span>two</span><span>three</span><span class=' '>four</span></p>",
        [("one twothreefour", 4, 0, 0, True)],
    ),
    "signs that close": (
        "<p><i class=a>one</i><i class=a>. Two</i><i class=a>, 19</i><i class=a>.99</i>"
        "<i class=a>C#</i><i class=a>.NET</i><i class=a>三</i><i class=a>。</i></p>",
        [("one. Two, 19.99 C# .NET 三。", 10, 0, 2, True)],
    ),
    "signature": (
        "<dl><dt><b class=a>@</b><b class=a>tools.</b><b class=a>cache</b><b class=a>(</b><b class=a>*</b>"
        "<b class=a>of</b><b class=a>,</b><b class=a> </b><b class=a>n</b><b class=a>=</b><b class=a>2</b>"
        "<b class=a>)</b></dt><dd><b class=a>It ends.</b><b class=a>more</b><b class=a>Ends.</b><b class=a>More</b>"
        "<b class=a>x(</b><b class=a>y</b></dd></dl>",
        [("@tools.cache(*of, n=2)", 11, 0, 0, True), ("It ends. more Ends. More x(y", 7, 0, 2, True)],
    ),
    "rating and its count": (
        "<p><b class=a>4.1</b><b class=a>(</b><b class=a>407</b><b class=a>)</b></p>",
        [("4.1 (407)", 4, 0, 0, True)],
    ),
    "apart by button": (
        "<div><button>one</button><button>two</button><span>x</span></div>",
        [("one two x", 3, 0, 0, True)],
    ),
    "in code": (
        "<pre><span class=k>def</span><span class=n>f</span></pre><p><code><b class=a>x</b><b>y</b></code></p>",
        [("deff", 2, 0, 0, True), ("xy", 2, 0, 0, True)],
    ),
    "links": ("<p><a href=1>a</a><a href=2>b</a><a>c</a><a>d</a></p>", [("a bcd", 4, 2, 0, True)]),
    "breaks": (
        "<p>a<br>b<br><br>c<br> <br>d<span><br></span>e</p>f<hr>g",
        [
            ("a b", 2, 0, 0, True),
            ("c", 1, 0, 0, True),
            ("d e", 2, 0, 0, True),
            ("f", 1, 0, 0, True),
            ("g", 1, 0, 0, True),
        ],
    ),
    "signs": (
        "<h2>Setup <a href=#s>#</a></h2><h3><a href=#>¶</a></h3><dt>x<a href=#>1</a></dt><p>x<a href=#>#</a>",
        [("Setup", 1, 0, 0, True), ("¶", 1, 1, 0, True), ("x1", 2, 1, 0, True), ("x#", 2, 1, 0, True)],
    ),
    "buttons of headings": (
        "<h2>Setup <button>Copy <b>it</b></button></h2><h3><button>Is it free?</button></h3><p>Or <button>no</button>",
        [("Setup", 1, 0, 0, True), ("Is it free?", 3, 0, 1, True), ("Or no", 2, 0, 0, True)],
    ),
    "scripts": (
        "<p>ภาษาไทยง่าย ไทย</p><p>မြန်မာ</p><p>中文 abc中文</p><p>τι; ναι; a;</p><p>Ἀλλά;</p>",
        [
            ("ภาษาไทยง่าย ไทย", 4, 0, 0, True),
            ("မြန်မာ", 2, 0, 0, True),
            ("中文 abc中文", 5, 0, 0, True),
            ("τι; ναι; a;", 3, 0, 2, True),
            ("Ἀλλά;", 1, 0, 1, True),
        ],
    ),
    "wide and narrow": (
        "<p>é\xa0è</p><p>a\u3000b 😀</p><p>\x1c\x1d\x85</p>",
        [("é è", 2, 0, 0, True), ("a b 😀", 3, 0, 0, True)],
    ),
    "nothing": ("", []),
    "hidden": (
        "<p hidden>a</p><p style='DISPLAY : none'>b</p><p style='color:red'>c</p><p style>d</p>",
        [("a", 1, 0, 0, False), ("b", 1, 0, 0, False), ("c", 1, 0, 0, True), ("d", 1, 0, 0, True)],
    ),
}
"""Markup -> of each block: text, words (counted in each text node), link words, sentences, whether it is visible."""


@pytest.mark.parametrize(("page", "expected"), CASES.values(), ids=CASES)
def test_blocks_of_odd_pages(page: str, expected: list[tuple[str, int, int, int, bool]]) -> None:
    found = find_text_blocks(parse_page(page))
    columns = found.n_words, found.n_link_words, found.n_sentences, found.visible
    rows = list(zip(found.text, *[column.tolist() for column in columns], strict=True))
    assert rows == expected


def test_kinds_of_characters_are_the_same() -> None:
    assert {name: getattr(text_blocks, name) for name in core.TEXT_FLAGS} == core.TEXT_FLAGS
