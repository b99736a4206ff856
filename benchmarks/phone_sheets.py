"""Phone pages to be looked at: each as one picture, with the text of the original beside it.

usage: python benchmarks/phone_sheets.py DATA OUT [--seed N] [--skip N] [--only ID...]

DATA has the folders `wcxb-dev` and `corpora` of labelled pages. 60 pages are drawn, 20 goods, ten services, ten
threads, ten lists and fronts, ten articles and manuals, in the order of a hash of seed and id, each of another site.
--skip leaves out so many that were drawn before of each kind, and draws a fifth as many. OUT/ID.png has the phone page,
390 pixels wide, in columns, then the original's own text from its headline on, without scripts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from harness import build_cleaner, make_parser
from phone_checks import HEIGHT, WIDTH
from pictures import open_browser, open_tab
from PIL import Image

from webclean.parse.url import find_registered_domain
from webclean.workbench.labelled_pages import LabelledPage, read_pages

WANTED = {
    "goods": (20, ("product",)),
    "service": (10, ("service",)),
    "thread": (10, ("forum",)),
    "list": (10, ("listing", "collection")),
    "text": (10, ("article", "documentation")),
}
"""Kind -> how many, of which page types."""
FOLDERS = ("wcxb-dev", "corpora/magic-threads", "corpora/webforum52", "corpora/magic-articles", "corpora/daniel")
TYPES = {"corpora/magic-threads": "forum", "corpora/webforum52": "forum"}
COLUMNS, SCALE, TALL = 4, 0.75, 1500
"""Columns of the phone page, at which size, and how high."""
TEXT = """<meta charset=utf-8><style>body{{margin:6px;font:12px/1.3 sans-serif;width:360px;overflow-wrap:anywhere;
white-space:pre-wrap}}</style>{}"""


def draw_pages(data: Path, seed: int, skip: int) -> Iterator[tuple[str, str, LabelledPage]]:
    """Kind, name and page of all that are drawn, each of another site."""
    found = [(name, TYPES.get(name, page.page_type), page) for name in FOLDERS for page in read_pages(data / name)]
    found.sort(key=lambda one: hashlib.sha256(f"{seed} {one[0]} {one[2].id}".encode()).digest())
    sites: set[str] = set()
    for kind, (n_wanted, types) in WANTED.items():
        n = 0
        for folder, page_type, page in found:
            site = find_registered_domain(page.url) or page.domain or page.id
            if page_type not in types or site in sites:
                continue
            sites.add(site)
            n += 1
            if n > skip * n_wanted // 60 and n <= (skip * n_wanted // 60) + (n_wanted if not skip else n_wanted // 5):
                yield kind, f"{folder.rpartition('/')[2]}-{page.id}", page


def read_original(tab: Any, page: LabelledPage) -> str:
    """The text of the original, from a little above its headline on."""
    tab.set_content(page.html.decode("utf-8", "replace"), wait_until="domcontentloaded")
    text = "\n".join(line.strip() for line in tab.evaluate("document.body.innerText").split("\n") if line.strip())
    at = text.casefold().find((page.title or "\0").casefold())
    return text[max(0, at - 300) :][:9000]


def make_sheet(pictures: Any, text: bytes) -> Image.Image:
    """The phone page in columns, and the text."""
    phone = Image.open(BytesIO(pictures)).convert("RGB")
    phone = phone.resize((int(phone.width * SCALE), int(phone.height * SCALE)), Image.Resampling.LANCZOS)
    n_columns = min(COLUMNS, -(-phone.height // TALL))
    sheet = Image.new("RGB", ((phone.width + 8) * n_columns + 372, TALL), "#d8d8d8")
    for at in range(n_columns):
        sheet.paste(
            phone.crop((0, at * TALL, phone.width, min(phone.height, (at + 1) * TALL))), (at * (phone.width + 8), 0)
        )
    sheet.paste(Image.open(BytesIO(text)).convert("RGB").crop((0, 0, 372, TALL)), ((phone.width + 8) * n_columns, 0))
    return sheet


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("data", type=Path, metavar="DATA", help="labelled pages")
    parser.add_argument("out", type=Path, metavar="OUT", help="where pictures go")
    parser.add_argument("--seed", type=int, default=390, metavar="N", help="of the draw")
    parser.add_argument("--skip", type=int, default=0, metavar="N", help="pages that were drawn before")
    parser.add_argument("--only", nargs="*", metavar="ID", help="names of pages")
    args = parser.parse_args()
    args.out.mkdir(exist_ok=True, parents=True)
    cleaner = build_cleaner({})
    with open_browser() as browser:
        tab, plain = open_tab(browser, WIDTH, HEIGHT), browser.new_context(java_script_enabled=False).new_page()
        plain.route("**/*", lambda route: route.abort())
        for kind, name, sample in draw_pages(args.data, args.seed, args.skip):
            if args.only and name not in args.only:
                continue
            page = cleaner.clean(sample.html, url=sample.url or None)
            # images that load when they are near are not there yet when the height is measured
            tab.set_content(page.to_mobile_html().replace(' loading="lazy"', ""), wait_until="load")
            tall = tab.evaluate("document.documentElement.scrollHeight")
            shot = tab.screenshot(
                full_page=True, clip={"x": 0, "y": 0, "width": WIDTH, "height": min(tall, COLUMNS * TALL / SCALE)}
            )
            plain.set_content(TEXT.format("…"))
            text = read_original(plain, sample)
            plain.set_content(TEXT.format(text.replace("&", "&amp;").replace("<", "&lt;")))
            plain.set_viewport_size({"width": 372, "height": TALL})
            make_sheet(shot, plain.screenshot()).save(args.out / f"{name}.png")
            print(f"{kind:8} {name:32} {page.page_subtype or page.page_type:14} {tall / HEIGHT:5.1f} {sample.url}")


if __name__ == "__main__":
    main()
