"""Pages whose text is in noscript."""

from __future__ import annotations

import html5lib
import pytest

import webclean
from webclean.blocks.text_blocks import find_text_blocks
from webclean.parse import parse_page
from webclean.parse.xpath import build_xpath

POST = "<p>The river rises in the hills, and it takes a long and winding way down to the sea, past eleven towns.</p>"
THREAD = "<div class=post>" + POST * 6 + "</div>"
HEAD = "<!doctype html><head><title>On rivers</title><meta name=author content='A. Hill'></head>"


@pytest.mark.parametrize("parser", ["fast", "html5lib"])
def test_an_empty_page_is_its_noscript(parser: str) -> None:
    page = webclean.clean(f"{HEAD}<body><div id=app>Loading</div><noscript>{THREAD}</noscript></body>", parser=parser)
    document = page.analysis.columns.document
    assert document.source.part == "noscript"
    assert "eleven towns" in "".join(document.text)
    assert "Loading" not in "".join(document.text)
    assert "On rivers" in document.text
    assert any(attrs.get("content") == "A. Hill" for attrs in document.attrs)


def test_xpaths_point_to_the_noscript_element() -> None:
    markup = f"{HEAD}<body><noscript><img></noscript><div id=app></div><noscript>{THREAD}</noscript></body>"
    document = webclean.clean(markup).analysis.columns.document
    blocks = find_text_blocks(document)
    tree = html5lib.parse(markup.encode(), treebuilder="lxml", namespaceHTMLElements=False)
    for row in blocks.row.tolist():
        (found,) = tree.xpath(build_xpath(document, row))
        assert found.tag == "noscript"
        assert "eleven towns" in "".join(found.itertext())


MENU = "<ul>" + "<li><a href=/b>General talk of boats</a></li>" * 25 + "</ul>"


@pytest.mark.parametrize("parser", ["fast", "html5lib"])
@pytest.mark.parametrize("tag", ["noscript", "template", "script type=text/template", "script type='text/x-template'"])
def test_a_page_of_menus_is_what_it_holds_for_its_script(tag: str, parser: str) -> None:
    end = tag.partition(" ")[0]
    page = webclean.clean(f"{HEAD}<body>{MENU}<{tag}>{THREAD * 2}</{end}></body>", parser=parser)
    assert page.source.part == end
    assert page.text.count("eleven towns") == 12


@pytest.mark.parametrize(
    "body",
    [
        MENU + f"<noscript>{POST * 4}</noscript>",
        f"<div>{POST * 2}</div><template>{POST * 5}</template>",
        "<div id=app></div><script type='text/template'>" + POST.replace("river", "{{ river }}") * 6 + "</script>",
    ],
    ids=["less than the menus", "less than three times", "to be filled in"],
)
def test_what_is_held_must_be_enough(body: str) -> None:
    assert webclean.clean(HEAD + body).source.part == ""


@pytest.mark.parametrize(
    "body",
    [
        THREAD * 2 + f"<noscript>{THREAD}</noscript>",
        POST * 2 + f"<noscript>{POST * 5}</noscript>",
        "<div id=app></div><noscript>You need to enable JavaScript to run this app.</noscript>",
        "<noscript><iframe src='//tags.example/ns.html' style='display:none'></iframe></noscript><p>Hello",
        "<noscript>" + "<img src=x>" * 500 + "</noscript>",
        "<noscript>" + "<p>" * 50 + "<frameset><textarea>" + "word " * 99 + "</noscript>",
        "<div id=app></div>",
    ],
    ids=["enough text", "less than three times", "a plea for scripts", "a tracker", "images", "a frameset", "none"],
)
def test_other_pages_stay_as_they_are(body: str) -> None:
    assert webclean.clean(HEAD + body).analysis.columns.document.source.part == ""


def test_columns_of_the_grafted_page_nest() -> None:
    document = webclean.clean(
        f"<p>x<noscript><style>p{{}}</style>{THREAD}<table><td>y</table>"
    ).analysis.columns.document
    assert document.source.part == "noscript"
    assert (document.end[document.parent[1:]] >= document.end[1:]).all()
    assert (document.text_owner < document.text_next).all()
    whole = parse_page(f"<style>p{{}}</style>{THREAD}<table><td>y</table>")
    assert "".join(document.text) == "".join(whole.text)


@pytest.mark.parametrize("parser", ["fast", "html5lib"])
def test_a_frameset_is_its_noframes(parser: str) -> None:
    frames = "<frameset cols='160,*'><frame src=menu.htm><frame src=start.htm>"
    inside = "<body bgcolor=white><h1>Light railway</h1><p>Trains run on <b>Sundays</b>.</body>"
    page = webclean.clean(f"{HEAD}{frames}<noframes>{inside}</noframes></frameset>", parser=parser)
    assert page.analysis.columns.document.source.part == "noframes"
    assert page.text == "Light railway\n\nTrains run on Sundays."
    assert page.title
    assert {xpath for block in page.blocks for xpath in block.xpaths} == {"/html/frameset[1]/noframes[1]"}


@pytest.mark.parametrize("noframes", ["<noframes></noframes>", "", "<noframes><frameset><frame></frameset></noframes>"])
def test_a_frameset_without_text_stays_empty(noframes: str) -> None:
    page = webclean.clean(f"{HEAD}<frameset><frame src=a.htm>{noframes}</frameset>")
    assert page.text == ""
    assert page.page_type == "no_feature"
