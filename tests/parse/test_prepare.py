"""Markup before it is parsed: tags that are looked for, elements that an XML serialiser left empty, and elements that
hold text alone and never end, which would have the whole page for their text.

And pieces of markup that are no page.
"""

import html5lib
import lxml.etree
import lxml.html
import pytest

import webclean
from tests.counting import count_calls
from webclean.parse.limits import Budget
from webclean.parse.prepare import (
    FoundTags,
    close_empty_tags,
    find_empty_tags,
    find_tags,
    prepare_markup,
    write_mentions,
)
from webclean.parse.snippets import count_attributes, list_outermost, read_text

MARKUP = "<HTML lang=en><input><INPUT type=hidden><col><Col/><table><b class=x><b><font color=1><body>x</body>"


def test_tags_are_found_with_their_places() -> None:
    places = {name: MARKUP.index(name) for name in ("<input>", "<INPUT", "<body>")}
    assert find_tags(MARKUP) == FoundTags(
        roots=[0, places["<body>"]],
        inputs=[places["<input>"], places["<INPUT"]],
        n_columns=2,
        n_tables=1,
        n_selected=0,
        n_styled=2,
        n_tags=MARKUP.count("<"),
    )


@pytest.mark.parametrize(
    ("tag", "field"),
    [("<col >", "n_columns"), ("<col\n", "n_columns"), ("<taBle", "n_tables"), ("<selectedContent>", "n_selected")]
    + [("<Template x>", "n_templates")]
    + [(f"<{name} x>", "n_styled") for name in ("b", "s", "i", "u", "em", "tt", "big", "code", "font", "small")]
    + [(f"<{name} x>", "n_styled") for name in ("strike", "strong")]
    + [(f"<{name}>", "") for name in ("p", "html-x", "bodyx", "htm", "colgroup", "b", "br x", "/table")],
)
def test_each_tag_is_counted_as_its_kind(tag: str, field: str) -> None:
    assert find_tags(tag * 2) == FoundTags(**({field: 2} if field else {}), n_tags=2)


def test_the_selected_option_is_not_copied() -> None:
    markup = "<select><selectedcontent></selectedcontent><SelectedContent/><selectedcontents>"
    assert prepare_markup(markup, Budget()) == (
        "<select><selectedcontent-></selectedcontent-><SelectedContent-/><selectedcontents>"
    )


def test_declarative_shadow_roots_are_opened_and_other_templates_are_not() -> None:
    inner = "<template><i>row</i></template>"
    markup = f"<x-a><template shadowrootmode=open><b>in</b>{inner}</template>out</x-a></template>{inner}"
    opened = f"<x-a><shadow-root shadowrootmode=open><b>in</b>{inner}</shadow-root>out</x-a></template>{inner}"
    assert prepare_markup(markup, Budget()) == opened


def test_an_engine_changes_the_markup_that_is_left() -> None:
    seen = []

    def work_around(markup: str, found: FoundTags) -> str:
        seen.append((markup, found.n_tables))
        return markup.upper()

    assert prepare_markup("<table>x", Budget(), work_around) == "<TABLE>X"
    assert seen == [("<table>x", 1)]
    assert prepare_markup("<p>x", Budget()) == "<p>x"


VOIDS = '<meta charset="utf-8"/><br/><img src="a.png"/>'
EMPTY = '<i class="a"/><span/><a name="top"/>'


def test_empty_elements_are_closed_where_they_stand() -> None:
    closed = '<i class="a"></i><span></span><a name="top"></a>'
    assert close_empty_tags(f"{VOIDS}{EMPTY}<p>Tea</p>") == f"{VOIDS}{closed}<p>Tea</p>"


@pytest.mark.parametrize(
    "markup",
    [
        EMPTY + '<meta charset="utf-8"/><br/>',  # two void elements say little
        VOIDS + '<i class="a"/><span/>',  # two others may be a slip
        VOIDS + "<hr>" + EMPTY,
        VOIDS + EMPTY + "<INPUT type=text>",
        VOIDS.replace("/>", " />") + EMPTY,  # as people write it
        VOIDS + f"<!-- {EMPTY} --><script>'{EMPTY}'</script><style>{EMPTY}</style>",
        VOIDS + f"<!-- {EMPTY}",
        VOIDS + f"<script>{EMPTY}",
        "",
    ],
)
def test_markup_that_people_wrote_is_left_alone(markup: str) -> None:
    assert find_empty_tags(markup) == []
    assert close_empty_tags(markup) == markup


@pytest.mark.parametrize("start", ["", '<?xml version="1.0"?><html>'])
def test_tags_that_never_end_are_looked_at_once(start: str) -> None:
    # where each of them is searched to the end of the page, these take minutes
    assert find_empty_tags(start + "<a" * 2_000_000) == []


def test_what_follows_a_comment_or_a_script_is_seen() -> None:
    markup = f"<!-- <i/> --><script>'<i/>'</script>{VOIDS}{EMPTY}"
    assert [name for _, name in find_empty_tags(markup)] == ["i", "span", "a"]


def test_a_page_is_the_same_after_an_xml_serialiser() -> None:
    html = (
        "<html><head><meta charset=utf-8><title>Tides</title><script src=a.js></script></head><body><div id=ad></div>"
        "<h1>Tides of May</h1><p>High water is at noon, and low water six hours later.<i aria-hidden=true></i><br>"
        "<img src=a.png><textarea></textarea><p>The ferry sails an hour before. <span class=x></span>It does not wait."
    )
    written = lxml.etree.tostring(lxml.html.document_fromstring(html), encoding="unicode")
    assert '<div id="ad"/>' in written
    assert webclean.clean(written).text == webclean.clean(html).text != ""


@pytest.mark.parametrize("engine", ["fast", "html5lib"])
def test_xpaths_are_those_of_the_bytes_as_they_came(engine: str) -> None:
    """All that follows `<div/>` stands in it in html5lib's tree; blocks and sections name their elements there."""
    story = "".join(
        f'<div class="story"><h2>Tide {n}</h2><p>High water of day {n} is at noon.</p></div>' for n in range(4)
    )
    markup = (
        f"<html><head>{VOIDS}</head><body><div id='ad'/><i class='icon'/><div id='main'>{story}<span/></div>"
        "<table><tr><td>Noon</td><td>Night</td></tr></table><div id='end'><p>The end of the tides.</p></div>"
    )
    page = webclean.clean(markup, parser=engine)
    tree = html5lib.parse(markup, treebuilder="lxml", namespaceHTMLElements=False)
    sections = [one for section in page.sections for one in section.walk()]
    assert len(page.blocks) > 1
    for part in (*page.blocks, *sections):
        for path in part.xpaths:
            (element,) = tree.xpath(path)
            said = " ".join("".join(element.itertext()).split())
            assert part.text.split()[0] in said
    (end,) = tree.xpath(next(path for block in page.blocks for path in block.xpaths if "end of the" in block.text))
    assert end.get("id") == "end" or end.getparent().get("id") == "end"


TEXT = "The harbour wall was mended in the spring by eleven masons, who used the old stone, and it held."
BODY = f"<h1>The wall</h1><p>{TEXT}</p>" + f"<p>{TEXT}</p>" * 3


@pytest.mark.parametrize("parser", ["fast", "html5lib"])
@pytest.mark.parametrize(
    "markup",
    [
        f"<head><title>The wall<meta charset=utf-8></head><body>{BODY}",
        f"<head><title>The wall<title><meta charset=utf-8></head><body>{BODY}",
        f"<head><TITLE>The wall\n<style>p {{ color: red }}</head><body>{BODY}",
        f"<head><title>The wall</title></head><body><iframe src=map.html />{BODY}",
        f"<head><title>The wall</title></head><body><textarea name=q />{BODY}",
        f"<head><title>The wall</title></head><body><!-- the text >{BODY}",
    ],
    ids=["title", "two titles", "style", "iframe", "textarea", "comment"],
)
def test_what_never_ends_does_not_swallow_the_page(markup: str, parser: str) -> None:
    page = webclean.clean(markup, parser=parser)
    assert page.text.count(TEXT) == 4
    assert page.title == "The wall"


def test_a_comment_that_hides_the_end_of_a_page_hides_it() -> None:
    page = webclean.clean(f"{BODY}<!-- for now <div>{TEXT} Book your place.</div>")
    assert "Book" not in page.text


def test_a_title_deep_in_the_body_is_read() -> None:
    drawing = "<svg><g><title>An arrow</title></g></svg>"
    assert webclean.clean(f"<div>{drawing}<div><title>The wall</title>{TEXT}</div></div>").title == "The wall"


@pytest.mark.parametrize("markup", ["<iframe ", "<title>", "<textarea></style>", "<!--<style "])
def test_many_of_them_cost_what_they_are_long(markup: str) -> None:
    limits = webclean.Limits(max_seconds=600)
    n_short, n_long = (
        count_calls(lambda n=n: webclean.clean(markup * n + "><b>", limits=limits, on_limit="truncate"))
        for n in (500, 4_000)
    )
    assert n_long < 12 * n_short


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ('<b class="mention" data-attrs="{&quot;name&quot;:&quot;Ann &amp;amp; B&quot;}"></b>', "Ann &amp;amp; B"),
        ("<a class='user-mention' data-user='{\"displayName\": \"李明\"}'> </a>", "李明"),
        ('<b class="mention" data-attrs="{&quot;name&quot;:&quot;Ann&quot;}">Bob</b>', ""),
        (
            '<i class=\'mention\' data-attrs=\'{"name":"Ann","url":"/@ann?a=1&b"}\'></i>',
            '<a href="/@ann?a=1&amp;b">Ann</a>',
        ),
        ('<b class="mention" data-attrs="{&quot;name&quot;:7}"></b>', ""),
        ('<b class="mention" data-attrs="{&quot;name&quot;"></b>', ""),
        ('<b class="widget" data-attrs="{&quot;name&quot;:&quot;mention&quot;}"></b>', ""),
    ],
)
def test_who_is_mentioned_by_data_alone_is_named(markup: str, written: str) -> None:
    tag, end = markup.rpartition("</")[0], markup[markup.rindex("</") :]
    assert write_mentions(markup) == f"{tag}{written}{end}"


@pytest.mark.parametrize(
    ("markup", "n"), [("<p>a", 0), ("<p a>", 1), ("<p a b=1 c='2'>d", 3), ("", 0), ("text", 0), ("</p>", 0)]
)
def test_attributes_are_those_of_the_first_tag(markup: str, n: int) -> None:
    assert count_attributes(markup) == n


def test_text_and_outermost_elements() -> None:
    assert read_text("<p>a<b>b</b></p> c") == "ab c"
    assert list_outermost("x<div><p>y</p></div><b></b>") == [("", "x"), ("div", ""), ("b", "")]
