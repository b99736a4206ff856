"""What of a page is set into the tree of clean elements, and how: small pages with what they give, by hand."""

import numpy as np
import pytest

from tests.outputs.kept import keep_blocks
from webclean import core
from webclean.outputs.flow import Node, TreeOptions, bound_tree, read_text, simplify_containers
from webclean.outputs.flow.addresses import find_beside
from webclean.outputs.flow.builder import Found, build_flow, plan_visit
from webclean.outputs.text import render_inline

TEXT = TreeOptions(links=False, images=False, marks=False, plain=True)


def plan(markup: str, options: TreeOptions, *drop: str) -> tuple[list[str], list[int], list[str], list[bool]]:
    """Names of the planned elements, the block that is all of each, the first words of the planned texts, and whether
    each of these stands for a whole block."""
    document, blocks, kept = keep_blocks(markup, drop)
    filled = core.find_filled(document.page, kept)
    found = Found(document, blocks, kept, filled, options, ())
    rows, lone, nodes, _, _, is_whole = plan_visit(document, kept, options, found, [])
    return [document.names[row] for row in rows], lone, [document.text[at].strip() for at in nodes], is_whole


def outline(node: Node | str) -> object:
    """A tree as name and children, a text as it is."""
    return node if isinstance(node, str) else [node.name, *map(outline, node.children)]


def test_an_element_is_filled_by_kept_text_at_any_depth() -> None:
    document, _, kept = keep_blocks("<div><p>a<b>one</b></p></div><div><p>two</p></div>", ["two"])
    filled = core.find_filled(document.page, kept)
    assert [name for name, is_filled in zip(document.names, filled, strict=True) if is_filled] == [
        "html", "body", "div", "p", "b",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("markup", "options", "expected"),
    [
        # a block with nothing inside that is shown is one text; what it is in makes no structure
        ("<div><p>a <i>b</i> c</p></div>", TEXT, ([], [], ["a"], [True])),
        # for Markdown the same block is taken apart
        ("<p>a <i>b</i> c</p>", TreeOptions(), (["p", "i"], [-1, -1], ["a", "b", "c"], [False] * 3)),
        # an item of which one block is all, and one with a list in it; the text of the first comes with the item. What
        # follows the last item of a list could still be added to it
        (
            "<ul><li><p>a</p></li><li>b<ul><li>c</li></ul></li></ul>",
            TEXT,
            (["ul", "li", "li", "ul", "li"], [-1, 0, -1, -1, -1], ["a", "b", "c"], [True] * 3),
        ),
        # what is dropped is not planned, nor an item of which nothing is kept
        ("<ul><li>a</li><li>drop</li></ul>", TEXT, (["ul", "li"], [-1, -1], ["a"], [True])),
        # empty cells are, for those after them keep their place
        ("<table><tr><td>a</td><td></td><td>b</td></tr></table>", TEXT,
         (["table", "tr", "td", "td", "td"], [-1, -1, 0, -1, -1], ["a", "b"], [True, True])),
        # headings need no element in plain text
        ("<h2>a</h2><p>b</p>", TEXT, ([], [], ["a", "b"], [True, True])),
        ("<h2>a</h2><p>b</p>", TreeOptions(), (["h2"], [-1], ["a", "b"], [True, True])),
        # a line break, or the sign of a formula, takes a block apart
        ("<p>a<br>b</p>", TEXT, (["p", "br"], [-1, -1], ["a", "b"], [False, False])),
        (r"<p>a \(b\)</p>", TEXT, (["p"], [-1], [r"a \(b\)"], [False])),
    ],
)  # fmt: skip
def test_what_is_planned(markup: str, options: TreeOptions, expected: tuple[object, ...]) -> None:
    assert plan(markup, options, "drop") == expected


@pytest.mark.parametrize(
    ("markup", "options", "expected"),
    [
        # paragraphs that follow each other are one leaf of plain text
        ("<p>a</p><p>b</p>", TEXT, ["", ["p", "a\n\nb"]]),
        ("<p>a</p><p>b</p>", TreeOptions(), ["", ["p", "a"], ["p", "b"]]),
        # an item that stands outside of a list is replaced by what is in it; cells without a row get one
        ("<div><li>a</li></div>", TreeOptions(), ["", ["p", "a"]]),
        # text after an item is added to it, text before all gets an item
        ("<ul><li>a</li>b</ul>", TreeOptions(), ["", ["ul", ["li", ["p", "a"], ["p", "b"]]]]),
        ("<ul>b<li>a</li></ul>", TreeOptions(), ["", ["ul", ["li", "b"], ["li", "a"]]]),
        # inline elements are opened again in each leaf, and merged within one
        ("<b>a<p>b <i>c</i></p></b>", TreeOptions(),
         ["", ["p", ["strong", "a"]], ["p", ["strong", "b", " ", ["em", "c"]]]]),
        # code holds no other marks
        ("<p><code>a <b>b</b></code></p>", TreeOptions(), ["", ["p", ["code", "a", " ", "b"]]]),
        ("<p>a<br>b<br><br>c</p>", TreeOptions(), ["", ["p", "a", ["br"], "b"], ["p", "c"]]),
        # a paragraph that is alone in an item goes; an item with two keeps both
        ("<ul><li><p>a</p></li><li><p>b</p><p>c</p></li></ul>", TreeOptions(),
         ["", ["ul", ["li", "a"], ["li", ["p", "b"], ["p", "c"]]]]),
        # a link without a safe address is text
        ('<p><a href="javascript:x">a</a> <a href="/b">b</a></p>', TreeOptions(),
         ["", ["p", "a", " ", ["a", "b"]]]),
        ("<pre>a\n  b</pre>", TreeOptions(), ["", ["pre", "a\n  b"]]),
    ],
)  # fmt: skip
def test_what_the_tree_is(markup: str, options: TreeOptions, expected: list[object]) -> None:
    assert outline(build_flow(*keep_blocks(markup), options)) == expected


def test_an_image_belongs_to_the_kept_text_beside_it() -> None:
    markup = "<div>{}<img src=a.png>{}</div><img src=b.png><div>drop, and drop again</div>"
    for around, n_kept in ((("keep", "keep"), 1), (("drop", "keep this"), 1), (("drop drop", "keep"), 0)):
        document, _, kept = keep_blocks(markup.format(*(f"<p>{text}</p>" for text in around)), ["drop"])
        rows = [row for row, name in enumerate(document.names) if name == "img"]
        beside = find_beside(document, kept, rows)
        around_first = document.names.index("div")
        assert beside == [(rows[0], around_first)] * n_kept


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("a (b)", False),
        (r"a \b", False),
        (r"\(a\)", True),
        (r"\[a", True),
        ("$5", False),
        ("$5 or $6", True),
        ("`a`", True),
    ],
)
def test_signs_of_formulas(text: str, may: bool) -> None:
    assert bool(core.may_hold_formula(text)) is may


def test_empty_containers_go_and_cells_stay() -> None:
    tree = Node("", {}, [
        Node("ul", {}, [Node("li"), Node("li", {}, [Node("p")])]),
        Node("table", {}, [Node("tr", {}, [Node("td"), Node("td", {}, [Node("p", {}, ["a"], row=7)])])]),
        Node("figure", {}, [Node("p", {}, [Node("img", {"src": "b"})], row=9)]),
    ])  # fmt: skip
    simplify_containers(tree)
    assert outline(tree) == ["", ["table", ["tr", ["td"], ["td", "a"]]], ["figure", ["img"]]]
    cell, image = tree.children[0], tree.children[1]
    assert isinstance(cell, Node)
    assert isinstance(image, Node)
    assert [child.row for row in cell.find_nodes() for child in row.find_nodes()] == [-1, 7]
    assert [child.row for child in image.find_nodes()] == [9]


def test_a_tree_is_measured_with_names_attributes_and_texts() -> None:
    tree = Node("", {}, [Node("p", {}, ["ab", Node("a", {"href": "cde"}, ["f"])])])
    asked: list[int] = []
    for most, often, allowed in ((9, 5, -1), (9, 2, -1), (2, 2, 2), (3, 2, 3)):
        asked.clear()
        found = core.count_allowed(tree, lambda n: asked.append(n) or n <= most, often)  # noqa: B023
        assert (found, sum(asked[:2])) == (allowed, 8 if allowed != 2 else 3)
    assert bound_tree(tree)


@pytest.mark.parametrize(
    ("children", "line"),
    [
        (["a * b_c _d_ 5 < 6 & co &amp; x"], r"a \* b_c \_d\_ 5 \< 6 & co \&amp; x"),
        (["# a"], r"\# a"),
        (["1. a"], r"1\. a"),
        (["a $x$ and $y$"], r"a \$x$ and \$y$"),
        ([Node("strong", {}, ["a"]), " b"], "**a** b"),
        ([Node("strong", {}, ["a"]), "b"], "**a**b"),
        ([Node("strong", {}, ["a."]), "b"], "<strong>a.</strong>b"),
        (["b", Node("em", {}, ["(a)"])], "b<em>(a)</em>"),
        ([Node("em", {}, [Node("strong", {}, ["a"]), " b ", Node("strong", {}, ["c"])])],
         "*<strong>a</strong> b **c***"),
        ([Node("sub", {}, ["2"])], "<sub>2</sub>"),
        (["a!", Node("a", {"href": "b"}, ["c"])], r"a\![c](b)"),
        ([Node("a", {"href": "b (c)&lt;"}, ["d", Node("br"), "e"])], "[d e](b%20%28c%29&amp;lt;)"),
        (["a", Node("br"), "- b"], "a\\\n\\- b"),
        ([Node("code", {}, ["a`b"]), Node("code", {}, ["c"])], "``a`b``<code>c</code>"),
        (["9", Node("abbr", {"title": "x"}, [". a"])], r"9\. a"),
        ([Node("img", {"src": "a b", "alt": "[c]"})], r"![\[c\]](a%20b)"),
    ],
)  # fmt: skip
def test_a_line_of_markdown(children: list[Node | str], line: str) -> None:
    assert render_inline(children) == line


def test_bars_are_escaped_in_tables() -> None:
    assert render_inline(["a|b"]) == "a|b"
    assert render_inline(["a|b"], in_table=True) == r"a\|b"
    assert render_inline(["# a"], in_table=True) == "# a"


def test_text_of_a_tree_is_all_kept_text_once() -> None:
    page = keep_blocks("<ul><li>a <b>b</b></li><li>c</li></ul><p>d <a href=/x>e</a></p><table><tr><td>f</table>")
    for options in (TEXT, TreeOptions(), TreeOptions(links=False, marks=False)):
        assert "".join(read_text(build_flow(*page, options)).split()) == "abcdef"
    assert np.all(page[2])
