"""Images that nobody sees."""

from __future__ import annotations

import pytest

from webclean.parse import parse_page
from webclean.parse.pixels import is_hidden, is_unseen, is_unseen_image


@pytest.mark.parametrize(
    ("size", "is_pixel"),
    [
        *(("0", True), ("1", True), ("3", True), ("4", False), ("30", False), (" 2.9px ", True), ("3 px", True)),
        *(("1%", False), ("1em", False), ("", False), ("-1", False), ("1234567", False)),
    ],
)
def test_images_of_few_pixels_are_not_seen(size: str, *, is_pixel: bool) -> None:
    for name in ("width", "height"):
        assert is_unseen({name: size}.get) is is_pixel
        assert not is_hidden({name: size}.get)


@pytest.mark.parametrize(
    ("style", "hidden"),
    [
        ("display:none", True),
        ("color:red; DISPLAY : NONE", True),
        ("visibility:hidden", True),
        ("width:0", True),
        ("width:3px", True),
        ("max-height: 1.5px;", True),
        ("height:2px !important", True),
        ("width:4px", False),
        ("width:30px", False),
        ("width:1em", False),
        ("min-width:1px", False),
        ("display:block", False),
    ],
)
def test_styles_that_hide(style: str, *, hidden: bool) -> None:
    assert is_hidden({"style": style}.get) is hidden
    assert is_unseen({"style": style}.get) is hidden


def test_the_attribute_hidden_counts_without_a_value() -> None:
    assert is_hidden({"hidden": ""}.get)
    assert not is_hidden({}.get)


@pytest.mark.parametrize(
    ("markup", "unseen"),
    [
        ("<div><p><img></p></div>", False),
        ("<div><p><img width=1></p></div>", True),
        ("<div><p hidden><img></p></div>", True),
        ("<div><p width=1><img></p></div>", False),
        ("<div hidden><p><img></p></div>", False),
    ],
)
def test_elements_around_an_image_hide_it_below_a_given_one(markup: str, *, unseen: bool) -> None:
    document = parse_page(markup)
    assert is_unseen_image(document, document.names.index("img"), document.names.index("div")) is unseen
