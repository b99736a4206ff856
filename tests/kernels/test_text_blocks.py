"""The kernel divides a page into the text blocks into which the arrays divide it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

from tests.blocks.markup import MARKUP
from webclean.blocks import characters
from webclean.blocks.text_blocks import divide_plainly, find_text_blocks
from webclean.kernels import TEXT_BLOCKS
from webclean.parse import parse_page

pytestmark = pytest.mark.skipif(TEXT_BLOCKS is None, reason="the kernels are not compiled")
FIXTURES = sorted((Path(__file__).resolve().parents[2] / "fixtures").rglob("input.html"))
SIGNS = st.text(
    alphabet="aB1 \n\t.!?…。؟;\u037eαω«»\"')]ก\u1000\u0e01中あ#¶\u3000\xa0é\U0001f600", min_size=1, max_size=12
)

CASES = {
    "glued": "<p><b>W</b>ord <i>a</i><i>b</i>. Then<b>.</b><b>.</b>x</p>",
    "sentence over an edge": "<p>End.<b>”</b> Yes!<i>x</i> No?<i> y</i> 好。<b>。</b>",
    "apart by class": "<p><span class=a>one</span><span>two</span><span>three</span><span class=' '>four</span></p>",
    "apart by button": "<div><button>one</button><button>two</button><span>x</span></div>",
    "in code": "<pre><span class=k>def</span><span class=n>f</span></pre><p><code><b class=a>x</b><b>y</b></code></p>",
    "links": "<p><a href=1>a</a><a href=2>b</a><a>c</a><a>d</a></p>",
    "breaks": "<p>a<br>b<br><br>c<br> <br>d<span><br></span>e</p>f<hr>g",
    "signs": "<h2>Setup <a href=#s>#</a></h2><h3><a href=#>¶</a></h3><dt>x<a href=#>1</a></dt><p>x<a href=#>#</a>",
    "scripts": "<p>ภาษาไทยง่าย ไทย</p><p>မြန်မာ</p><p>中文 abc中文</p><p>τι; ναι; a;</p><p>Ἀλλά;</p>",
    "wide and narrow": "<p>é\xa0è</p><p>a\u3000b \U0001f600</p><p>\x1c\x1d\x85</p>",
    "nothing": "",
    "hidden": "<p hidden>a</p><p style='DISPLAY : none'>b</p><p style='color:red'>c</p><p style>d</p>",
}


def check(page: bytes | str) -> None:
    document = parse_page(page)
    found, plain = find_text_blocks(document), divide_plainly(document)
    for field in structs.fields(plain):
        left, right = getattr(found, field.name), getattr(plain, field.name)
        if isinstance(right, list):
            assert left == right, field.name
        else:
            assert np.array_equal(left, right), field.name
            assert left.dtype == right.dtype, field.name


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_blocks_are_equal_on_every_fixture(path: Path) -> None:
    check(path.read_bytes())


@pytest.mark.parametrize("page", CASES.values(), ids=CASES)
def test_blocks_are_equal_on_odd_pages(page: str) -> None:
    check(page)


@given(MARKUP)
def test_blocks_are_equal_on_any_tree(markup: str) -> None:
    check(markup)


@given(
    st.lists(st.tuples(st.sampled_from(["p", "b", "span class=x", "a href=#", "h2", "code", "br"]), SIGNS), max_size=8)
)
def test_blocks_are_equal_on_any_signs(parts: list[tuple[str, str]]) -> None:
    check("<div>" + "".join(f"<{tag}>{text}</{tag.split()[0]}>" for tag, text in parts))


def test_kinds_of_characters_are_the_same() -> None:
    assert {name: getattr(characters, name) for name in TEXT_BLOCKS.KINDS} == TEXT_BLOCKS.KINDS
