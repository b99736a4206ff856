"""The page for a small screen: heading, cards in order of importance, entries."""

from __future__ import annotations

from typing import Any

from tests.outputs.kept import keep_blocks
from tests.outputs.made_blocks import make_blocks
from webclean.model import Block, Record
from webclean.outputs.flow import Node, build_flow
from webclean.outputs.flow.head import Head
from webclean.outputs.mobile import MobileCard, render_mobile, render_mobile_index

URL = "https://news.example.org/a"


def read_body(html: str) -> list[str]:
    return html.partition("<main>\n")[2].partition("\n</main>")[0].split("\n")


def make_flow(markup: str) -> Node:
    return build_flow(*keep_blocks(markup, (), URL))


def test_a_content_page_has_its_heading_and_what_is_adapted_to_a_phone() -> None:
    heading = Head("A & B", "Ada <Q>", "2024-05-06T10:00", URL, "en")
    flow = make_flow("<p><a href=/x>x</a><img src=/i.png></p><table><tr><td>a<td>b<tr><td>c<td>d</table>")
    html = render_mobile(heading, flow)
    assert html.startswith('<!doctype html>\n<html lang="en">\n')
    assert "<title>A &amp; B</title>" in html
    lines = read_body(html)
    host = f'<a href="{URL}" rel="noopener noreferrer">news.example.org</a>'
    assert lines[:2] == ["<h1>A &amp; B</h1>", f'<p class="meta">Ada &lt;Q&gt; · 2024-05-06 · {host}</p>']
    assert lines[2] == (
        '<p><a href="https://news.example.org/x" rel="noopener noreferrer">x</a>'
        '<img src="https://news.example.org/i.png" alt="" loading="lazy"></p>'
    )
    assert lines[3].startswith('<div class="scroll">')


def test_what_is_not_known_is_not_shown() -> None:
    html = render_mobile(Head(), make_flow("<p>a</p>"))
    assert html.startswith("<!doctype html>\n<html>\n")
    assert read_body(html) == ["<p>a</p>"]
    assert read_body(render_mobile(Head(url="javascript:x()"), make_flow("<p>a</p>"))) == ["<p>a</p>"]
    assert read_body(render_mobile(Head("The  Weir"), make_flow("<h2>the weir</h2>"))) == ["<h2>the weir</h2>"]


def make_card(block: Block, markup: str) -> MobileCard:
    return MobileCard(block, make_flow(markup))


def render_cards(*cards: tuple[dict[str, Any], str], **options: bool) -> list[str]:
    blocks = make_blocks(*(block for block, _ in cards))
    made = [make_card(block, markup) for block, (_, markup) in zip(blocks, cards, strict=True)]
    return read_body(render_mobile_index(Head(url=URL), made, **options))[1:]


def test_cards_come_by_importance_under_their_headings() -> None:
    low = ({"importance": 0.1, "headings": "Low & so"}, "<p>low</p>")
    high = ({"importance": 0.9, "headings": "High"}, "<h3>high</h3><p>text</p>")
    assert render_cards(low, high) == [
        '<section class="card" id="b1">',
        "<h3>high</h3>",
        "<p>text</p>",
        "</section>",
        '<section class="card" id="b0">',
        "<h2>Low &amp; so</h2>",
        "<p>low</p>",
        "</section>",
    ]


RECORD = Record("Two cranes", "/c", "Tall & new.", "2024-01-02", "/i.png", "9 EUR", "Ada")
WORDS = "<p>Two cranes</p><p>Tall &amp; new.</p><p>Ada 9 EUR</p>"


def test_entries_stand_for_a_block_whose_words_they_all_say() -> None:
    entry = (
        '<li><img src="https://news.example.org/i.png" alt="" loading="lazy">'
        '<a href="https://news.example.org/c" rel="noopener noreferrer">Two cranes</a>'
        '<p class="meta">9 EUR · Ada · 2024-01-02</p><p>Tall &amp; new.</p></li>'
    )
    block = {"records": (RECORD,), "headings": "News"}
    assert render_cards((block, WORDS))[1:-1] == ["<h2>News</h2>", '<ul class="entries">', entry, "</ul>"]
    titled = render_cards((block, f"<h2>News</h2>{WORDS}"))[1:-1]
    assert titled == ["<h2>News</h2>", '<ul class="entries">', entry, "</ul>"]
    assert render_cards((block, WORDS), images=False)[3].startswith("<li><a href=")
    # a word that no entry repeats_title, or repeats_title once and the block twice: the block itself is shown
    for more in ("<p>today</p>", "<p>cranes</p>"):
        assert render_cards((block, WORDS + more))[2] == "<p>Two cranes</p>"
    assert render_cards(({"headings": "News"}, WORDS))[2] == "<p>Two cranes</p>"


def test_an_entry_may_lack_everything_but_a_name() -> None:
    block = {"records": (Record("", author="Ada"), Record("Plain", "javascript:x()", image="data:x"))}
    assert render_cards((block, "<p>Ada</p><p>Plain</p>"))[2:4] == [
        '<li>Ada<p class="meta">Ada</p></li>',
        "<li>Plain</li>",
    ]


def test_an_index_page_has_its_title_above_its_cards() -> None:
    card = make_card(make_blocks({})[0], "<h2>News</h2><p>a</p>")
    lines = read_body(render_mobile_index(Head("News", url=URL), [card]))
    assert lines[0] == "<h1>News</h1>"
    more = MobileCard(None, make_flow("<p>b</p>"))
    assert read_body(render_mobile_index(Head(), [card, more]))[-3:] == [
        '<section class="card" id="more">',
        "<p>b</p>",
        "</section>",
    ]
