"""Pages that an XML serialiser wrote: empty elements end where they stand."""

from __future__ import annotations

import html5lib
import lxml.etree
import lxml.html
import pytest

import webclean
from webclean.model import RepairKind
from webclean.parse.prepare import close_empty_tags, find_empty_tags
from webclean.parse.repairs import list_repairs

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


def test_repairs_have_the_places_of_the_source() -> None:
    markup = (
        f"<!DOCTYPE html><html><head><title>a</title></head><body>{VOIDS}\n{EMPTY}<p>b</p><b>c<u>d</b>\n<p>e</u></p>"
    )
    found = list_repairs(markup)
    empty = [(one.line, one.column) for one in found if one.kind is RepairKind.OMITTED and "/>" in one.message]
    assert empty == [(2, 1), (2, EMPTY.index("<span") + 1), (2, EMPTY.index("<a") + 1)]
    crossed = [one for one in found if one.kind is RepairKind.CROSSED]
    line = markup.split("\n")[1]
    assert [(one.line, one.column) for one in crossed] == [(2, line.index("</b>") + 1)]


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
