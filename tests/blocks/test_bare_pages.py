"""Pages whose text is in `noscript`, and pages that scripts fill: their text is in the data of the scripts, or a
warning says that it is not there."""

import json
from html import escape
from typing import Any

import html5lib
import pytest

import webclean
from tests import write_file
from webclean.blocks.bare_pages import find_text
from webclean.blocks.text_blocks import find_text_blocks
from webclean.parse import parse_page
from webclean.parse.xpath import build_xpath
from webclean.rules import load_rules

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
        THREAD * 2 + f"<noscript>{THREAD}</noscript>",
        POST * 2 + f"<noscript>{POST * 5}</noscript>",
        "<div id=app></div><noscript>You need to enable JavaScript to run this app.</noscript>",
        "<noscript><iframe src='//tags.example/ns.html' style='display:none'></iframe></noscript><p>Hello",
        "<noscript>" + "<img src=x>" * 500 + "</noscript>",
        "<noscript>" + "<p>" * 50 + "<frameset><textarea>" + "word " * 99 + "</noscript>",
        "<div id=app></div>",
        MENU + f"<noscript>{POST * 4}</noscript>",
        f"<div>{POST * 2}</div><template>{POST * 5}</template>",
        "<div id=app></div><script type='text/template'>" + POST.replace("river", "{{ river }}") * 6 + "</script>",
    ],
    ids=[
        *("enough text", "less than three times", "a plea for scripts", "a tracker", "images", "a frameset", "none"),
        *("less than the menus", "a template with less than three times", "to be filled in"),
    ],
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


LINE = "The tide rises twice a day in the bay of the town, as the master of the harbour wrote in his book."
TEXT = f"{LINE} It falls as often. " * 3
FROM_DATA = "the page shows next to nothing without its scripts: the text is from their data"
BARE = "the page shows next to nothing without its scripts: a browser may show more"
RULES = load_rules().script_pages


def shell(data: Any, kind: str = "application/json", visible: str = "Loading") -> str:
    script = f'<script id="__NEXT_DATA__" type="{kind}">{json.dumps(data)}</script>'
    return f'<html><head><title>Tides</title></head><body><div id="root">{visible}</div>{script}</body></html>'


@pytest.mark.parametrize("parser", ["fast", "html5lib"])
@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ({"props": {"post": {"title": "Tides", "content": f"<p>{TEXT}</p><p>{LINE}</p>"}}}, "application/json"),
        ({"@type": "NewsArticle", "articleBody": f"{TEXT}\n{LINE}"}, "application/ld+json"),
    ],
)  # fmt: skip
def test_the_text_of_an_empty_page_is_taken_from_its_data(data: Any, kind: str, parser: str) -> None:
    page = webclean.clean(shell(data, kind), parser=parser)
    assert page.text.split("\n\n") == [" ".join(TEXT.split()), LINE]
    assert page.source.part == "script"
    assert FROM_DATA in page.warnings
    assert page.title == "Tides"
    assert page.blocks[0].xpaths == ("/html/body[1]/script[1]",)


def test_the_text_of_a_blank_page_is_taken_from_its_attributes() -> None:
    data = escape(json.dumps({"page": {"props": {"content": f"<p>{LINE}</p><p>It falls twice a day.</p>"}}}))
    page = webclean.clean(f"<title>Tides</title><div id=app data-page=\"{data}\" data-count='[1, 2]'></div>")
    assert page.text == f"{LINE}\n\nIt falls twice a day."
    assert FROM_DATA in page.warnings
    # a word that is shown makes it a page of its own, which needs more than that
    shown = webclean.clean(f'<title>Tides</title><div id=app data-page="{data}">Loading the tides</div>')
    assert FROM_DATA not in shown.warnings


def test_a_few_words_among_the_settings_of_a_blank_page_are_not_its_text() -> None:
    data = {"notice": {"content": f"<p>{LINE}</p>"}, "settings": {f"key{i}": f"value {i}" for i in range(5000)}}
    assert FROM_DATA not in webclean.clean(shell(data, visible="")).warnings
    # as many words as a page has are its text, whatever stands beside them
    data["notice"]["content"] = f"<p>{TEXT}</p>"
    assert FROM_DATA in webclean.clean(shell(data, visible="")).warnings


BRACKETS = "[h1]Tides[/h1][url=/a?b&c]A [b]t[/b][/url] [img]/t.png[/img] [url]/d[/url] [x]\n[youtube=id;full][/youtube]"
PARTS = [{"type": "p", "text": LINE}, {"type": "ad", "text": "Buy"}, {"type": "p", "text": f"Part two. {TEXT}"}]
SHORT = {"text": "Another story of the port"}


@pytest.mark.parametrize(
    ("data", "markup"),
    [
        # tags in brackets are markup
        ({"body": "See [1] and [b] and [/x]"}, "<p>See [1] and [b] and [/x]</p>"),
        (
            {"body": BRACKETS},
            '<div><h1>Tides</h1><a href="/a?b&amp;c">A <strong>t</strong></a> <img src="/t.png"></img> '
            '<a href="/d">/d</a> [x]<br><iframe src="https://www.youtube.com/watch?v=id"></iframe></div>',
        ),
        # a text in parts, or in parts that are a paragraph each, is put together
        ({"other": [SHORT], "article": {"blocks": PARTS}}, f"<p>{LINE}</p>\n<p>Part two. {TEXT}</p>"),
        (
            {"blocks": [{"text": f"<p>{TEXT}</p>"}, {"text": f"<p>{LINE}</p>"}]},
            f"<div><p>{TEXT}</p></div>\n<div><p>{LINE}</p></div>",
        ),
        # one long string is the text beside short ones, and one of several paragraphs is no part of others
        ({"items": [SHORT] * 3, "content": f"<p>{TEXT}</p>"}, f"<div><p>{TEXT}</p></div>"),
        (
            {"posts": [{"content": f"<p>{TEXT}</p><p>{LINE}</p>"}, {"content": f"<p>{LINE}</p>"}]},
            f"<div><p>{TEXT}</p><p>{LINE}</p></div>",
        ),
        ({"body": "a < b & c\n\nd"}, "<p>a &lt; b &amp; c</p>\n<p>d</p>"),
    ],
)
def test_the_text_in_the_data_of_scripts(data: Any, markup: str) -> None:
    n_words, found = find_text(json.dumps(data), RULES)
    assert found == markup
    if data != {"body": BRACKETS}:
        assert n_words == len(" ".join(parse_page(markup).text).split())


@pytest.mark.parametrize("script", ["", "{", "[1, 2]", '{"title": "a b c"}', "[" * 5000, '"text"', '{"text": 5}'])
def test_data_without_text_is_none(script: str) -> None:
    assert find_text(script, RULES) == (0, "")


def test_lists_nested_too_deep_are_left_out() -> None:
    deep = "[" * 70 + '{"text": "a b"}' + "]" * 70
    assert find_text(deep, RULES) == (0, "")
    assert find_text("[" * 50 + '{"text": "a b"}' + "]" * 50, RULES)[0] == 2


def test_a_page_that_shows_its_text_is_taken_as_it_is() -> None:
    page = webclean.clean(shell({"content": "Words of the data. " * 90}, visible=f"<p>{TEXT}</p>"))
    assert page.source.part == ""
    assert "data" not in page.text
    assert page.warnings == ()


def test_short_data_are_no_text_and_an_empty_page_says_so() -> None:
    page = webclean.clean(shell({"content": LINE}))
    assert page.source.part == ""
    assert page.warnings == (BARE,)
    visible = " ".join(f"word{n}" for n in range(39))
    assert webclean.clean(shell({"content": TEXT}, visible=visible)).warnings == (BARE,)
    assert webclean.clean("<p>Loading</p>").warnings == ("the text has 1 words: the page has no more to say",)


def test_a_noscript_is_taken_first() -> None:
    page = webclean.clean(shell({"content": TEXT}, visible=f"</div><noscript><p>{TEXT} Noscript.</p></noscript><div>"))
    assert page.source.part == "noscript"


def test_scripts_of_json_are_no_linked_data() -> None:
    script = '<script type="application/json">{"@type": "Article", "author": {"name": "Nell Marsh"}}</script>'
    assert webclean.clean(f"<h1>Tides</h1><p>{TEXT}</p>{script}").author is None
    linked = script.replace("application/json", "application/ld+json")
    assert webclean.clean(f"<h1>Tides</h1><p>{TEXT}</p>{linked}").author == "Nell Marsh"


def test_rules_say_which_keys_hold_text(tmp_path: Any) -> None:
    rules = write_file(tmp_path / "rules.yaml", "version: 1\nscript_pages: {text_keys: [story]}\n")
    assert webclean.clean(shell({"story": TEXT}), rules=rules).source.part == "script"
    assert webclean.clean(shell({"content": TEXT}), rules=rules).source.part == ""


def test_the_text_of_an_empty_page_is_taken_from_an_attribute() -> None:
    inner = json.dumps({"posts": [{"content": f"<p>{TEXT}</p>"}]})
    data = json.dumps({"topic": inner}).replace("&", "&amp;").replace("'", "&#39;")
    page = webclean.clean(f"<title>Tides</title><div id=app data-preloaded='{data}'></div><script>run()</script>")
    assert page.text == " ".join(TEXT.split())
    assert FROM_DATA in page.warnings
