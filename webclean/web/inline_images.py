"""A cleaned page -> its phone page with the images written into it, for reading without a network (extra `images`).

Images are fetched like pages: public addresses alone, within limits of bytes and time. What was fetched is decoded,
made smaller and written anew as WebP, so no byte of a file reaches the page as it was served. Images count in the order
of the page until its budget of bytes is spent; for those left out their alternative text stands.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import replace
from io import BytesIO
from time import monotonic
from typing import Final

from webclean.errors import FetchError
from webclean.outputs.phone import PhoneOptions
from webclean.page import CleanPage
from webclean.rules.segments_schema import InlineImages
from webclean.web.fetch import IMAGES, FetchLimits, fetch_bytes

Fetch = Callable[[str], bytes]
"""Address of an image -> its bytes. Raises `FetchError`."""

_FORMATS: Final = ("JPEG", "PNG", "GIF", "WEBP", "AVIF", "MPO")
"""Formats of Pillow that are decoded; others are those of cameras and printers."""
_MAX_PIXELS: Final = 50_000_000
"""Pixels of the largest image that is decoded, in about four bytes each."""
_AT_A_TIME: Final = 6
"""Images that are fetched at the same time; browsers ask one host for as many."""
_SECONDS_EACH: Final = 10.0
"""For one image, so that a slow host does not take the time of all (`phone.images.seconds`)."""


def render_offline(
    page: CleanPage, *, options: PhoneOptions | None = None, fetch: Fetch | None = None, allow_private: bool = False
) -> tuple[str, ...]:
    """The parts of the phone page of a page, with its images; one part unless `options.part_bytes` is given.

    fetch: by default asks the network for public addresses. allow_private: for others too.
    """
    options = options or PhoneOptions()
    # rendered twice: which images a page shows is known when it is written
    wanted: dict[str, None] = {}
    render_parts(page, replace(options, image=lambda url: wanted.setdefault(url) or url))
    rules = page.analysis.rules.phone.images
    found = gather_images(wanted, rules, fetch or make_fetch(rules, allow_private=allow_private))
    return render_parts(page, replace(options, image=found.get, offline=True))


def render_parts(page: CleanPage, options: PhoneOptions) -> tuple[str, ...]:
    """The documents, one for each part if the options give the length of one."""
    if options.part_bytes:
        return page.to_mobile_parts(options=options)
    return (page.to_mobile_html(options=options),)


def make_fetch(rules: InlineImages, *, allow_private: bool = False) -> Fetch:
    """Fetches images from the network within the limits of the rules."""
    limits = FetchLimits(
        max_bytes=rules.fetched_bytes, max_seconds=min(_SECONDS_EACH, rules.seconds), allow_private=allow_private
    )
    return lambda url: fetch_bytes(url, limits, wanted=IMAGES).body


def gather_images(urls: Iterable[str], rules: InlineImages, fetch: Fetch) -> dict[str, str]:
    """Address -> `data:` URL of each image that could be had within the budget, which the first ones spend first."""
    chosen = list(urls)[: rules.images]
    pool = ThreadPoolExecutor(_AT_A_TIME, thread_name_prefix="webclean-images")
    try:
        made = [(url, pool.submit(_make_image, url, rules, fetch)) for url in chosen]
        return dict(_spend(made, rules))
    finally:
        # a host that is still sending is not waited for
        pool.shutdown(wait=False, cancel_futures=True)


def _spend(made: list[tuple[str, Future[str | None]]], rules: InlineImages) -> Iterator[tuple[str, str]]:
    """The images that are done in time, in order, as long as there is room for them."""
    end, left = monotonic() + rules.seconds, rules.page_bytes
    for url, future in made:
        done, _ = wait([future], max(0.0, end - monotonic()))
        image = future.result() if done else None
        if image is not None and len(image) <= left:
            left -= len(image)
            yield url, image


def _make_image(url: str, rules: InlineImages, fetch: Fetch) -> str | None:
    if url[:5].lower() == "data:":
        return url
    try:
        body = fetch(url)
    except FetchError:
        return None
    small = shrink_image(body, rules)
    return None if small is None else f"data:image/webp;base64,{b64encode(small).decode('ascii')}"


def shrink_image(body: bytes, rules: InlineImages) -> bytes | None:
    """An image as WebP with sides of at most `rules.pixels`, upright, its first frame; None for what is no image."""
    from PIL import Image, ImageOps  # noqa: PLC0415  an extra

    try:
        with Image.open(BytesIO(body), formats=_FORMATS) as image:
            if image.width * image.height > _MAX_PIXELS:
                return None
            image.draft("RGB", (rules.pixels, rules.pixels))
            upright = ImageOps.exif_transpose(image)
            upright.thumbnail((rules.pixels, rules.pixels))
            shown = upright.convert("RGBA" if upright.has_transparency_data else "RGB")
            written = BytesIO()
            shown.save(written, "WEBP", quality=rules.quality)
    except Exception:  # decoders raise many kinds of errors on bytes that are no image
        return None
    return written.getvalue()
