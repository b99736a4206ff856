"""Images written into phone pages: fetched, made smaller, within a budget."""

import re
import time
from base64 import b64decode
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest

import webclean
from tests.web_sites import Handler, run_site
from webclean.rules import load_rules
from webclean.web.inline_images import gather_images, render_offline, shrink_image

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


class Site(Handler):
    def respond(self) -> None:
        if self.path.startswith("/slow"):
            time.sleep(3)
        if self.path.startswith("/gone"):
            self.send_error(404)
        elif self.path.startswith(("/i", "/slow")):
            self.answer(200, {"Content-Type": "image/png"}, draw(40, 30))
        elif self.path.startswith("/large"):
            self.answer(200, {"Content-Type": "image/png"}, draw(400, 300))
        else:
            self.answer(200, {"Content-Type": "text/html"}, b"<p>no image</p>")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with run_site(Site) as url:
        yield url


def gather(server: str, *names: str, **values: int) -> dict[str, str]:
    found = gather_images([f"{server}/{name}" for name in names], change(**values), allow_private=True)
    return {url.removeprefix(f"{server}/"): image for url, image in found.items()}


def test_the_first_images_spend_the_budget(server: str) -> None:
    whole = gather(server, "i1", "gone", "page", "large", "i2")
    assert list(whole) == ["i1", "large", "i2"]
    little = len(whole["i1"]) + len(whole["i2"])
    assert list(gather(server, "i1", "large", "i2", page_bytes=little)) == ["i1", "i2"]
    assert list(gather(server, "i1", "large", "i2", images=2)) == ["i1", "large"]
    assert gather(server, "i1", fetched_bytes=20) == {}


def test_slow_images_are_left_out(server: str) -> None:
    assert list(gather(server, "slow", "i1", seconds=1)) == ["i1"]


def clean(server: str) -> webclean.CleanPage:
    images = "<p><img src=/i1.png alt=Ferry></p>", "<p><img src=/page alt='No picture'></p>"
    return webclean.clean(f"<h1>Ferries</h1>{PROSE}{images[0]}{PROSE}{images[1]}{PROSE}{PROSE}", url=f"{server}/x")


def test_a_page_with_its_images_asks_nothing(server: str) -> None:
    html = render_offline(clean(server), allow_private=True)
    sources = re.findall(r'<img src="([^"]*)"', html)
    assert len(sources) == 1
    assert read_image(sources[0]).size == (40, 30)
    assert "<em>No picture</em>" in html
    assert "img-src data:;" in html


def test_private_addresses_are_not_asked_for_images(server: str) -> None:
    html = render_offline(clean(server))
    assert "<img" not in html
    assert "<em>Ferry</em>" in html
