"""What holds of every page and every choice of blocks: no kept text is lost, none is made up, nothing runs."""

import re
from collections.abc import Iterator
from html import unescape

import numpy as np
import turbohtml
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

import webclean
from webclean.blocks.text_blocks import find_text_blocks
from webclean.model import Document, Mask, TextBlocks
from webclean.outputs.flow import Head, TreeOptions
from webclean.outputs.flow.builder import build_flow
from webclean.outputs.html import render_html
from webclean.outputs.phone import Layout, PhonePage, PhoneSource, render_phone
from webclean.outputs.text import render_markdown, render_text
from webclean.parse import parse_page
from webclean.rules import load_rules

READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])

TAGS = """
    p div span a b i h1 h2 ul ol li table tr td th pre code br img blockquote dl dt dd figure figcaption section
    strong em sup code ruby rt button details summary caption thead tbody nav custom-card
""".split()  # noqa: SIM905  a table of words reads better
ATTRIBUTES = ("", " class=x", ' href="/a"', ' href="javascript:alert(1)"', ' onclick="alert(1)"', " src=/i.png alt=alt",
              " role=listitem", " dir=rtl", " hidden", " colspan=3", " rowspan=99999",
              ' style="x:expression(1)"')  # fmt: skip
WORDS = st.sampled_from(
    ("one", "two ", " three", "\n", "*", "_x_", "1. ", "# h", "<b&amp;", "&lt;i&gt;", "`", "|", "漢字。", "!", "[x](y)")
)

tags = st.builds(
    lambda close, name, attributes: f"</{name}>" if close else f"<{name}{attributes}>",
    st.booleans(),
    st.sampled_from(TAGS),
    st.sampled_from(ATTRIBUTES),
)
markups = st.lists(st.one_of(tags, WORDS), max_size=60).map("".join)


@st.composite
def chosen_pages(draw: st.DrawFn) -> tuple[Document, TextBlocks, Mask]:
    document = parse_page(draw(markups), url="https://example.org/dir/page.html")
    assume(not has_buttons_by_code(document))
    blocks = find_text_blocks(document)
    kept = draw(st.lists(st.booleans(), min_size=len(blocks), max_size=len(blocks)))
    return document, blocks, np.array(kept, dtype=bool)


def has_buttons_by_code(document: Document) -> bool:
    """Buttons in code or beside it copy it: their text is left out on purpose."""
    return "button" in document.names and not {"pre", "code"}.isdisjoint(document.names)


def squeeze(text: str) -> str:
    return "".join(text.split())


def expect(page: tuple[Document, TextBlocks, Mask]) -> str:
    _, blocks, kept = page
    return squeeze("".join(text for text, keep in zip(blocks.text, kept.tolist(), strict=True) if keep))


def drop_brackets(text: str) -> str:
    """Formats without ruby put its readings in brackets."""
    return text.replace("(", "").replace(")", "")


def read_body(markup: str) -> str:
    return squeeze(turbohtml.parse(markup).find("body").text)


@given(chosen_pages())
@settings(max_examples=300, deadline=None)
def test_text_holds_what_is_kept_and_bullets(page: tuple[Document, TextBlocks, Mask]) -> None:
    text = re.sub(r"^ *- ", "", render_text(build_flow(*page)), flags=re.MULTILINE)
    wanted = re.sub(r"^ *- ", "", expect(page))
    assert drop_brackets(squeeze(text).replace("-", "")) == drop_brackets(wanted.replace("-", ""))


@given(chosen_pages())
@settings(max_examples=300, deadline=None)
def test_html_holds_what_is_kept_and_nothing_else(page: tuple[Document, TextBlocks, Mask]) -> None:
    assert read_body(render_html(build_flow(*page))) == expect(page)


PHONE = load_rules().phone


def lay_out(page: tuple[Document, TextBlocks, Mask]) -> PhonePage:
    return PhonePage(Head(), Layout.ARTICLE, [PhoneSource(build_flow(*page))], PHONE)


@given(chosen_pages())
@settings(max_examples=150, deadline=None)
def test_the_phone_page_holds_what_is_kept_and_nothing_else(page: tuple[Document, TextBlocks, Mask]) -> None:
    contents = re.compile(r"<nav.*?</nav>", re.DOTALL)
    assert read_body(contents.sub("", render_phone(lay_out(page)))) == expect(page)


@given(chosen_pages())
@settings(max_examples=300, deadline=None)
def test_nothing_written_can_run(page: tuple[Document, TextBlocks, Mask]) -> None:
    flow = build_flow(*page)
    for markup in (render_html(flow), render_phone(lay_out(page))):
        for name, value in find_attributes(markup):
            assert not name.startswith("on")
            assert name not in ("style", "srcdoc", "action", "formaction")
            assert "javascript:" not in unescape(value)
        assert "<script" not in markup


def find_attributes(markup: str) -> Iterator[tuple[str, str]]:
    for element in turbohtml.parse(markup).find_all():
        for name, value in element.attrs.items():
            yield name, str(value or "")


@given(chosen_pages())
@settings(max_examples=400, deadline=None)
def test_markdown_reads_back_as_what_is_kept(page: tuple[Document, TextBlocks, Mask]) -> None:
    written = render_markdown(build_flow(*page, TreeOptions(images=False)))
    assert drop_brackets(read_body(READER.render(written))) == drop_brackets(expect(page))


@given(chosen_pages())
@settings(max_examples=100, deadline=None)
def test_without_tables_no_more_is_shown(page: tuple[Document, TextBlocks, Mask]) -> None:
    fewer = build_flow(*page, TreeOptions(tables=False))
    assert len(read_body(render_html(fewer))) <= len(expect(page))
    assert not any(name == "table" for name in re.findall(r"<(\w+)", render_html(fewer)))


@given(chosen_pages())
@settings(max_examples=100, deadline=None)
def test_text_needs_no_marks(page: tuple[Document, TextBlocks, Mask]) -> None:
    assume("figcaption" not in page[0].names)  # dropped captions are shown with their pictures
    marked, plain = (build_flow(*page, TreeOptions(marks=marks)) for marks in (True, False))
    assert render_text(plain) == render_text(marked)


@given(chosen_pages())
@settings(max_examples=300, deadline=None)
def test_a_tree_for_plain_text_alone_gives_the_same_text(page: tuple[Document, TextBlocks, Mask]) -> None:
    every, plain = (build_flow(*page, TreeOptions(marks=False, plain=plain)) for plain in (False, True))
    assert render_text(plain) == render_text(every)


def test_a_line_ends_in_ruby_too() -> None:
    assert webclean.clean("<ruby>one<br>two<rt>1</rt></ruby>").text == "one\ntwo(1)"
