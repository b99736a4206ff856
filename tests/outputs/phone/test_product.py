"""Products: pictures and price before the text."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.outputs.phone.made_pages import make_page, render_lines
from webclean.outputs.flow.nodes import Head
from webclean.outputs.phone import Layout, render_phone

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


def test_no_pictures_where_none_are_wanted() -> None:
    page = make_page(MARKUP, Head("Lamp"), Layout.PRODUCT, images=False)
    assert "<img" not in render_phone(replace(page, image="https://x.example/7.png"))


def test_the_line_with_the_price_stands_below_the_title() -> None:
    lines = render_lines(replace(LAMP, price="9.50 EUR"))
    assert lines[2] == '<p class="price">Only 9.50 EUR today</p>'
    assert sum("Only 9.50" in line for line in lines) == 1


def test_a_price_that_is_there_once_more_for_those_who_hear_the_page_is_shown_once() -> None:
    for price in ("<b>9.50 EUR</b><i>9.50 EUR</i>", "9.50 EUR 9.50 EUR", "9.50 EUR"):
        page = make_page(f"<h1>Lamp</h1><p>{price}</p><p>In oak.</p>", Head("Lamp"), Layout.PRODUCT)
        assert '<p class="price">9.50 EUR</p>' in render_lines(replace(page, price="9.50 EUR"))
    page = make_page("<h1>Lamp</h1><p><i hidden>20</i> $20.00</p><p>In oak.</p>", Head("Lamp"), Layout.PRODUCT)
    assert '<p class="price">$20.00</p>' in render_lines(replace(page, price="USD 20"))
    page = make_page("<h1>Lamp</h1><p>9.50 EUR 9.60 EUR</p><p>In oak.</p>", Head("Lamp"), Layout.PRODUCT)
    assert '<p class="price">9.50 EUR 9.60 EUR</p>' in render_lines(replace(page, price="9.50 EUR"))


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("$ 79.99 Price $ 79.99", "$ 79.99"),
        ("$79.99$79.99", "$79.99"),
        ("79,99 € 79,99 €", "79,99 €"),
        ("$99.99 now $79.99", "$99.99 now $79.99"),
    ],
)
def test_an_amount_is_said_once(line: str, shown: str) -> None:
    page = replace(make_page(f"<h1>Lamp</h1><p>{line}</p><p>A lamp.</p>", layout=Layout.PRODUCT), price=shown)
    assert f'<p class="price">{shown}</p>' in render_lines(page)


def test_a_label_and_its_only_value_are_one_line() -> None:
    texts = (
        "A lamp in oak, for the desk.",
        "Delivery:",
        "Varies",
        "Colours:",
        "Oak",
        "Ash",
        "Made in:",
        "A mill in RigaA mill in Riga",
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


def test_what_is_there_for_another_width_of_the_screen_is_shown_once_and_no_heading_without_text() -> None:
    oak = f"<h2>Oak</h2><p>{'It is made of oak, and stands by itself. ' * 2}</p>"
    markup = f"<h1>Lamp</h1>{oak}{oak}<h2>Size</h2><p>9 cm</p><h2>Reviews</h2><h3>Of all</h3><h2>Care</h2>"
    text = "\n".join(render_lines(make_page(markup, Head("Lamp"), Layout.PRODUCT)))
    assert [text.count(word) for word in (">Oak<", "stands", ">Size<")] == [1, 1, 1]
    assert not any(word in text for word in ("Reviews", "Of all", "Care"))
