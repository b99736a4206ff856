"""Index pages: cards by importance, with whole entries and no litter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from tests.outputs.phone.made_pages import change_rules, make_blocks_page, show_block_lines, show_blocks
from webclean.model import Record, Role
from webclean.outputs.flow import Head
from webclean.outputs.phone import Layout, PhonePage, render_phone

FIRST = Record("Two cranes", "/c", "Tall & new.", "2024-01-02T08:05:00+01:00", "/i.png", "9 EUR", "Ada")
SECOND = Record("One heron", "/h")
NEWS = """<div id=b><h2>News</h2><p>&lt;</p><ul>
<li id=u1><img src=/i.png><h3>Two cranes</h3><p>Ada</p><p>9 EUR</p><p>Tall &amp; new.</p>
<p>Blue</p><p>Red</p><p>•</p></li>
<li id=u2><a href=/h>One heron</a></li></ul><p>1</p><p>2</p></div>"""
ENTRY = (
    '<li><img src="https://news.example.org/i.png" alt="" loading="lazy">'
    '<a href="https://news.example.org/c">Two cranes</a>'
    '<p class="meta"><strong>9 EUR</strong> · <bdi>Ada</bdi> · <bdi>2024-01-02 08:05</bdi></p>'
    '<p>Tall &amp; new.</p><p class="meta"><bdi>Blue</bdi> · <bdi>Red</bdi></p></li>'
)


def make_block(**more: Any) -> dict[str, Any]:
    return {"at": "b", "headings": "News", "records": (FIRST, SECOND), "units": ("u1", "u2"), **more}


def flatten(lines: list[str]) -> str:
    return "".join(lines)


def test_a_list_shows_whole_entries_and_no_litter() -> None:
    written = flatten(show_block_lines(NEWS, [make_block()], head=Head()))
    assert written == (
        f'<section class="card" id="b0"><h2 id="h1">News</h2><ul class="entries">{ENTRY}'
        '<li><a href="https://news.example.org/h">One heron</a></li>'
        "</ul></section>"
    )


def test_what_a_list_says_beside_its_entries_stands_before_and_after_them() -> None:
    markup = NEWS.replace("<p>&lt;</p>", "<h3>Of the year</h3><p>Of birds.</p>").replace("<p>1</p>", "<p>All birds</p>")
    html = show_blocks(markup, [make_block()])
    shown = ["News</h2>", "Of the year</h3>", "<p>Of birds.</p>", "One heron", "<p>All birds</p>"]
    assert is_in_order(html, *shown)
    assert html.count("News") == 1


def test_a_long_line_of_signs_is_not_shown_in_an_entry() -> None:
    markup = NEWS.replace("<p>Blue</p>", f"<p>{'* ' * 60}</p>")
    assert "* *" not in show_blocks(markup, [make_block()])


def test_code_in_an_entry_stays_code() -> None:
    markup = NEWS.replace("<p>Blue</p>", "<pre>fly()\n  land()</pre>")
    assert "<pre><code>fly()\n  land()</code></pre>" in show_blocks(markup, [make_block()])


def test_images_and_a_heading_that_is_the_title_are_left_out() -> None:
    page = make_blocks_page(NEWS, [make_block()], head=Head("news"), images=False)
    html = render_phone(page)
    assert "<img" not in html
    assert "<h2" not in html


def test_all_records_of_a_kept_block_are_shown_and_only_kept_ones_of_another() -> None:
    drop = ("One heron",)
    assert "One heron" in show_blocks(NEWS, [make_block()], drop=drop)
    assert "One heron" not in show_blocks(NEWS, [make_block(kept=False)], drop=drop)
    nothing = ("News", "<", "Two", "Ada", "9", "Tall", "Blue", "Red", "•", "One", "1", "2")
    html = show_blocks(NEWS, [make_block()], drop=nothing)
    shown = ("Two cranes", "Tall &amp; new.", "One heron")
    assert all(title in html for title in shown) and "Blue" not in html
    assert "Two cranes" not in show_blocks(NEWS, [make_block(kept=False)], drop=nothing)


def test_addresses_that_run_are_no_links_of_entries() -> None:
    records = (Record("", author="Ada"), Record("Plain", "javascript:x()", image="data:x"))
    written = flatten(show_block_lines(NEWS, [make_block(records=records)], drop=("cranes", "heron")))
    assert "javascript" not in written
    assert "data:" not in written
    assert "<li><strong>Ada</strong>" in written
    assert "<li><strong>Plain</strong>" in written


def test_a_text_with_few_entries_is_no_list() -> None:
    markup = "<div id=b><p>" + "Cranes are birds. " * 9 + "</p><ul><li id=u1><a href=/c>Two cranes</a></ul></div>"
    page = make_blocks_page(markup, [make_block(records=(SECOND,), units=("u1",))])
    assert 'class="entries"' in render_phone(change_rules(page, list_share=0.01))
    assert '<li class="links"><a href=' in render_phone(page)


def test_rows_of_a_table_are_entries() -> None:
    records = tuple(Record(f"Ann {n}", "/x") for n in range(6))
    rows = "".join(f"<tr id=r{n}><td><a href=/{n}>Ann {n}</a><td>{n} replies" for n in range(6))
    units = [f"r{n}" for n in range(6)]
    topics = make_blocks_page(f"<table id=b>{rows}</table>", [make_block(records=records, units=units)])
    assert "<table>" not in render_phone(topics)
    assert '<p class="meta"><bdi>4 replies</bdi></p>' in render_phone(topics)
    assert "replies" not in render_phone(replace(topics, is_idle=lambda text: text.endswith("replies")))


def is_in_order(page: str, *words: str) -> bool:
    places = [page.index(word) for word in words]
    return places == sorted(places)


def test_cards_come_by_importance_and_lists_before_texts_that_are_hardly_more() -> None:
    markup = f"<div id=x><p>low</p></div><div id=y><p>high</p></div>{NEWS}"
    low, high = ({"at": "x", "importance": 0.1}, {"at": "y", "importance": 0.7})
    one = tuple(Record(name, f"/{name}", price="9 EUR") for name in "ABC")
    listed = {"at": "b", "importance": 0.6, "records": one, "units": ()}
    html = show_blocks(markup, [low, high, listed])
    assert is_in_order(html, "<p>high", ">Blue<", "<p>low")
    listed["units"] = ("u1", "u2", "u2")
    page = make_blocks_page(markup, [low, high, listed])
    bare = {**listed, "records": tuple(Record(name, f"/{name}") for name in "ABC")}
    assert is_in_order(show_blocks(markup, [low, high, bare]), "<p>high", ">Blue<")
    assert is_in_order(render_phone(page), ">Blue<", "<p>high", "<p>low")
    assert is_in_order(render_phone(change_rules(page, list_importance=0.0)), "<p>high", ">Blue<")


def make_lone(n: int, **more: Any) -> tuple[str, list[dict[str, Any]]]:
    markup = "".join(f"<div id=b{k}><a id=u{k} href=/{k}>Bird {k}</a></div>" for k in range(n))
    blocks = [
        {"at": f"b{k}", "records": (Record(f"Bird {k}", f"/{k}"),), "units": (f"u{k}",), "importance": 0.5, **more}
        for k in range(n)
    ]
    return markup, blocks


def test_entries_that_are_blocks_of_their_own_are_one_list() -> None:
    html = show_blocks(*make_lone(3))
    assert (html.count("<section"), html.count("<li>")) == (1, 3)
    assert re.findall(r"Bird \d", html) == ["Bird 0", "Bird 1", "Bird 2"]
    headed = make_lone(3, headings="Osprey Ltd")
    html = show_blocks(*headed)
    assert (html.count("<section"), html.count("<bdi>Osprey Ltd</bdi>"), html.count("<h2")) == (1, 3, 0)
    two = show_blocks(*make_lone(2, headings="Osprey Ltd"))
    assert (two.count("<section"), two.count(">Osprey Ltd</h2>")) == (2, 2)


def test_a_shelf_is_a_list_of_goods() -> None:
    goods = (Record("Lamp", "/l", image="/l.png", price="9 EUR"), Record("Desk", "/d", image="/d.png", price="90 EUR"))
    assert 'class="entries shelf"' in show_blocks(NEWS, [make_block(records=goods)])
    assert 'class="entries shelf"' not in show_blocks(NEWS, [make_block(records=goods)], images=False)
    assert 'class="entries shelf"' not in show_blocks(NEWS, [make_block()])


@pytest.mark.parametrize(("more", "summary"), [("", "Bright. " * 20), (" " + "Lamp " * 29, "")])
def test_wares_with_much_to_read_or_long_titles_are_no_shelf(more: str, summary: str) -> None:
    wares = tuple(Record(f"{n}{more}", f"/{n}", summary, image="/l.png", price="9 EUR") for n in ("Lamp", "Desk"))
    page = make_blocks_page(NEWS, [make_block(records=wares)])
    assert 'class="entries shelf"' not in render_phone(page)
    assert 'class="entries shelf"' in render_phone(change_rules(page, shelf_chars=160))


def test_lists_that_say_more_than_titles_are_lists_within_a_text() -> None:
    names = ("crane", "heron", "gull", "tern")
    items = "".join(f"<li id={name}><a href=/{name}>A {name}</a><p>It is tall.</p><p>»</p></li>" for name in names)
    birds = tuple(Record(f"A {name}", f"/{name}", "It is tall.") for name in names)
    markup = f"<p>before</p><div id=b><h3>Birds</h3><ul>{items}</ul></div><p>after</p>"
    block = {"at": "b", "headings": "Birds", "records": birds, "units": names, "role": Role.INDEX}

    def render(**change: Any) -> list[str]:
        return show_block_lines(markup, [{**block, **change}], Layout.ARTICLE, Head())

    listed = render()
    assert [listed[0], listed[1], listed[2], listed[-1]] == [
        "<p>before</p>",
        '<h2 id="h1">Birds</h2>',
        '<ul class="entries">',
        "<p>after</p>",
    ]
    assert flatten(listed).count("»") == 0
    assert flatten(listed).count('<li><a href="https://news.example.org/tern">A tern</a><p>It is tall.</p></li>') == 1
    titles = tuple(Record(bird.title, bird.url) for bird in birds)
    for change in ({"role": Role.CONTENT}, {"records": titles}, {"records": birds[:2], "units": names[:2]}):
        assert 'class="entries"' not in flatten(render(**change)), change


def test_text_outside_all_blocks_comes_last() -> None:
    html = show_blocks(f"<p>loose</p>{NEWS}", [make_block(importance=0.1)])
    assert html.index('id="more"') > html.index("One heron")
    assert "<p>loose</p>" in html.partition('id="more"')[2]


def test_numbers_of_pages_are_no_entries() -> None:
    records = (Record("2", "/2"), Record("›", "/3"), Record("1984", "/b", price="9 EUR"))
    html = show_blocks(NEWS, [make_block(records=records)], drop=("cranes", "heron"))
    assert re.findall(r"<li>\s*<a [^>]*>([^<]*)<", html) == ["1984"]
    litter = make_block(records=records[:2], headings="")
    nothing = ("News", "<", "Two", "Ada", "9", "Tall", "Blue", "Red", "•", "One", "1", "2")
    assert "<section" not in show_blocks(NEWS, [litter], drop=nothing)


def test_an_entry_that_is_there_twice_is_shown_once() -> None:
    again = Record("One heron", "/h", summary="Grey.")
    records = (SECOND, SECOND, again, Record("One heron", "/other"))
    markup = "<div id=b>" + "".join(f"<p id=u{at}><a href=/h>One heron</a></p>" for at in range(4)) + "</div>"
    block = make_block(records=records, units=("u0", "u1", "u2", "u3"), headings="")
    html = show_blocks(markup, [block])
    assert re.findall(r'<li>\s*<a href="https://news.example.org(/\w+)">', html) == ["/h", "/h", "/other"]


def test_buttons_and_ratings_are_left_out_of_entries() -> None:
    page = replace(make_blocks_page(NEWS, [make_block()]), is_button=lambda text: text == "Blue")
    html = render_phone(page)
    assert "Blue" not in html and '<p class="meta"><bdi>Red</bdi></p>' in html


@pytest.mark.parametrize("colon", [":", "\uff1a"])
def test_a_label_of_an_entry_has_its_value_or_is_left_out(colon: str) -> None:
    labels = (
        f"<p>Kind{colon}</p><p>Two</p><p>Neck{colon}</p><p>Two</p><p>Price{colon}</p><p>9 EUR</p><p>Sort{colon}</p>"
    )
    html = show_blocks(NEWS.replace("<p>Blue</p><p>Red</p>", labels), [make_block()])
    shown = re.sub(r"<[^>]+>", "", html)
    assert re.search(rf"Kind{colon} ?Two · Neck{colon} ?Two", shown)
    assert "Price" not in shown and "Sort" not in shown


def test_a_heading_that_is_a_block_names_the_list_after_it() -> None:
    markup = "<div id=h><h3>Birds</h3></div>" + NEWS.replace("<h2>News</h2>", "")
    blocks = [{"at": "h", "importance": 0.9}, make_block(headings="", importance=0.1)]
    html = show_blocks(markup, blocks)
    assert (html.count('class="card"'), html.count("Birds")) == (1, 1)
    assert is_in_order(html, "Birds</h2>", "Two cranes")


def test_an_index_page_is_by_nobody() -> None:
    head = Head(url="https://news.example.org/a", author="Bo Stone", date="2024-05-06")
    assert "Bo Stone" not in show_blocks(NEWS, [make_block()], head=head)
    assert "2024-05-06" not in show_blocks(NEWS, [make_block()], head=head)


def test_links_that_are_all_of_a_line_have_room_for_a_finger() -> None:
    markup = "<p><a href=/a>One</a> | <a href=/b>Two</a></p><p>Of <a href=/c>three</a> birds.</p>"
    html = show_blocks(f"<div id=b>{markup}</div>", [{"at": "b"}], Layout.ARTICLE)
    assert html.count('<p class="links">') == 1 and "<p>Of <a" in html


@pytest.mark.parametrize(
    ("written", "price", "shown"),
    [
        ("$279.99 USD", "$279.99", "$279.99 USD"),
        ("279,99 zł", "279,99", "279,99 zł"),
        ("$100.00 $90.00", "$90.00", "$90.00 <del>$100.00</del>"),
        ("100 € 90 €", "90 €", "90 € <del>100 €</del>"),
        ("<s>￥100</s> ￥90", "￥90", "￥90 <del>￥100</del>"),
        ("from 5 to 90 EUR", "90 EUR", "90 EUR"),
        ("$50,000 - $74,999 USD", "$50,000", "$50,000 - $74,999 USD"),
        ("50 – 75 €", "50", "50 – 75 €"),
        ("Starting at $12.00", "$12.00", "Starting at $12.00"),
        ("à partir de 12 €", "12 €", "à partir de 12 €"),
    ],
)
def test_the_price_of_an_entry_is_said_once_as_the_page_writes_it(written: str, price: str, shown: str) -> None:
    markup = f"<ul id=l><li id=u0><a href=/b>Three boats</a><p>{written}</p></ul>"
    block = {"at": "l", "records": (Record("Three boats", "/b", price=price),), "units": ["u0"]}
    html = "".join(show_block_lines(markup, [block]))
    assert f"<strong>{shown}</strong>" in html
    assert html.count("75") + html.count("74,999") <= 1


def show_entry(line: str, **more: Any) -> str:
    """The entry of a bird of whose text a line is given."""
    record = {"title": "One heron", "url": "/h", **more}
    markup = f"<ul id=l><li id=u0><a href=/h>One heron</a>{line}</li></ul>"
    return "".join(show_block_lines(markup, [{"at": "l", "records": (Record(**record),), "units": ["u0"]}]))


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("<p>1 point by ada 2 hours ago | hide | 3 comments</p>", "1 point by ada 2 hours ago | hide | 3 comments"),
        ("<p>von ada 2 hours ago, 7 Antworten</p>", "von ada 2 hours ago, 7 Antworten"),
        ("<p>2 hours ago · Birds</p>", "Birds"),
    ],
)
def test_a_date_within_a_line_stays_there_and_is_said_once(line: str, shown: str) -> None:
    html = show_entry(line, date="2 hours ago", author="ada")
    assert f"<bdi>{shown}</bdi>" in html and html.count("2 hours ago") == 1


@pytest.mark.parametrize(
    "line",
    [
        "<p>for Club 12 <a href=/h>One heron</a> for Club 13</p>",
        "<p>python <a href=/h>One heron</a> ml</p>",
        "<p>fn ne(<b>One heron</b>) -> bool</p>",
    ],
)
def test_the_title_is_left_out_of_a_line_only_where_it_begins_or_ends(line: str) -> None:
    assert line.replace("<p>", "").partition("<")[0] in show_entry(line) and show_entry(line).count("One heron") == 2
    assert show_entry("<p>Of birds: <a href=/h>One heron</a></p>").count("One heron") == 1


def test_numbers_of_an_entry_stand_with_their_names() -> None:
    html = show_entry("<p>Weight:</p><p>11</p><p>Length:</p><p>0.5</p><p>7</p>")
    assert "Weight:</bdi> <bdi>11</bdi>" in html and "Length:</bdi> <bdi>0.5</bdi>" in html and "<bdi>7<" not in html
    table = "<table><tr><th>Eggs<th>All</tr><tr><td>Brown<td>189</tr><tr><td>White<td>522</tr></table>"
    assert "<td>189</td>" in show_entry(table) and "<td>522</td>" in show_entry(table)


def test_an_entry_that_says_more_than_the_one_before_is_shown_too() -> None:
    record, text = (
        Record("One heron", "/h"),
        "It stands in the reeds of the lake from April on, and waits for the frogs.",
    )
    markup = f"<ul id=l><li id=u0><a href=/h>One heron</a><li id=u1><a href=/h>One heron</a><p>{text}</p></ul>"
    block = {"at": "l", "records": (record, record), "units": ["u0", "u1"]}
    assert text in show_blocks(markup, [block]) and text in show_blocks(markup.replace(text, f"{text} {text}"), [block])
    assert show_blocks(markup.replace(text, "Share"), [block]).count("One heron") == 1


def test_what_was_dropped_of_a_block_is_not_shown_by_its_records() -> None:
    """Neither its heading nor what its records say is text, though some of its text is kept."""
    footer = Record("One heron", None, "© 2010 Birds Inc. All rights reserved.")
    html = show_blocks(NEWS, [make_block(kept=False, records=(footer,), units=("u2",))], drop=("News", "©"))
    assert "One heron" in html and "Inc." not in html and "News" not in html


def test_a_heading_in_an_entry_stays_where_its_text_is_the_summary() -> None:
    text = "Hiking packs are made for hydration reservoirs; some have straps or loops to attach poles."
    assert "<bdi>Consider this</bdi>" in show_entry(f"<p>Consider this:</p><p>{text}</p>", summary=text)
    assert "Size" not in show_entry("<p>Size:</p>")


def make_teasers(*titles: str, headings: Sequence[str] = ()) -> tuple[str, list[dict[str, Any]]]:
    """Teasers that are a block each."""
    markup = "".join(f"<div id=b{n}><a href=/{n}>{title}</a></div>" for n, title in enumerate(titles))
    blocks = [
        {
            "at": f"b{n}",
            "units": (f"b{n}",),
            "records": (Record(title, f"/{n}", image=f"/{n}.png"),),
            "headings": heading,
        }
        for n, (title, heading) in enumerate(zip(titles, headings or [""] * len(titles), strict=True))
    ]
    return markup, blocks


def make_list_page(n: int, n_lists: int = 1, **more: str) -> PhonePage:
    """A page of lists of `n` entries each."""
    lists = [[(f"u{at}-{number}", f"Bird {at}-{number}") for number in range(n)] for at in range(n_lists)]
    items = ["".join(f"<li id={name}><a href=/{name}>{title}</a></li>" for name, title in found) for found in lists]
    blocks = [
        {
            "at": f"b{at}",
            "units": tuple(name for name, _ in found),
            "records": tuple(Record(title, f"/{name}", **more) for name, title in found),
            "headings": f"List {at}",
        }
        for at, found in enumerate(lists)
    ]
    return make_blocks_page("".join(f"<div id=b{at}><ul>{item}</ul></div>" for at, item in enumerate(items)), blocks)


@pytest.mark.parametrize(
    ("n", "n_lists", "folded"),
    [
        pytest.param(7, 2, "", id="two are not worth folding away"),
        pytest.param(8, 2, "3 more", id="of several lists the first five are shown"),
        pytest.param(22, 1, "", id="an only list is what the page is for"),
        pytest.param(90, 1, "70 more", id="but nobody reads on to its end"),
    ],
)
def test_the_rest_of_a_long_list_is_folded_away(n: int, n_lists: int, folded: str) -> None:
    html = render_phone(make_list_page(n, n_lists))
    assert re.findall(r"<summary>(\d+ more)</summary>", html) == [folded] * n_lists * bool(folded)
    assert len(re.findall(r"<li><a[^>]*>Bird", html)) == n * n_lists
    assert '<details class="rest" open' not in html


def test_a_label_of_the_rest_with_other_braces_is_shown_as_it_is() -> None:
    page = make_list_page(9, 2)
    labels = msgspec.structs.replace(page.labels, rest="{} {more}")
    assert "<summary>4 {more}</summary>" in render_phone(change_rules(page, labels={"en": labels}))


@pytest.mark.parametrize(("n", "kind"), [(7, "card lead"), (8, "card")])
def test_the_lead_comes_first_and_is_large_where_it_is_no_long_list(n: int, kind: str) -> None:
    page = make_list_page(n, 3, summary="It flew in on the last day of March.")
    [source] = page.sources
    html = render_phone(replace(page, sources=[replace(source, lead=(2,))]))
    assert re.findall('<section class="([^"]+)" id="(b.)"', html) == [(kind, "b2"), ("card", "b0"), ("card", "b1")]


def test_cards_beyond_the_first_screens_are_closed() -> None:
    text = f"<p>{'The wheel turns. ' * 30}</p>"
    markup = "".join(f"<div id=b{n}><h2>Part {n}</h2>{text}</div>" for n in range(20))
    page = make_blocks_page(markup, [{"at": f"b{n}", "heading": f"Part {n}"} for n in range(20)])
    shown, closed = render_phone(page).split('<details class="more">')
    assert 8 <= shown.count("<h2") <= 16
    assert shown.count("<h2") + closed.count("<h2") == 20
    assert '<details class="more">' not in render_phone(change_rules(page, front_bytes=100_000))


def test_an_entry_says_its_date_once() -> None:
    entry = "<li id=u{0}><a href=/{0}>Story of the mill {0}</a>, <time>{0} May 2024</time> Ada Lind</li>"
    markup = f"<ul id=b>{''.join(entry.format(n) for n in range(1, 5))}</ul>"
    records = [
        Record(f"Story of the mill {n}", f"https://news.example.org/{n}", date=f"{n} May 2024") for n in range(1, 5)
    ]
    page = make_blocks_page(markup, [{"at": "b", "units": [f"u{n}" for n in range(1, 5)], "records": records}])
    html = render_phone(page)
    assert html.count("2 May 2024") == 1
    assert "<bdi>Ada Lind</bdi>" in html
