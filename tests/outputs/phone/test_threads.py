"""Threads: each post under its author and time."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import webclean
from tests.outputs.phone.made_pages import change_rules, make_blocks_page, render_lines, show_block_lines, show_blocks
from webclean.model import Count, Record, Role
from webclean.outputs.flow import Head
from webclean.outputs.phone import Layout, render_phone
from webclean.page.formats import keep_quotations

POSTS = """<div id=b>
<div id=u1><p><b>Ada</b></p><p>Mon 6 May 2024 10:30</p><p>Does it turn?</p><hr></div>
<div id=u2><p>Posted by nobody</p>
<p>It turns on <b>6 May 2024</b>, as it has for as long as anybody can remember it.</p></div>
<div id=u3><p>signature</p></div></div><p>after</p>"""
RECORDS = (
    Record("", author="Ada", date="2024-05-06T10:30:00Z"),
    Record("", author="Bob", date="2024-05-06T11:00:00Z"),
    Record("Signature", "/x"),
)


def make_thread(layout: Layout = Layout.THREAD, **more: Any) -> Any:
    block = {"at": "b", "records": RECORDS, "units": ("u1", "u2", "u3"), **more}
    return make_blocks_page(POSTS, [block], layout, Head())


def test_each_post_has_its_author_and_time_once() -> None:
    assert render_lines(make_thread()) == [
        '<article class="post">',
        '<p class="by"><strong><strong>Ada</strong></strong> · <bdi>Mon 6 May 2024 10:30</bdi></p>',
        "<p>Does it turn?</p>",
        "</article>",
        '<article class="post">',
        '<p class="by"><strong>Bob</strong> · <bdi>2024-05-06 11:00</bdi></p>',
        "<p>Posted by nobody</p>",
        "<p>It turns on <strong>6 May 2024</strong>, as it has for as long as anybody can remember it.</p>",
        "</article>",
        "<p>signature</p>",
        "<p>after</p>",
    ]


def test_a_post_that_is_an_item_of_a_list_has_no_bullet() -> None:
    markup = "<ul id=b><li id=u1><b>Ada</b><p>Does it turn?</p><li id=u2>It turns.</ul>"
    page = make_blocks_page(markup, [{"at": "b", "records": RECORDS[:2], "units": ("u1", "u2")}], Layout.THREAD, Head())
    assert "<li>" not in render_phone(page)
    assert "<p>It turns.</p>" in render_lines(page)


def test_comments_below_a_text_are_posts() -> None:
    assert 'class="post"' in render_phone(make_thread(Layout.ARTICLE, role=Role.COMMENTS))


def test_fewer_posts_than_the_rules_say_are_no_thread() -> None:
    assert 'class="post"' not in render_phone(change_rules(make_thread(), posts=3))
    assert 'class="post"' in render_phone(change_rules(make_thread(), posts=2))


def test_what_the_text_lacks_of_kept_lists_is_closed_below_it() -> None:
    text = {"at": "b"}
    listed = {"at": "more", "headings": "Related", "records": (Record("Two cranes", "/c", "New."),), "units": ("u4",)}
    markup = f"{POSTS}<div id=more><a id=u4 href=/c>Two cranes</a></div>"
    lines = show_block_lines(markup, [text, listed], Layout.ARTICLE, drop=("Two cranes",))
    assert "".join(lines[lines.index('<details class="more"><summary>More on this page</summary>') :]) == (
        '<details class="more"><summary>More on this page</summary><h2>Related</h2><ul class="entries">'
        '<li><a href="https://news.example.org/c">Two cranes</a>'
        "<p>New.</p></li>"
        "</ul></details>"
    )
    for change in ({"kept": False}, {"role": Role.COMMENTS, "records": (Record("Two cranes", "/c"),)}, {"records": ()}):
        page = make_blocks_page(markup, [text, {**listed, **change}], Layout.ARTICLE, drop=("Two cranes",))
        assert "<details" not in render_phone(page)
    assert "<details" not in show_blocks(markup, [text, listed], Layout.ARTICLE)


def test_comments_that_the_text_lacks_are_closed_below_it_with_how_they_begin() -> None:
    markup = f"{POSTS}<div id=c><p id=u4>Two cranes</p></div>"
    said = Record("", summary="It turns. " * 90, author="Cy", date="2024-05-07")
    block = {"at": "c", "role": Role.COMMENTS, "records": (said, Record("Share", "/s")), "units": ("u4", "u4")}
    html = show_blocks(markup, [{"at": "b"}, block], Layout.ARTICLE, drop=("cranes",))
    listed = html.partition('<details class="more">')[2]
    assert re.findall(
        r"<li>\s*<strong>Cy</strong>\s*<p class=\"meta\"><bdi>2024-05-07</bdi></p>\s*<p>It turns\.", listed
    )
    assert re.findall(r"It( turns\.)? …</p>", listed)
    assert "Share" not in listed


def test_an_author_is_no_link_to_the_address_of_the_post() -> None:
    markup = f"{POSTS}<div id=c><p id=u4>Two cranes</p></div>"
    said = Record("", "https://x.net/reactions", "It turns.", author="Cy", date="2024-05-07")
    topic = Record("Why it turns", "https://x.net/why", author="Di")
    block = {"at": "c", "role": Role.COMMENTS, "records": (said, topic), "units": ("u4", "u4")}
    html = show_blocks(markup, [{"at": "b"}, block], Layout.ARTICLE, drop=("cranes",))
    assert "<strong>Cy</strong>" in html and "/reactions" not in html
    assert '<a href="https://x.net/why">Why it turns</a>' in html


def test_a_table_stays_whole_where_blocks_divide_it() -> None:
    rows = "".join(f"<tr id=r{n}><td>a{n}<td>b{n}</tr>" for n in range(3))
    blocks = [{"at": f"r{n}"} for n in range(3)]
    html = show_blocks(f"<table>{rows}</table>", blocks, Layout.ARTICLE)
    assert html.count("<table>") == 1
    items = "".join(f"<li id=r{n}>a{n}" for n in range(3))
    lists = show_blocks(f"<ul>{items}</ul>", blocks, Layout.ARTICLE)
    assert lists.count("<ul>") == 3


def test_further_lists_without_a_heading_of_their_own_are_one() -> None:
    markup = f"{POSTS}<div id=c><a id=u4 href=/c>Two cranes</a></div><div id=d><a id=u5 href=/d>One heron</a></div>"
    lists = [
        {"at": "c", "headings": "Two cranes", "records": (Record("Two cranes", "/c"),), "units": ("u4",)},
        {"at": "d", "records": (Record("One heron", "/d"),), "units": ("u5",)},
    ]
    html = show_blocks(markup, [{"at": "b"}, *lists], Layout.ARTICLE, drop=("cranes", "heron"))
    assert (html.count("<ul"), html.count("<h2"), len(re.findall(r"<li>\s*<a ", html))) == (1, 0, 2)


def test_a_post_that_begins_with_a_link_to_its_author_is_one() -> None:
    head = Head(url="https://news.example.org/t/1")
    said = "It turns on the sixth of May, as it has for as long as anybody can remember. " * 5
    units = "".join(f"<div id=u{n}><p>Ann {n}</p><p>{said}</p></div>" for n in range(2))
    records = tuple(Record(f"Ann {n}", f"https://news.example.org/u/{n}", date="6 years ago") for n in range(2))
    page = make_blocks_page(f"<div id=b>{units}</div>", [{"at": "b", "records": records, "units": ("u0", "u1")}],
                            Layout.THREAD, head)  # fmt: skip
    lines = render_lines(page)
    assert lines.count('<article class="post">') == 2
    assert '<p class="by"><bdi>6 years ago</bdi></p>' in lines


def test_a_post_whose_text_has_not_the_link_to_another_page_is_no_topic() -> None:
    records = tuple(Record("Edit", f"/edit/{n}", author=f"Ann {n}", date="2024-05-06") for n in range(2))
    units = "".join(f"<div id=u{n}><p>It turns.</p></div>" for n in range(2))
    block = {"at": "b", "records": records, "units": ("u0", "u1")}
    head = Head(url="https://news.example.org/t/1")
    lines = show_block_lines(f"<div id=b>{units}</div>", [block], Layout.THREAD, head)
    assert '<p class="by"><strong>Ann 1</strong> · <bdi>2024-05-06</bdi></p>' in lines


def test_quotations_in_posts_stay_quotations_where_a_format_has_them() -> None:
    said = "The shed has only one socket, and the kiln that I have looked at wants two of them."
    quote = '<blockquote class="bbCodeBlock bbCodeBlock--quote"><div>Tove said:</div><div>{}</div></blockquote>'
    post = (
        '<article class="message message--post" data-author="{0}"><div class="message-cell"><h4 class="message-name">'
        '<a class="username">{0}</a></h4></div><div class="message-cell message-cell--main">'
        '<header><time datetime="2023-11-0{1}T09:15:00+0100">Nov {1}, 2023</time></header>'
        '<div class="message-userContent"><div class="bbWrapper">{2}</div></div></div></article>'
    )
    own = "A small kiln of two kilowatts runs on that, if nothing else does at the same time. " * 3
    posts = (said, quote.format("only one socket.") + own, own, quote.format(said) + own)
    page = webclean.clean(
        "<html id=XF><title>Kilns | Clay</title><body><h1 class=p-title-value>Kilns</h1><div class=p-body-pageContent>"
        + "".join(post.format(f"Ines {n}", n + 1, text) for n, text in enumerate(posts)),
        url="https://clay.example/threads/1",
    )
    assert page.page_subtype == "forum"
    assert page.to_mobile_html(include_images=False).count("<blockquote>") == 2
    assert "> Tove said:" in page.to_markdown()


@pytest.mark.parametrize(
    "quote", ["<blockquote>{}</blockquote>", "<blockquote><div>Tove said:</div><div>{}</div></blockquote>"]
)
def test_quotations_stay_before_and_behind_text_that_is_in_no_paragraph(quote: str) -> None:
    asked = "The shed has only one socket, and the kiln that I have looked at wants two of them."
    own = "A small kiln of two kilowatts runs on that, if nothing else does at the same time. " * 2
    said = [asked, *("".join(f"{own}{quote.format(f'{asked} {n} {k}')}" for k in range(3)) + own for n in range(8))]
    posts = "".join(
        f"<div class=post id=p{n}><div class=author>Ines {n}</div><time datetime=2023-11-0{n + 1}>Nov {n + 1}</time>"
        f"<div class=body>{text}</div></div>"
        for n, text in enumerate(said)
    )
    page = webclean.clean(f"<title>Kilns</title><body><h1>Kilns</h1><main>{posts}</main>", page_subtype="forum")
    kept = np.array(["small kiln" in text for text in page.analysis.columns.blocks.text])
    found = (keep_quotations(page, kept) & ~kept).nonzero()[0].tolist()
    assert sum("two of them" in page.analysis.columns.blocks.text[at] for at in found) == 24


def test_a_post_has_its_votes_beside_its_author_unless_its_text_says_them() -> None:
    posts = (
        "<div id=b><div id=u1><p>Ada</p><p>The harbour has two cranes.</p></div>"
        "<div id=u2><p>Bo</p><p>3 likes and a share</p></div><div id=u3><p>Cy</p><p>There are three.</p></div></div>"
    )
    votes = {"Ada": 14, "Bo": 3, "Cy": -2}
    records = [Record("", author=one, counts=(Count("votes", n), Count("views", 8))) for one, n in votes.items()]
    block = {"at": "b", "records": records, "units": ("u1", "u2", "u3")}
    html = "".join(show_block_lines(posts, [block], Layout.THREAD, Head()))
    assert [re.sub("<[^>]*>", "", line) for line in re.findall(r'<p class="by">(.*?)</p>', html)] == [
        "Ada · +14",
        "Bo",
        "Cy · -2",
    ]


def test_a_post_does_not_say_once_more_what_thread_it_is_of() -> None:
    posts = (
        "<div id=b><div id=u1><h3>#1 2024-05-06 10:00:00</h3><h3>Re: Two cranes</h3><p>Ada</p>"
        "<p>The harbour has two cranes.</p></div>"
        "<div id=u2><h3>Two cranes or three</h3><p>Bo</p><p>There are three of them now.</p></div></div>"
    )
    records = (Record("", author="Ada", date="2024-05-06 10:00:00"), Record("", author="Bo"))
    block = {"at": "b", "records": records, "units": ("u1", "u2")}
    head = Head(title="Two cranes", url="https://news.example.org/t")
    html = "".join(show_block_lines(posts, [block], Layout.THREAD, head))
    first, second = re.findall(r'<article class="post">(.*?)</article>', html)
    assert first.count("Ada") == 1 and first.count("2024-05-06") == 1
    assert first.endswith("</h2><p>The harbour has two cranes.</p>")
    assert "Two cranes or three" in second


def test_the_question_above_the_posts_is_whole_and_has_no_labels_of_columns() -> None:
    above = "<p>Author</p><p>Hi everyone,</p><p>Does the mill turn when the wind is from the north?</p><p>Thanks</p>"
    page = make_blocks_page(
        above + POSTS, [{"at": "b", "records": RECORDS, "units": ("u1", "u2", "u3")}], Layout.THREAD, Head()
    )
    assert render_lines(page)[:3] == [
        "<p>Hi everyone,</p>",
        "<p>Does the mill turn when the wind is from the north?</p>",
        "<p>Thanks</p>",
    ]
