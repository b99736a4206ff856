"""Title, by-line and site above the text; of products, pictures and price."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import webclean
from tests.outputs.phone.made_pages import URL, make_blocks_page, make_page, render_lines, show, show_lines
from webclean.model import Record, Role
from webclean.outputs.flow import Head, Node, read_text
from webclean.outputs.phone import Layout, render_phone
from webclean.outputs.phone.pieces import Choice, join_parts

HOST = f'<bdi><a href="{URL}">news.example.org</a></bdi>'
HEAD = Head("Two cranes", "Ada Lind", "2024-05-06T10:00", URL, "en")


def test_an_article_has_its_title_then_what_is_known_of_it() -> None:
    html = show("<p>text</p>", Head("A & B", "Ada <Q>", "2024-05-06T10:00", URL, "en"))
    assert html.startswith('<!doctype html>\n<html lang="en">\n')
    assert "<title>A &amp; B</title>" in html
    meta = f'<p class="meta"><bdi>Ada &lt;Q&gt;</bdi> · <bdi>2024-05-06</bdi> · {HOST}</p>'
    lines = html.partition("<main>\n")[2].split("\n")
    assert lines[:6] == ["<header>", "<h1>A &amp; B</h1>", meta, "</header>", "<p>text</p>", "</main>"]


def test_what_is_not_known_is_not_shown() -> None:
    html = show("<p>a</p>")
    assert html.startswith("<!doctype html>\n<html>\n")
    assert show_lines("<p>a</p>") == ["<p>a</p>"]
    assert show_lines("<p>a</p>", Head(url="javascript:x()")) == ["<p>a</p>"]


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("<p>Home of news</p>", "<p>By Ada Lind, 6 May 2024</p>", ["<p class=\"meta\">By Ada Lind, 6 May 2024</p>"]),
        ("<p>May 6, 2024</p>", "", ["<p class=\"meta\">May 6, 2024</p>"]),
        ("", "<p>by <b>ADA  LIND</b></p>", ["<p class=\"meta\">by <strong>ADA LIND</strong></p>"]),
    ],
)  # fmt: skip
def test_the_title_comes_first_and_a_by_line_once(before: str, after: str, shown: list[str]) -> None:
    html = show(f"{before}<h2>two  <i>cranes</i></h2>{after}<p>They came.</p>", HEAD)
    lines = html.partition("<main>\n")[2].partition("\n</main>")[0].split("\n")
    assert lines[:3] == ["<header>", "<h1>two <em>cranes</em></h1>", *shown]
    known = html.partition("<header>")[2].partition("</header>")[0].casefold()
    assert known.count("ada lind") == 1
    assert sum(known.count(day) for day in ("6 may 2024", "may 6, 2024", "2024-05-06")) == 1
    assert lines[-1] == "<p>They came.</p>"
    assert ("<p>Home of news</p>" in lines) == bool(before and "Home" in before)


def test_icons_of_a_by_line_are_left_out() -> None:
    page = make_page("<h1>Cranes</h1><p><img src=/clock.png><a href=/ada><img src=/a.png> Ada</a>, 6 May 2024</p><p>a",
                     Head("Cranes", "Ada", "2024-05-06"))  # fmt: skip
    lines = render_lines(page)
    assert '<p class="meta"><a href="https://news.example.org/ada"> Ada</a>, 6 May 2024</p>' in lines
    assert "<img" not in render_phone(page)


def test_what_is_said_of_a_name_and_a_colon_follows_it() -> None:
    parts = [Node("bdi", {}, [text]) for text in ("new", "Weight: ", "2 kg", "重さ：", "9", "red")]
    assert read_text(*join_parts(parts)) == "new · Weight:  2 kg · 重さ： 9 · red"


def test_a_sentence_about_the_author_is_no_by_line() -> None:
    sentence = "Ada Lind, who lives by the harbour and has counted birds for forty years, was there when they came."
    lines = show_lines(f"<h1>Two cranes</h1><p>{sentence}</p>", HEAD)
    assert lines[-1] == f"<p>{sentence}</p>"
    assert "<bdi>Ada Lind</bdi>" in lines[2]


def test_a_heading_far_below_is_not_taken_for_the_title() -> None:
    far = "<p>word</p>" * 20
    lines = show_lines(f"{far}<h2>Two cranes</h2><p>more</p>", HEAD)
    assert lines[1] == "<h1>Two cranes</h1>"
    assert lines[-2:] == ['<h2 id="h1">Two cranes</h2>', "<p>more</p>"]


def test_a_product_has_no_author() -> None:
    lines = show_lines("<p>A lamp by Ada Lind.</p>", HEAD, Layout.PRODUCT)
    assert "<p>A lamp by Ada Lind.</p>" in lines
    assert lines[2] == f'<p class="meta">{HOST}</p>'


def test_a_line_that_is_the_title_is_not_said_twice() -> None:
    lines = show_lines("<p>Home</p><p><b>Two Cranes</b></p><p>They came.</p>", HEAD)
    assert lines[1] == "<h1><strong>Two Cranes</strong></h1>"
    assert "".join(lines).count("ranes") == 1
    both = show_lines("<p>Two cranes</p><h2>Two cranes</h2><p>They came.</p>", HEAD)
    assert "<p>Two cranes</p>" in both


MARKUP = """<p><img src=/1.png></p><h1>Lamp</h1><p>Only 9.50 EUR today</p><p>It shines, for 9.50 EUR, as no other lamp
at this price has ever done.</p><p><img src=/2.png></p><p>In oak.</p>
<p><img src=/3.png></p><p><img src=/4.png?w=9></p>"""
LAMP = make_page(MARKUP, Head("Lamp"), Layout.PRODUCT)


def list_images(html: str) -> list[str]:
    return re.findall(r'src="[^"]*/(\d\.png)', html)


def test_pictures_at_the_ends_are_a_strip_above_the_text() -> None:
    head, _, body = render_phone(LAMP).partition("</header>")
    assert list_images(head) == ["1.png", "3.png", "4.png"]
    assert list_images(body) == ["2.png"]


def test_the_main_picture_comes_first_unless_it_is_among_them() -> None:
    head = render_phone(replace(LAMP, image="https://x.example/m/7.png")).partition("</header>")[0]
    assert list_images(head) == ["7.png", "1.png", "3.png", "4.png"]
    same = render_phone(replace(LAMP, image="https://x.example/m/4.png?w=800")).partition("</header>")[0]
    assert list_images(same) == ["1.png", "3.png", "4.png"]
    assert 'src="javascript' not in render_phone(replace(LAMP, image="javascript:x()"))
    bare = make_page("<h1>Lamp</h1><p>In oak.</p>", Head("Lamp"), Layout.PRODUCT)
    assert "strip" not in render_phone(bare).partition("<body>")[2]
    single = render_lines(replace(bare, image="https://x.example/7.png"))
    assert single[2] == '<p><img src="https://x.example/7.png" alt="Lamp" loading="lazy"></p>'


def test_all_pictures_of_goods_are_shown_each_once() -> None:
    text = "<p>A boot that drains. The sole was cut from belts of the mill, and grips wet planks.</p>" * 3
    shown = "".join(f"<a><img src=/m/b{n}-900x900.jpg></a><i><img src=/t/b{n}-60x60.jpg></i>" for n in range(3))
    gallery = f"<div class=media><div>{shown}</div><button>Zoom</button></div>"
    others = "<div><h3>Other boots</h3><img src=/m/other.jpg></div>"
    markup = f"<meta property=og:image content=https://x.example/o/b0.jpg>{gallery}<h1>Boot</h1>{text}"
    page = webclean.clean(
        f"{markup}<img src=/m/b2.jpg>{text}{others}", url="https://x.example/", page_subtype="product"
    )
    head, _, below = page.to_mobile_html().partition("</header>")
    assert re.findall(r'/(\w+)[-\w]*\.jpg"', head) == ["b0", "b1"]  # the text has the third
    assert re.findall(r'/(\w+)[-\w]*\.jpg"', below) == ["b2"]
    stated = '<script type=application/ld+json>{"@type": "Product", "name": "Boot", "image": ["/s/a.jpg", "/s/b.jpg"]}'
    page = webclean.clean(f"{stated}</script>{markup}", url="https://x.example/", page_subtype="product")
    assert {"b0", "a", "b"} == set(re.findall(r'/(\w+)[-\w]*\.jpg"', page.to_mobile_html().partition("</header>")[0]))


def test_no_pictures_where_none_are_wanted() -> None:
    page = make_page(MARKUP, Head("Lamp"), Layout.PRODUCT, images=False)
    assert "<img" not in render_phone(replace(page, image="https://x.example/7.png"))


def test_the_line_with_the_price_stands_below_the_title() -> None:
    lines = render_lines(replace(LAMP, price="9.50 EUR"))
    assert lines[2] == '<p class="price">Only 9.50 EUR today</p>'
    assert sum("Only 9.50" in line for line in lines) == 1


def test_a_label_and_its_only_value_are_one_line() -> None:
    texts = (
        "A lamp in oak, for the desk.",
        "Delivery:",
        "Varies",
        "Colours:",
        "Oak",
        "Ash",
        "Made in:",
        "A mill in Riga",
    )
    page = make_page("<h1>Lamp</h1>" + "".join(f"<p>{text}</p>" for text in texts), layout=Layout.PRODUCT)
    shown = [line.removeprefix("<p>").removesuffix("</p>") for line in render_lines(page) if line.startswith("<p>")]
    # of several values the label is a heading
    assert shown[-6:] == [texts[0], "Delivery: Varies", "Colours:", "Oak", "Ash", "Made in: A mill in Riga"]


def test_a_price_that_the_text_lacks_is_added() -> None:
    lines = render_lines(replace(LAMP, price="USD 12"))
    assert lines[2] == '<p class="price">USD 12</p>'
    assert "<p>Only 9.50 EUR today</p>" in lines
    assert 'class="price"' not in render_phone(LAMP)


def test_a_price_is_said_once_however_it_is_written() -> None:
    markup = "<h1>Lamp</h1><ul><li>$<b>1,646</b><sup>.00</sup></li></ul><p>In oak, from $1,646.</p>"
    lines = render_lines(replace(make_page(markup, Head("Lamp"), Layout.PRODUCT), price="USD 1646.00"))
    assert [line for line in lines if "646" in line] == [
        '<p class="price">USD 1646.00</p>',
        "<p>In oak, from $1,646.</p>",
    ]
    other = make_page(markup.replace("1,646", "1,647"), Head("Lamp"), Layout.PRODUCT)
    assert any("<li>" in line for line in render_lines(replace(other, price="USD 1646.00")))


def test_the_price_before_stands_beside_the_price_and_neither_once_more() -> None:
    lines = "<p>$299 Original price was: $299. $179 Current price is: $179.</p><p>$179</p><p>Save $120</p>"
    page = replace(make_page(f"<h1>Lamp</h1>{lines}<p>In oak.", Head("Lamp"), Layout.PRODUCT), price="$179")
    shown = render_lines(replace(page, former="$299"))
    assert shown[2] == '<p class="price">$179 <del>$299</del></p>'
    assert [line for line in shown if "$" in line][1:] == ["<p>Save $120</p>"]
    twice = make_page("<h1>Lamp</h1><p>$<b>179</b>$<b>179</b></p><p>In oak.", Head("Lamp"), Layout.PRODUCT)
    assert render_lines(replace(twice, price="$179"))[2] == '<p class="price">$179</p>'


def test_no_heading_of_goods_stands_without_text() -> None:
    markup = "<h1>Lamp</h1><h2>Size</h2><p>9 cm</p><h2>Reviews</h2><h3>Of all</h3><h2>Care</h2>"
    text = "\n".join(show_lines(markup, Head("Lamp"), Layout.PRODUCT))
    assert ">Size<" in text
    assert not any(word in text for word in ("Reviews", "Of all", "Care"))


def test_lists_of_other_goods_are_closed_below_those_of_the_page() -> None:
    goods = "".join(f"<li id=u{n}><a href=/{n}>Lamp {n}</a> <b>{n} EUR</b>" for n in range(4))
    records = tuple(Record(f"Lamp {n}", f"/{n}", price=f"{n} EUR") for n in range(4))
    block = {"at": "b", "records": records, "units": [f"u{n}" for n in range(4)], "role": Role.INDEX}
    markup = f"<h1>Lamp</h1><ul id=b>{goods}</ul><p>It shines.</p>"
    for layout, is_closed in ((Layout.PRODUCT, True), (Layout.ARTICLE, False)):
        before, _, after = render_phone(make_blocks_page(markup, [block], layout)).partition("<details")
        assert ("Lamp 2" in after, "It shines." in before) == (is_closed, True)


def test_an_author_whom_the_page_does_not_show_is_not_named() -> None:
    text = f"<h1>Two cranes</h1><p>{'The harbour has two cranes, and both turn. ' * 9}</p>"
    page = "<head><meta name=author content='Ada Lind'></head>"
    assert "Ada" not in webclean.clean(page + text).to_mobile_html()
    assert "Ada" in webclean.clean(f"{page}{text}<p>Ada Lind</p>").to_mobile_html()


@pytest.mark.parametrize("line", ["Add to Cart $4,345.00", "$4,345.00 Add to Cart", "$4,345.00"])
def test_the_name_of_a_button_is_no_part_of_the_price(line: str) -> None:
    page = replace(make_page(f"<h1>Lamp</h1><p>{line}</p><p>In oak.", Head("Lamp"), Layout.PRODUCT), price="$4,345.00")
    page = replace(page, is_button=lambda text: text == "Add to Cart")
    assert render_lines(page)[2] == '<p class="price">$4,345.00</p>'


@pytest.mark.parametrize("line", ["<p>Farbe:</p>", "<h3>Farbe</h3><p><img src=/s.png>", "<p>Farbe: Teer", "<p>farbe *"])
def test_the_name_of_a_choice_does_not_stand_alone_below(line: str) -> None:
    page = make_page(f"<h1>Lamp</h1><p>In oak.</p>{line}<p>For reading.", Head("Lamp"), Layout.PRODUCT)
    html = render_phone(replace(page, choices=[Choice("Farbe", ("Teer", "Tau"), "Teer")]))
    assert html.lower().count("farbe") == 1 and "arbe" in render_phone(page)


def test_a_slogan_that_is_a_heading_stays() -> None:
    slogan = "A screen with a larger picture, better battery life, and a stand of oak that folds"
    html = show(
        f"<h1>Lamp</h1><p>Oak.</p><h4>{slogan}</h4><h2>Care</h2><h2>Size</h2><p>Big.", Head("Lamp"), Layout.PRODUCT
    )
    assert slogan in html and "Care" not in html
