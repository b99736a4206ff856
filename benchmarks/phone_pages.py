"""What phone pages weigh, and what of the text and records of a page they show; or a picture of those of fixtures.

usage: python benchmarks/phone_pages.py DIR [--every N]
       python benchmarks/phone_pages.py --picture FILE.png [--width 390] [--dark]

DIR is a folder of labelled pages in one of the layouts of quality.py. A row a page type: pages; the median share of the
page's bytes that its phone page has, without images; the share of the words of `page.text` that the phone page shows,
each as often, and of the pages on which it shows every one of them; the share of the records of kept blocks whose title
(case and signs aside), or of posts whose author, is there; the share of pages that are divided, and their parts. The
picture, which needs Playwright, Chromium and Pillow, is of phone pages of several fixtures side by side; photos are
grey, for nothing is fetched.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from html import unescape
from io import BytesIO
from itertools import islice
from pathlib import Path
from statistics import fmean, median
from typing import Any

import checkout
from page_folders import read_folder

import webclean
from webclean.model import Record
from webclean.page import CleanPage

_TAGS = re.compile(r"<head.*?</head>|<nav.*?</nav>|<(?!/?(?:a|b|i|em|strong|bdi|sub|sup|mark|code)\b)[^>]*>", re.DOTALL)
_INLINE_TAGS = re.compile(r"<[^>]*>")
_ANY_WORD = re.compile(r"\w+")
_WORD = re.compile(r"\w*[^\W\d_]\w*")
FIXTURES = checkout.CLONE / "fixtures"
SHOWN = (
    "content/news-en-harbour",
    "content/forum-thread-en",
    "content/product-teapot",
    "content/docs-code-tables",
    "index/portal-en-front",
    "index/shop-category-lamps",
)
"""Fixtures of the picture, one a layout."""
FLAGS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
PHOTO = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="#a9b7b7"/>'
    '<path d="M0 600 300 200 500 450 620 320 800 600z" fill="#71807f"/></svg>'
)


def read_words(document: str) -> Counter[str]:
    """Words with a letter of the text of an HTML document, case folded."""
    return Counter(_WORD.findall(read_text(document).casefold()))


def read_text(document: str) -> str:
    """The text of an HTML document, its parts between spaces."""
    return unescape(_INLINE_TAGS.sub("", _TAGS.sub(" ", document)))


def fold_words(text: str) -> str:
    """The words of a text between spaces, case folded."""
    return f" {' '.join(_ANY_WORD.findall(text.casefold()))} "


def is_shown_post(record: Record, text: str) -> bool:
    """Whether a post, which has author and time, stands under its author."""
    return bool(record.author and record.date) and fold_words(str(record.author)) in text


def measure_page(page: CleanPage, n_bytes: int) -> dict[str, float]:
    """The measures of one page."""
    document = page.to_mobile_html(include_images=False)
    kept, shown = Counter(_WORD.findall(page.text.casefold())), read_words(document)
    records = [
        record for block in page.blocks if block.kept for record in block.records if fold_words(record.title).strip()
    ]
    text = fold_words(read_text(document))
    titles = sum(fold_words(record.title) in text or is_shown_post(record, text) for record in records)
    lost = (kept - shown).total()
    return {
        "bytes": len(document.encode("utf-8", "replace")) / max(1, n_bytes),
        "words": 1 - lost / max(1, kept.total()),
        "all words": float(not kept.keys() - shown.keys()),
        "records": titles,
        "of records": len(records),
        "parts": len(page.to_mobile_parts(include_images=False)),
    }


def measure_folder(folder: Path, every: int) -> dict[str, list[dict[str, float]]]:
    """Page type -> the measures of its pages."""
    measured: dict[str, list[dict[str, float]]] = defaultdict(list)
    cleaner = webclean.Cleaner(limits=webclean.Limits(max_seconds=600))
    for page in islice(read_folder(folder), 0, None, every):
        n_bytes = len(page.html if isinstance(page.html, bytes) else page.html.encode("utf-8", "replace"))
        found = measure_page(cleaner.clean(page.html, url=page.url or None), n_bytes)
        measured[str(page.page_type)].append(found)
        measured["all"].append(found)
    return dict(sorted(measured.items()))


def format_table(measured: dict[str, list[dict[str, float]]]) -> str:
    """A Markdown table, one row a type."""
    head = ("pages", "bytes", "words shown", "pages with all words", "records shown", "divided", "parts of these")
    lines = [f"| type | {' | '.join(head)} |", "|---" * (len(head) + 1) + "|"]
    for name, pages in measured.items():
        records = sum(page["of records"] for page in pages)
        divided = [page["parts"] for page in pages if page["parts"] > 1]
        cells = (
            f"{len(pages)}",
            f"{median(page['bytes'] for page in pages):.1%}",
            f"{fmean(page['words'] for page in pages):.1%}",
            f"{fmean(page['all words'] for page in pages):.0%}",
            f"{sum(page['records'] for page in pages) / records:.1%}" if records else "",
            f"{len(divided) / len(pages):.0%}",
            f"{fmean(divided):.1f}" if divided else "",
        )
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def clean_fixture(name: str) -> CleanPage:
    folder = FIXTURES / name
    url = json.loads((folder / "meta.json").read_text(encoding="utf-8")).get("url")
    return webclean.clean((folder / "input.html").read_bytes(), url=url or None)


def take_pictures(documents: Iterable[str], width: int, height: int, *, dark: bool) -> list[bytes]:
    """The top of each document as PNG."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  of the tests alone

    path = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS.split())
        tab = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        tab.route("**/*", lambda route: route.fulfill(status=200, content_type="image/svg+xml", body=PHOTO))
        taken = []
        for document in documents:
            tab.set_content(document, wait_until="load")
            taken.append(tab.screenshot())
        browser.close()
    return taken


def join_pictures(pictures: Sequence[bytes], gap: int = 14) -> Any:
    """Pictures side by side on grey, at two thirds of their size and in few colours, so that the file is small."""
    from PIL import Image  # noqa: PLC0415  of the tests alone

    images = [Image.open(BytesIO(picture)).convert("RGB") for picture in pictures]
    width, height = images[0].size
    sheet = Image.new("RGB", (gap + (width + gap) * len(images), height + 2 * gap), "#d8d8d8")
    for number, image in enumerate(images):
        sheet.paste(image, (gap + (width + gap) * number, gap))
    small = sheet.resize((sheet.width * 2 // 3, sheet.height * 2 // 3), Image.Resampling.LANCZOS)
    return small.quantize(32)


def main() -> None:
    """Print the table, or write the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", metavar="DIR", help="labelled pages")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th page")
    parser.add_argument("--picture", type=Path, metavar="FILE", help="write a picture of phone pages of fixtures")
    parser.add_argument("--width", type=int, default=390, metavar="PIXELS", help="of the screen")
    parser.add_argument("--dark", action="store_true", help="as readers see it who prefer dark")
    args = parser.parse_args()
    if args.picture is not None:
        documents = [clean_fixture(name).to_mobile_html() for name in SHOWN]
        join_pictures(take_pictures(documents, args.width, 844, dark=args.dark)).save(args.picture, optimize=True)
    elif args.folder is not None:
        print(format_table(measure_folder(args.folder, args.every)))
    else:
        parser.error("name a folder, or --picture FILE")


if __name__ == "__main__":
    main()
