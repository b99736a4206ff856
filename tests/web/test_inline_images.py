"""Images written into phone pages: fetched, made smaller, within a budget."""

import re
import threading
from base64 import b64decode
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest

import webclean
from tests.web_sites import Handler, run_site
from webclean.errors import FetchError
from webclean.outputs.phone import PhoneOptions
from webclean.rules import load_rules
from webclean.web.inline_images import gather_images, make_fetch, render_offline, shrink_image

Image = pytest.importorskip("PIL.Image", reason="pillow is not installed")
RULES = load_rules().phone.images
PROSE = "<p>The ferry leaves the harbour at nine, and whoever wants a seat by the window comes half an hour early.</p>"


def draw(width: int, height: int, form: str = "PNG", mode: str = "RGB", **more: Any) -> bytes:
    written = BytesIO()
    Image.effect_mandelbrot((width, height), (-2, -1.5, 1, 1.5), 60).convert(mode).save(written, form, **more)
    return written.getvalue()


def change(**values: int) -> Any:
    return type(RULES)(**{name: values.get(name, getattr(RULES, name)) for name in RULES.__struct_fields__})


def read_image(url: str) -> Any:
    assert url.startswith("data:image/webp;base64,")
    return Image.open(BytesIO(b64decode(url.partition(",")[2])))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "WEBP"])
def test_images_become_small_webp(form: str) -> None:
    written = shrink_image(draw(1000, 500, form), change(pixels=200))
    assert written is not None
    image = Image.open(BytesIO(written))
    assert (image.format, image.size) == ("WEBP", (200, 100))
    same = shrink_image(draw(90, 40, form), change(pixels=200))
    assert same is not None
    assert Image.open(BytesIO(same)).size == (90, 40)


def test_what_is_seen_through_stays_so_and_turned_images_are_turned() -> None:
    glass = shrink_image(draw(50, 50, "PNG", "RGBA"), RULES)
    assert glass is not None
    assert Image.open(BytesIO(glass)).mode in ("RGBA", "RGB")
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter (EXIF 2.32, 4.6.4)
    turned = shrink_image(draw(60, 30, "JPEG", exif=exif), RULES)
    assert turned is not None
    assert Image.open(BytesIO(turned)).size == (30, 60)
    assert b"Exif" not in turned


@pytest.mark.parametrize(
    "body", [b"", b"<svg onload=x()>", b"\x89PNG\r\n\x1a\n" + b"\0" * 99, draw(60, 60, "JPEG")[:200]]
)
def test_what_is_no_image_is_none(body: bytes) -> None:
    assert shrink_image(body, RULES) is None


def test_an_image_of_too_many_pixels_is_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webclean.web.inline_images._MAX_PIXELS", 3599)
    assert shrink_image(draw(60, 60), RULES) is None
    assert shrink_image(draw(59, 60), RULES) is not None


def test_the_first_images_spend_the_budget() -> None:
    def fetch(url: str) -> bytes:
        if url == "gone":
            raise FetchError("gone: HTTP 404")
        return draw(400, 300) if url == "large" else draw(20, 20)

    whole = gather_images(["a", "gone", "large", "b"], RULES, fetch)
    assert list(whole) == ["a", "large", "b"]
    little = change(page_bytes=len(whole["a"]) + len(whole["b"]))
    assert list(gather_images(["a", "large", "b"], little, fetch)) == ["a", "b"]
    assert list(gather_images(["a", "large", "b"], change(images=2), fetch)) == ["a", "large"]


def test_slow_images_are_left_out() -> None:
    stop = threading.Event()

    def fetch(url: str) -> bytes:
        if url == "slow":
            stop.wait(20)
        return draw(20, 20)

    found = gather_images(["slow", "quick"], change(seconds=1), fetch)
    stop.set()
    assert "slow" not in found
    assert "quick" in found


class Site(Handler):
    def respond(self) -> None:
        if self.path.startswith("/i"):
            self.answer(200, {"Content-Type": "image/png"}, draw(40, 30))
        else:
            self.answer(200, {"Content-Type": "text/html"}, b"<p>no image</p>")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with run_site(Site) as url:
        yield url


def clean(server: str) -> webclean.CleanPage:
    images = "<p><img src=/i1.png alt=Ferry></p>", "<p><img src=/page alt='No picture'></p>"
    return webclean.clean(f"<h1>Ferries</h1>{PROSE}{images[0]}{PROSE}{images[1]}{PROSE}{PROSE}", url=f"{server}/x")


def test_a_page_with_its_images_asks_nothing(server: str) -> None:
    (html,) = render_offline(clean(server), allow_private=True)
    sources = re.findall(r'<img src="([^"]*)"', html)
    assert len(sources) == 1
    assert read_image(sources[0]).size == (40, 30)
    assert "<em>No picture</em>" in html
    assert "img-src data:;" in html
    parts = render_offline(clean(server), options=PhoneOptions(part_bytes=200), allow_private=True)
    assert len(parts) > 1
    assert sum(part.count("data:image/webp") for part in parts) == 1


def test_private_addresses_are_not_asked_for_images(server: str) -> None:
    (html,) = render_offline(clean(server))
    assert "<img" not in html
    assert "<em>Ferry</em>" in html
    with pytest.raises(FetchError, match="not a public address"):
        make_fetch(RULES)(f"{server}/i1.png")
    with pytest.raises(FetchError, match="is text/html, not an image"):
        make_fetch(RULES, allow_private=True)(f"{server}/page")
    with pytest.raises(FetchError, match="more than 20 bytes"):
        make_fetch(change(fetched_bytes=20), allow_private=True)(f"{server}/i1.png")
