"""The columns of a serialised tree are those that visiting its nodes gives."""

from pathlib import Path

import numpy as np
import pytest
import turbohtml
from hypothesis import example, given

from tests.blocks.markup import MARKUP
from webclean.model import Document, Limits, Source
from webclean.parse import find_attribute, parse_page, read_attribute, read_raw
from webclean.parse.columns import ParsedNodes, ParsedPage, build_document
from webclean.parse.engines import turbo
from webclean.parse.engines.turbo import scan_tree
from webclean.parse.limits import Budget

FIXTURES = sorted((Path(__file__).resolve().parents[2] / "fixtures").rglob("input.html"))
COLUMNS = ("tag", "parent", "end", "depth", "link", "block", "displayed", "text_owner", "text_next")

CASES = {
    "line break at the start": "<pre>\n\nx</pre><textarea>\n\n\ny</textarea><listing>\n\nz</listing><pre><b>\nx</b>",
    "escapes": '<p title="a&amp;b&lt;&quot;&nbsp;\'" class=" x\ty  z ">&lt;b> &amp;amp; &nbsp; "q"</p>',
    "odd names": '<a<b c>x</a<b><p =a="1" b"c=2 d<e>y</p><\u0130x \u0130=3>',
    "raw text": "<style>a<b</style><xmp><b>x</xmp><iframe><p></iframe><noembed><i></noembed><noscript><b>n</noscript>",
    "script with a comment": "<script><!-- a <b> //--></script><p>x<script>if (a<b) '<!--'</script>y",
    "script in a script": "<script><!--<script></script>--></script><p>x",
    "template": "<template><p>a<template><script></p></script></template><br>b</template><p>c",
    "foreign": "<svg><style>a&lt;b</style><title>t<p>u</p></title><col/><br><p><svg><desc><input>x</desc></svg>y",
    "foreign style with an element": "<svg><style><g>a</g></style><noscript>x</noscript></svg>z",
    "foreign html": "<svg><foreignObject><div><style>a<b</style><img>x</div></foreignObject><script>1</script></svg>",
    "math": "<math><mi><b>x</b></mi><annotation-xml encoding='text/html'><p>k</annotation-xml></math>",
    "declarations": "<?pi x><!doctype html><!-- c --><p>a<!-->b<!--d-->c<![CDATA[x]]>e<!---->f<!-- > -->g",
    "plaintext": "<p>a<plaintext><b>x</plaintext>",
    "empty": "",
    "wide characters": "<p title='\u4e2d&quot;'>\u4e2d\u6587 &lt; \U0001f600</p><a href='?a=1&amp;b=\U0001f600'>x</a>",
    "names that begin alike": "<p data=1 data-id=2><p data-id=3 data=4><p data=5 =a=1><p =a=2 b><a href c><a c href>",
    "attributes in a template": "<template><p new=1 b\"c=2 class=x>a</p><i c='>'>b</i></template><p class=y c=1>c",
    "white space": "<p>a \t\r\n b\f\x0b c</p>\n\t<p>d</p>\n\t \n\t<p>\f</p>\n\t<p> </p> <p>\t</p>",
    "frames": "<frameset><frame src=a><noframes><p>x</noframes></frameset>",
}


def parse(markup: str) -> turbohtml.Document:
    return turbohtml.parse(markup, scripting=True, positions=False, allow_declarative_shadow_roots=False)


def build(found: ParsedNodes | ParsedPage) -> Document:
    return build_document(found, Source("", "utf-8", "bom", 0), "fast", None, Budget())


def check(markup: str, *, is_known: bool = False) -> None:
    tree = parse(markup)
    scanned, walked = scan_tree(tree.serialize(), Budget()), build(turbo.walk_tree(tree, Budget()))
    assert scanned is not None or not is_known
    if scanned is None:
        return
    for made in (build(scanned),):
        for column in COLUMNS:
            assert np.array_equal(getattr(made, column), getattr(walked, column)), column
        assert made.names == walked.names
        assert made.text == walked.text
        assert dict(made.fallback) == dict(walked.fallback)
        assert [read_raw(made, name) for name in ("style", "script")] == [
            read_raw(walked, name) for name in ("style", "script")
        ]
        assert sorted(made.attrs.found.names) == sorted(walked.attrs.found.names)
        for name in made.attrs.found.names:
            assert find_attribute(made, name) == find_attribute(walked, name)
        for row, attrs in enumerate(made.attrs):
            assert list(attrs) == list(walked.attrs[row])
            for name in attrs:
                assert read_attribute(made, row, name) == read_attribute(walked, row, name)


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_columns_are_equal_on_every_fixture(path: Path) -> None:
    check(path.read_bytes().decode("utf-8", "replace"), is_known=True)


@pytest.mark.parametrize("markup", CASES.values(), ids=CASES)
def test_columns_are_equal_on_odd_markup(markup: str) -> None:
    check(markup)


@given(MARKUP)
@example("<table><a>x<tr><a>y")
def test_columns_are_equal_on_any_tree(markup: str) -> None:
    check(markup)


@pytest.mark.parametrize("case", ["plaintext", "math", "script in a script"])
def test_what_the_markup_does_not_tell_is_left_to_the_walk(case: str) -> None:
    assert scan_tree(parse(CASES[case]).serialize(), Budget()) is None


@pytest.mark.parametrize(
    "markup", ["<p>a</b>", "<p", "<p a", '<p a="', "<p>a", "</p>", "x", "<!--", "<style>", "<", "<p a='b'>"]
)
def test_what_no_parser_writes_is_left_to_the_walk(markup: str) -> None:
    assert scan_tree(markup, Budget()) is None


@pytest.mark.parametrize("limits", [Limits(max_elements=5), Limits(max_depth=3), Limits(max_attributes=1)])
def test_limits_are_those_of_the_walk(limits: Limits) -> None:
    page = "<div id=a class=b><p><b><i>x</i></b></p><p>y</p></div>" * 3
    cut = parse_page(page, limits=limits, on_limit="truncate")
    walked = build_document(
        turbo.walk_tree(parse(page), Budget(limits, True)), cut.source, "fast", None, Budget(limits, True)
    )
    assert cut.names == walked.names
    assert cut.depth.tolist() == walked.depth.tolist()
    assert cut.text == walked.text


def test_there_may_be_thousands_of_names() -> None:
    check("".join(f"<p a{i}=1>x</p>" for i in range(3000)))
    check("".join(f"<x-{i}>x</x-{i}>" for i in range(3000)))
