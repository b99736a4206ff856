"""XPaths of rows, looked up in the tree that html5lib builds of the same bytes."""

import warnings
from pathlib import Path
from typing import Any

import html5lib
import numpy as np
import pytest
from hypothesis import assume, given

from tests.blocks.markup import MARKUP
from tests.counting import count_calls
from tests.parse.test_engines import NESTED_LINK
from webclean.blocks.text_blocks import find_text_blocks
from webclean.parse import parse_page
from webclean.parse.tags import RAW_TEXT
from webclean.parse.xpath import build_xpath, build_xpaths, name_paths, write_xml_name

FIXTURES = sorted((Path(__file__).resolve().parents[2] / "fixtures").rglob("input.html"))


def read_tree(page: bytes | str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # without the optional chardet html5lib cannot tell an undeclared encoding
        known = {} if isinstance(page, str) else {"override_encoding": parse_page(page).source.encoding}
        return html5lib.parse(page, treebuilder="lxml", namespaceHTMLElements=False, **known)


def read_text(element: Any) -> str:
    """Text below an element without raw-text elements and white space."""
    parts = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str) and child.tag.rpartition("}")[2] not in RAW_TEXT:
            parts.append(read_text(child))
        parts.append(child.tail or "")
    return "".join("".join(parts).split())


def mask(text: str) -> str:
    """Python's Big5, which html5lib reads with, has another slash than the standard's."""
    return text.replace("\u2215", "\uff0f")


def check_xpaths(page: bytes | str, tree: Any) -> None:
    document = parse_page(page)
    for row in sorted(set(find_text_blocks(document).row.tolist())):
        found = tree.xpath(build_xpath(document, row))
        assert len(found) == 1
        assert found[0].tag.rpartition("}")[2] == write_xml_name(document.names[row])
        own = [t for t, o in zip(document.text, document.text_owner, strict=True) if row <= o < document.end[row]]
        assert mask(read_text(found[0])) == mask("".join("".join(own).split()))


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: f"{path.parent.parent.name}/{path.parent.name}")
def test_xpaths_find_their_blocks_in_every_fixture(path: Path) -> None:
    page = path.read_bytes()
    check_xpaths(page, read_tree(page))


@given(MARKUP)
def test_xpaths_find_their_blocks_in_any_markup(markup: str) -> None:
    assume("<table" not in markup or not NESTED_LINK.search(markup))  # the two parsers differ, see test_engines
    markup = "<body>" + markup.replace("<select", "<span").replace("</select", "</span")
    check_xpaths(markup, read_tree(markup))


@pytest.mark.parametrize(
    "markup",
    [
        "<o:p>a</o:p><div>b</div><o:p><p>c</p></o:p>",
        "<svg><text>a</text><foreignObject><div>b</div></foreignObject></svg><p>c</p>",
        "<p><math><mi>x</mi></math><div>y</div>"
        "<math><annotation-xml encoding='text/html'><div>z</div></annotation-xml></math>",
        '<a"b><p>x</p></a"b><my-app><div>y</div></my-app>',
        "<table><tr><td>a<td>b</table><table><col></col><col><tr><td>c</table>",
        "<head><noscript><div>a<div>b</div></div></noscript><div>c</div>",
        "<head><title>t</title><noscript><link><p>a</p><img></noscript><link><script>x</script><body><p>b</p><img><p>c</p>",
        "<head><noscript>text</noscript><noscript><p>z</p></noscript><body><div>b</div><noscript><i>d</i></noscript><p>c</p>",
        "<head><template><div>a</div></template><style>x</style><body><div>b</div><template>t</template><p>c</p>",
        "<head><noscript><link rel=x><style>y</style></noscript></head><body><noscript><p>x</p></noscript><p>y</p>",
    ],
)
def test_odd_names_and_places(markup: str) -> None:
    check_xpaths(markup, read_tree(markup))


def test_rows_of_a_text_page_point_to_its_body() -> None:
    document = parse_page(b"just a line\nand another")
    assert set(build_xpaths(document, range(len(document)))) == {"/html/body"}
    assert read_tree(b"just a line\nand another").xpath("/html/body")


def test_rows_of_tables_without_classes_are_no_steps_of_a_path() -> None:
    document = parse_page(
        "<div class=b><table class='t u'><tr><td class=m><table><tr class=r><th>a</th></tr><tbody><tr><td><p>b"
    )
    named = dict(zip(document.names, name_paths(document, np.arange(len(document), dtype=np.int32)), strict=True))
    assert named["th"] == "td.m > table > tr.r > th"
    assert named["p"] == "td.m > table > td > p"


def test_a_path_has_no_names_of_a_single_article() -> None:
    document = parse_page(
        "<article class='post-81 post type-post status-publish tag-tea'><p class='x-2 y_13'>a<div class=col-md-9>b"
    )
    (*_, text, box) = name_paths(document, np.arange(len(document), dtype=np.int32))
    assert text == "html > body > article.post.type-post.status-publish > p.x-2"
    assert box == "html > body > article.post.type-post.status-publish > div.col-md-9"


def test_paths_of_many_rows_grow_with_the_page() -> None:
    short, long = parse_page("<p>x</p>" * 1_000), parse_page("<p>x</p>" * 8_000)
    assert build_xpath(long, 7_999).endswith("/p[7997]")
    assert len(build_xpaths(long, range(0, len(long), 10))) == 801
    n_short, n_long = (
        count_calls(lambda page=page: build_xpaths(page, range(0, len(page), 10))) for page in (short, long)
    )
    assert n_long < 12 * n_short


@pytest.mark.parametrize(
    ("name", "written"),
    [("p", "p"), ("h1", "h1"), ("o:p", "oU0003Ap"), ("my-app", "my-app"), ('a"b', "aU00022b"), ("é", "é")],
)
def test_names_are_written_as_xml_allows(name: str, written: str) -> None:
    assert write_xml_name(name) == written


def test_steps_count_the_elements_of_one_name() -> None:
    document = parse_page("<p>a</p><div>b</div><p>c<svg><g/><p:q/></svg><i>d</i></p>")
    assert build_xpaths(document, range(len(document))) == [
        "/html",
        "/html/head[1]",
        "/html/body[1]",
        "/html/body[1]/p[1]",
        "/html/body[1]/div[1]",
        "/html/body[1]/p[2]",
        "/html/body[1]/p[2]/*[local-name()='svg'][1]",
        "/html/body[1]/p[2]/*[local-name()='svg'][1]/*[local-name()='g'][1]",
        "/html/body[1]/p[2]/*[local-name()='svg'][1]/*[local-name()='pU0003Aq'][1]",
        "/html/body[1]/p[2]/i[1]",
    ]
