"""Nested structures -> Markdown -> what a reader of CommonMark makes of it: the same text in the same structure."""

from collections.abc import Iterator
from html import escape
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html
from markdown_it import MarkdownIt

from tests.outputs.kept import keep_blocks
from webclean.outputs.flow.builder import build_flow
from webclean.outputs.text import render_markdown

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
WORDS = (
    "crane",
    "1. heron",
    "- gull",
    "*tern*",
    "a|b",
    "# swan",
    "> owl",
    "`wren`",
    "[x](y)",
    "<i>",
    "&amp;",
    "漢字",
    "+",
    "===",
)
Tree = tuple[str, Any]

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
lines = st.lists(st.sampled_from((*WORDS, "", "    x = 1;", "```", "~~~~")), min_size=1, max_size=4)
codes = lines.map("\n".join).filter(lambda text: text.strip()).map(lambda text: ("pre", text.strip("\n").rstrip()))
paragraphs = texts.map(lambda text: ("p", text))
headings = st.builds(lambda level, text: (f"h{level}", text), st.integers(2, 6), texts)


@st.composite
def tables(draw: st.DrawFn) -> Tree:
    n_columns, n_rows = draw(st.integers(2, 3)), draw(st.integers(1, 3))
    rows = [[draw(texts) for _ in range(n_columns)] for _ in range(n_rows + 1)]
    return (
        "table",
        [("tr", [("th" if not number else "td", cell) for cell in row]) for number, row in enumerate(rows)],
    )


def nest(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    """Lists and quotations of what is inside, each after a paragraph: two lists without anything between are one."""
    after = st.tuples(paragraphs, inner).map(list)
    items = st.one_of(paragraphs.map(lambda one: [one]), after).map(lambda held: ("li", held))
    lists = st.builds(
        lambda name, held: (name, held), st.sampled_from(("ul", "ol")), st.lists(items, min_size=2, max_size=3)
    )
    return st.one_of(lists, after.map(lambda held: ("blockquote", held)))


structures = st.recursive(st.one_of(paragraphs, codes, tables()), nest, max_leaves=8)
pages = st.lists(st.tuples(st.one_of(headings, paragraphs), structures), min_size=1, max_size=3).map(
    lambda pairs: [one for pair in pairs for one in pair]
)


def write(tree: Tree) -> str:
    name, held = tree
    inner = held if isinstance(held, str) else None
    if inner is None:
        return f"<{name}>{''.join(map(write, held))}</{name}>"
    return f"<pre><code>{escape(inner)}</code></pre>" if name == "pre" else f"<{name}>{escape(inner)}</{name}>"


def read(element: Any) -> Iterator[Tree]:
    """The structure of HTML, without the elements that only group rows."""
    for child in element:
        if child.tag in ("thead", "tbody"):
            yield from read(child)
        elif child.tag in ("ul", "ol", "blockquote", "table", "tr"):
            yield child.tag, list(read(child))
        elif child.tag == "li":
            own = " ".join((child.text or "").split())
            yield "li", [*([("p", own)] if own else []), *read(child)]
        elif child.tag == "pre":
            yield "pre", child.text_content().strip("\n").rstrip()
        else:
            yield child.tag, " ".join(child.text_content().split())


@settings(max_examples=120, deadline=None)
@given(pages)
def test_nested_structures_come_back_from_markdown(page: list[Tree]) -> None:
    markup = "".join(map(write, page))
    written = render_markdown(build_flow(*keep_blocks(markup)))
    assert list(read(lxml_html.fragment_fromstring(READER.render(written), create_parent="div"))) == page, written
