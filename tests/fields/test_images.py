"""Images of a page: which are taken, their addresses, sizes and captions."""

from __future__ import annotations

import pytest

from tests.fields.pages import read_fields
from webclean.rules import load_rules

HOST = "https://www.example.com"
LEAST = load_rules().fields.images.min_pixels


def list_captions(body: str) -> list[str]:
    return [image.caption for image in read_fields(body).images]


@pytest.mark.parametrize(
    ("size", "taken"),
    [
        (f"width={LEAST} height={LEAST}", True),
        (f"width={LEAST - 1}", False),
        (f"height={LEAST}", True),
        (f"height={LEAST - 1}", False),
        ("width=10%", True),
        ("width=x", True),
        ("style='display:none'", False),
        ("hidden", False),
    ],
)
def test_small_and_hidden_images_are_left_out(size: str, *, taken: bool) -> None:
    assert bool(read_fields(f"<img src=/i.png {size}>").images) is taken


@pytest.mark.parametrize(
    ("written", "sizes"),
    [
        ("width=640 height=480", (640, 480)),
        ("width=' 640px'", (640, None)),
        ("width=100% height=wide", (None, None)),
        ("height=1234567", (None, 12345)),
        ("", (None, None)),
    ],
)
def test_sizes_are_those_of_the_markup(written: str, sizes: tuple[int | None, int | None]) -> None:
    (image,) = read_fields(f"<img src=/i.png {written}>").images
    assert (image.width, image.height) == sizes


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("src=/i.png", "/i.png"),
        ("src='data:image/gif;base64,R0' data-src=/j.png", "/j.png"),
        ("srcset='/a.png 1x, /b.png 2x'", "/b.png"),
        ("srcset='/a.png'", "/a.png"),
        ("src=javascript:x()", None),
        ("alt=x", None),
    ],
)
def test_the_address_of_an_image(written: str, url: str | None) -> None:
    assert [image.url for image in read_fields(f"<img {written}>").images] == ([HOST + url] if url else [])


def test_an_address_is_taken_once_and_landmarks_hold_none() -> None:
    body = "<img src=/a.png alt=one><nav><img src=/n.png></nav><img src=/a.png alt=two><img src=/b.png>"
    found = read_fields(body)
    assert [(image.url, image.alt) for image in found.images] == [(f"{HOST}/a.png", "one"), (f"{HOST}/b.png", "")]
    assert (found.image.value, found.image.source) == (f"{HOST}/a.png", "first in text")
    many = "".join(f"<img src=/{i}.png>" for i in range(230))
    assert len(read_fields(many).images) == 200


@pytest.mark.parametrize(
    ("body", "captions"),
    [
        ("<figure><img src=/i.png><figcaption>Seen</figcaption></figure>", ["Seen"]),
        ("<figure><figcaption>Seen</figcaption><div><img src=/i.png></div></figure>", ["Seen"]),
        ("<figure><a><span><b><img src=/i.png></b></span></a><figcaption>Seen</figcaption></figure>", ["Seen"]),
        ("<figure><i><a><span><b><img src=/i.png></b></span></a></i><figcaption>Far</figcaption></figure>", [""]),
        ("<figure><img src=/i.png><p class=caption>Not it</p></figure>", [""]),
        ("<figure><img src=/i.png></figure><figcaption>Not it</figcaption>", [""]),
        ("<div><img src=/i.png><p class=caption>Seen</p></div>", ["Seen"]),
        ("<div><img src=/i.png><p class=Image-Caption>Seen</p></div>", ["Seen"]),
        ("<div><p class=caption>Before</p><img src=/i.png></div>", [""]),
        ("<div><img src=/i.png></div><p class=caption>Seen</p>", ["Seen"]),
        ("<div><img src=/a.png><p class=caption>One</p></div><img src=/b.png><p class=caption>Two</p>", ["One", "Two"]),
        ("<p><img src=/i.png> <i class=caption>Seen</i></p>", ["Seen"]),
    ],
)
def test_captions_stand_in_the_figure_or_after_the_image(body: str, captions: list[str]) -> None:
    assert list_captions(body) == captions


@pytest.mark.parametrize(("n", "is_near"), [(4, True), (5, False)])
def test_a_caption_is_within_six_elements_of_its_image(n: int, *, is_near: bool) -> None:
    body = f"<div><img src=/i.png>{'<i></i>' * n}<p class=caption>Seen</p></div>"
    assert list_captions(body) == (["Seen"] if is_near else [""])


@pytest.mark.parametrize(("n", "is_near"), [(2, True), (3, True), (4, False)])
def test_a_caption_is_within_four_elements_around_its_image(n: int, *, is_near: bool) -> None:
    body = f"<section>{'<div>' * n}<img src=/i.png>{'</div>' * n}<p class=caption>Seen</p></section>"
    assert list_captions(body) == (["Seen"] if is_near else [""])
