"""A cleaned page -> its phone page with the images written into it, for reading without a network (extra `images`).

Images are fetched like pages: public addresses alone, within limits of bytes and time. What was fetched is decoded,
made smaller and written anew as WebP, so no byte of a file reaches the page as it was served. Images count in the order
of the page until its budget of bytes is spent; for those left out their alternative text stands.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from io import BytesIO
from time import monotonic
from typing import Final

from webclean.errors import FetchError
from webclean.outputs.phone import PhoneOptions
from webclean.page import CleanPage
from webclean.rules.segments_schema import InlineImages
from webclean.web.fetch import WANTED, FetchLimits, fetch_bytes

_FORMATS: Final = ("JPEG", "PNG", "GIF", "WEBP", "AVIF", "MPO")
"""Formats of Pillow that are decoded; others are those of cameras and printers."""
_MAX_PIXELS: Final = 50_000_000
"""Pixels of the largest image that is decoded, in about four bytes each."""
_AT_A_TIME: Final = 6
"""Images that are fetched at the same time; browsers ask one host for as many."""
_SECONDS_EACH: Final = 10.0
"""For one image, so that a slow host does not take the time of all (`phone.images.seconds`)."""


def render_offline(page: CleanPage, *, options: PhoneOptions | None = None, allow_private: bool = False) -> str:
    """The phone page of a page, with its images.

    allow_private: images are fetched from other addresses than public ones too.
    """
    options = options or PhoneOptions()
    # rendered twice: which images a page shows is known when it is written
    wanted: dict[str, None] = {}
    page.to_mobile_html(options=replace(options, image=lambda url: wanted.setdefault(url) or url))
    found = gather_images(wanted, page.analysis.rules.phone.images, allow_private=allow_private)
    return page.to_mobile_html(options=replace(options, image=found.get, offline=True))


def gather_images(urls: Iterable[str], rules: InlineImages, *, allow_private: bool = False) -> dict[str, str]:
    """Address -> `data:` URL of each image that could be had in time and within the budget, which the first ones spend
    first."""
    seconds = min(_SECONDS_EACH, rules.seconds)
    limits = FetchLimits(max_bytes=rules.fetched_bytes, max_seconds=seconds, allow_private=allow_private)

    def make(url: str) -> str | None:
        if url[:5].lower() == "data:":
            return url
        try:
            small = shrink_image(fetch_bytes(url, limits, wanted=WANTED["images"]).body, rules)
        except FetchError:
            return None
        return None if small is None else f"data:image/webp;base64,{b64encode(small).decode('ascii')}"

    found: dict[str, str] = {}
    end, left = monotonic() + rules.seconds, rules.page_bytes
    pool = ThreadPoolExecutor(_AT_A_TIME, thread_name_prefix="webclean-images")
    try:
        for url, future in [(url, pool.submit(make, url)) for url in list(urls)[: rules.images]]:
            done, _ = wait([future], max(0.0, end - monotonic()))
            image = future.result() if done else None
            if image and len(image) <= left:
                left -= len(image)
                found[url] = image
    finally:
        # a host that is still sending is not waited for
        pool.shutdown(wait=False, cancel_futures=True)
    return found


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
