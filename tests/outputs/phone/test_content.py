"""What becomes of elements, links and images on a phone page; and the phone page of every fixture, which shows the
records that JSON has, whatever the page type, and no litter."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

import webclean
from tests.outputs.phone.made_pages import change_rules, make_page, render_lines, show, show_lines
from webclean.outputs.flow import Head
from webclean.outputs.phone import Layout, render_phone

SECTIONS = "".join(f"<h2>Part {n}</h2><p>text {n}</p><h3>Sub {n}</h3><p>more {n}</p>" for n in range(1, 5))


def test_a_page_that_its_scripts_draw_shows_what_it_says_of_itself() -> None:
    said = "A rug that is washed, in the colour of sand."
    metadata = (
        f'<meta property="og:description" content="{said}"><meta property="og:image" content="https://x.net/r.jpg">'
    )
    empty = f"<title>Beatrice Rug</title>{metadata}<div id=root></div><script src=/app.js></script>"
    shown = webclean.clean(empty, url="https://x.net/rug").to_mobile_html()
    assert '<img src="https://x.net/r.jpg" alt="" loading="lazy">\n<p>A rug' in shown
    assert said not in webclean.clean(f"{empty}<p>{'The tide turned. ' * 30}</p>").to_mobile_html()


def test_wide_elements_scroll_and_images_load_late() -> None:
    lines = show_lines("<p><a href=/x>x</a><img src=/i.png></p><table><tr><td>a<td>b<tr><td>c<td>d</table>")
    assert lines[0] == (
        '<p class="links"><a href="https://news.example.org/x">x</a>'
        '<img src="https://news.example.org/i.png" alt="" loading="lazy"></p>'
    )
    assert lines[1:3] == ['<div class="scroll" tabindex="0">', "<table>"]


def test_code_scrolls_by_keys_only_where_it_is_wide() -> None:
    wide, narrow = "x" * 60, "x = 1"
    lines = show_lines(f"<pre>{wide}</pre><p>and</p><pre>{narrow}</pre>")
    assert lines[0].startswith('<div class="scroll" tabindex="0"><pre>')
    assert lines[2] == f"<pre><code>{narrow}</code></pre>"


def test_only_the_title_is_a_heading_of_the_first_level() -> None:
    lines = show_lines("<h1>One</h1><p>a</p><h1>Two</h1><p>b</p>", Head("News"))
    assert [line for line in lines if line.startswith("<h")] == [
        "<header>",
        "<h1>News</h1>",
        '<h2 id="h1">One</h2>',
        '<h2 id="h2">Two</h2>',
    ]


def test_images_in_a_row_are_a_strip_each_once() -> None:
    lines = show_lines("<p>a</p><p><img src=/1.png></p><ul><li><img src=/2.png><li><img src=/1.png></ul><p>b")
    strip = lines[1]
    assert strip.startswith('<div class="strip" tabindex="0"')
    assert 'aria-label="Pictures"' in strip
    assert re.findall(r"/(\d)\.png", "".join(lines)) == ["1", "2"]
    lines = show_lines("<p>a</p><a href=/x><img src=/1.png><br><img src=/2.png></a><p><img src=/3.png></p><p>b")
    assert re.findall(r"/(\d)\.png", lines[1]) == ["1", "2", "3"]
    single = show_lines("<p>a</p><p><img src=/1.png></p><p>b")
    assert single[1] == '<p><img src="https://news.example.org/1.png" alt="" loading="lazy"></p>'


def test_a_figure_with_a_caption_stays_out_of_strips() -> None:
    figure = "<figure><img src=/{}.png><figcaption>Crane {}</figcaption></figure>"
    html = show(f"<p>a</p>{figure.format(1, 1)}{figure.format(2, 2)}<p>b</p>")
    assert 'class="strip"' not in html
    assert html.count("<figcaption>Crane") == 2


def test_a_link_that_says_nothing_is_none() -> None:
    assert show_lines("<p>a <a href=/x><img src=/i.png></a> b</p>")[0].count("<a") == 0
    assert show_lines("<p>a <a href=/x><img src=/i.png alt=Crane></a> b</p>")[0].count("<a") == 1


def test_signs_of_buttons_are_left_out() -> None:
    lines = show_lines("<p>a</p><p>\ue001</p><p>▼</p><p>b</p><p>👍</p>")
    assert lines == ["<p>a</p>", "<p>b</p>", "<p>👍</p>"]


def test_links_and_images_lead_where_the_caller_says() -> None:
    markup = "<p><a href=/x>x</a> <img src=/i.png alt=Crane> <img src=/j.png alt=''></p>"
    page = make_page(
        markup, link=lambda url: f"/read?url={url}&a", image=lambda url: None if "i.png" in url else "data:x"
    )
    line = render_lines(page)[0]
    assert 'href="/read?url=https://news.example.org/x&amp;a"' in line
    assert "<em>Crane</em>" in line
    assert 'src="data:x"' in line


def test_an_offline_page_may_load_nothing() -> None:
    policy = "img-src data:;"
    assert policy in show("<p>a</p>", offline=True)
    assert policy not in show("<p>a</p>")
    assert "img-src http: https: data:;" in show("<p>a</p>")


def test_no_images_where_none_are_wanted() -> None:
    page = make_page("<p>a <img src=/i.png alt=Crane></p><p><img src=/1.png></p><p><img src=/2.png></p>", images=False)
    assert "<img" not in render_phone(page)


def test_contents_name_headings_of_two_levels() -> None:
    html = show(SECTIONS, Head("Guide", language="de-AT"))
    contents = html.partition('<nav class="contents"')[2].partition("</nav>")[0]
    assert ' aria-label="Inhalt"><details><summary>Inhalt</summary>' in contents
    assert re.findall(r'href="#(h\d)">([^<]+)<', contents) == [
        ("h1", "Part 1"), ("h2", "Sub 1"), ("h3", "Part 2"), ("h4", "Sub 2"),
        ("h5", "Part 3"), ("h6", "Sub 3"), ("h7", "Part 4"), ("h8", "Sub 4"),
    ]  # fmt: skip
    assert contents.count("<ol>") == 5
    assert html.count('<h3 id="h2">Sub 1</h3>') == 1


def test_contents_are_open_in_a_manual_short_enough_and_drop_levels_when_long() -> None:
    manual = make_page(SECTIONS, Head("Guide"), Layout.DOCUMENTATION)
    assert "<details open><summary>Contents" in render_phone(manual)
    assert "<details><summary>Contents" in render_phone(change_rules(manual, contents_open=7))
    short = render_phone(change_rules(manual, contents_entries=7)).partition("<nav")[2].partition("</nav>")[0]
    assert re.findall(r">(\w+ \d)<", short) == ["Part 1", "Part 2", "Part 3", "Part 4"]
    assert "<nav" not in render_phone(change_rules(manual, contents_entries=3))
    assert "<nav" not in render_phone(change_rules(manual, contents_headings=9))


def test_the_style_sheet_is_whole_on_every_page_and_has_no_comments() -> None:
    style = re.findall(r"<style>(.*?)</style>", show("<p>a</p>", Head(language="zh-Hant")))[0]
    assert all(rule in style for rule in (":lang(zh)", "hyphens:auto", "[dir=rtl]", "@media print{", ".strip{"))
    assert "/*" not in style
    assert style.count("{") == style.count("}")


def test_a_page_from_right_to_left_says_so() -> None:
    html = show("<body dir=rtl><p>שלום לכם</p>", Head("שלום", language="he"))
    assert '<html lang="he" dir="rtl">' in html


def test_lists_of_terms_without_terms_are_lists() -> None:
    assert show_lines("<dl><dd>a<dd>b</dl>") == ["<ul>", "<li>a</li>", "<li>b</li>", "</ul>"]
    assert show_lines("<dl><dt>t<dd>b</dl>")[0] == "<dl>"


def test_no_level_of_headings_is_left_out() -> None:
    page = make_page("<h4>North</h4><p>a</p><h6>Shore</h6><p>b</p><h5>Bay</h5><p>c</p><h1>South</h1><p>d</p>")
    assert [line for line in render_lines(page) if line.startswith("<h")] == [
        '<h2 id="h1">North</h2>', '<h3 id="h2">Shore</h3>', '<h3 id="h3">Bay</h3>', '<h2 id="h4">South</h2>',
    ]  # fmt: skip


def test_a_list_that_is_all_of_an_item_stands_in_its_place() -> None:
    nested = "<ul><li><ul><li>a</li><li>b<ul><li>c</li></ul></li></ul></li>"
    assert "".join(show_lines(f"{nested}</ul>")) == "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>"
    assert "".join(show_lines(f"{nested}<li>d</ul>")).count("<ul>") == 3


def test_code_and_verse_stay_as_they_are() -> None:
    verse = "\n".join(f"The {bird} came to the harbour and stayed," for bird in ("crane", "heron", "gull", "tern") * 8)
    assert f"<pre><code>{verse}</code></pre>" in show(f"<p>a</p><pre>{verse}</pre>")
    assert "<pre>" not in show("<p>a</p><pre></pre>")


FIXTURES = Path(__file__).parents[3] / "fixtures"
PAGES = sorted(path.parent for path in FIXTURES.glob("*/*/input.html"))
_TAG = re.compile(r"<[^>]*>")
_ITEM = re.compile(r"<li\b[^>]*>(.*?)</li>", re.DOTALL)


def read_text(markup: str) -> str:
    return " ".join(unescape(_TAG.sub(" ", markup)).split())


@pytest.mark.parametrize("folder", PAGES, ids=[str(path.relative_to(FIXTURES)) for path in PAGES])
def test_the_phone_page_shows_the_records_of_kept_blocks(folder: Path) -> None:
    url = json.loads((folder / "meta.json").read_text(encoding="utf-8")).get("url")
    page = webclean.clean((folder / "input.html").read_bytes(), url=url or None)
    document = page.to_mobile_html(include_images=False)
    body = document[document.index("<body") :]
    shown = read_text(body).replace(" ", "").casefold()
    titles = [record.title for block in page.blocks if block.kept for record in block.records if record.title]
    assert [title for title in titles if "".join(title.split()).casefold() not in shown] == []
    items = [read_text(item) for item in _ITEM.findall(re.sub(r"<nav.*?</nav>", "", body, flags=re.DOTALL))]
    assert [item for item in items if not any(map(str.isalpha, item))] == []


@pytest.mark.parametrize(
    "line",
    [
        "Read more",
        "Find out more",
        "Image",
        "mehr anzeigen",
        "Partager",
        "数量：",
        "Z",
        ".",
        "Quantity:",
        "もっと見る",
        "View more View less",
        "2 / 5",
        "Click here if you like this comment",
    ],
)
def test_lines_that_ask_for_scripts_are_left_out(line: str) -> None:
    markup = f"<main><h1>The mill</h1><p>{'The wheel turns, and the stones are cut. ' * 9}</p><p>{line}</p></main>"
    assert f"<p>{line}" not in webclean.clean(markup).to_mobile_html()


def test_names_of_buttons_that_a_text_is_about_stay() -> None:
    lists = "<ul><li>Print<li>Weirs</ul>"
    markup = f"<h2>Filters</h2><p>They are washed in May.</p>{lists}<h2>Print</h2>"
    page = replace(make_page(markup), is_idle=lambda text: text in ("Filters", "Print", "Share"))
    html = render_phone(page).partition("<body>")[2]
    assert re.findall(r">([^<\s][^<]*)<", html) == ["Filters", "They are washed in May.", "Print", "Weirs"]


def test_a_line_that_leads_somewhere_stays() -> None:
    page = make_page("<p>The mill turns.</p><p><a href=/b>Read more</a></p>")
    assert "Read more" in render_phone(replace(page, is_idle=lambda text: text == "Read more"))


def test_headings_without_text_are_left_out_of_goods() -> None:
    markup = "<h2>Specs</h2><h2>Use</h2><p>Lift it.</p><h2>Reviews</h2>"
    html = render_phone(make_page(markup, layout=Layout.PRODUCT)).partition("<body>")[2]
    assert re.findall(r">([^<\s][^<]*)<", html) == ["Use", "Lift it."]


def test_questions_without_answers_are_left_out_and_names_stay() -> None:
    html = render_phone(make_page("<h2>Starter</h2><h2>Growth</h2><h2>Why us?</h2><h2>是什么？</h2>"))
    assert "Growth" in html and "Starter" in html
    assert "Why us" not in html and "是什么" not in html


def test_a_shop_in_another_language_says_in_its_own_words_what_is_there() -> None:
    stated = '<script type="application/ld+json">{"@type": "Product", "name": "Lampe", "offers": {"@type": "Offer", '
    stated += '"price": "38", "availability": "https://schema.org/InStock"}}</script>'
    markup = f"<html lang=de>{stated}<h1>Lampe</h1><p>38 €</p><p>{{}}</p><p>{'Sie leuchtet auf dem Tisch. ' * 9}</p>"
    for said in ("Nicht vorrätig", "Auf Lager"):
        html = webclean.clean(markup.replace("{}", said), page_subtype="product").to_mobile_html()
        assert "in stock" not in html and said in html


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<h2><a href=/e>Earth Ball</a><em>Outside Over There</em></h2>", "Earth Ball Outside Over There"),
        ("<p><em>G-SYNC</em>NVIDIA has made it.</p>", "G-SYNC NVIDIA has made it."),
        ("<p><b>Java</b>Script and <i>Mac</i>OS</p>", "JavaScript and MacOS"),
        ("<p><b>Читайте</b>Далее о мельнице</p>", "Читайте Далее о мельнице"),
    ],
)
def test_what_a_style_sheet_sets_on_lines_of_their_own_is_not_glued(markup: str, text: str) -> None:
    html = render_phone(make_page(markup)).partition("<main>")[2]
    assert text in " ".join(re.sub("<[^>]*>", "", html).split())
