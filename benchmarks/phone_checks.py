"""What a picture of phone pages shows, counted in Chromium: nothing that stands out, is too small, empty, or not of the
page.

usage: python benchmarks/phone_checks.py DIR... [--pages N] [--worst N] [--pictures FOLDER]

DIR is a folder of pages: in one of the layouts of quality.py, or of `ID.html` and `ID.html.gz`. N pages of each page
type are taken, evenly spread. A row a page type, of phone pages 390 pixels wide whose images are grey:

overflow    pages on which something is wider than the screen
small       links and buttons under 24 pixels, of all that stand in no sentence (WCAG 2.2, 2.5.8)
empty       cards and entries without a word, of all
words       of the kept text with a letter, each as often, those that are shown
foreign     links whose address no link of the page has, or which the page links with other words
records     of kept blocks, those whose title is shown; of posts, the author
linked      of these records with an address, those shown with a link to it
repeated    of these records, those whose title three or more of their block have, as categories and ranks
price       pages and records that state a price, those that show it
sized       images of which the page states width and height, those that have them or one that all in their list have
order       headings more than a level below the one before, or of level 1 after the first, of all
unnamed     images without an alternative text (`alt`, which may be empty), links and buttons without a name
faint       texts with less than 4.5 : 1 of contrast, or 3 : 1 if large (WCAG 2.2, 1.4.3), in light and in dark

--worst names the pages that a column counts most for. --pictures writes a PNG of the top of each page.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from html import unescape
from itertools import pairwise
from pathlib import Path
from typing import Any

from harness import build_cleaner, format_table, make_parser
from pictures import open_browser, open_tab
from playwright.sync_api import Page

from webclean.matching.expressions import compile_pattern
from webclean.model import Record
from webclean.outputs.flow.addresses import find_media, make_media, sanitise_url
from webclean.page import CleanPage
from webclean.parse import find_texts, read_attribute
from webclean.parse.tags import CODE
from webclean.parse.url import find_base
from webclean.segments.units import match_whole
from webclean.workbench.labelled_pages import LabelledPage, read_pages, spread_evenly

WIDTH, HEIGHT = 390, 844
PICTURE = 3400
"""Pixels of a page that are pictured, at most."""
COLUMNS = (
    "overflow", "small", "empty", "words", "foreign", "records", "linked", "repeated", "price", "sized",
    "order", "unnamed", "faint",
)  # fmt: skip
BAD = frozenset(("overflow", "small", "empty", "foreign", "repeated", "order", "unnamed", "faint"))
"""Columns that should be none; the others should be all."""
CHECKS = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
"""An object of functions of the document: `look` counts and lists, `contrast` gives faint texts and all."""


_TAGS = re.compile(r"<head.*?</head>|<nav.*?</nav>|<(?!/?(?:a|b|i|em|strong|bdi|sub|sup|mark|code)\b)[^>]*>", re.DOTALL)
_INLINE_TAGS = re.compile(r"<[^>]*>")
_ANY_WORD = re.compile(r"\w+")
_WORD = re.compile(r"\w*[^\W\d_]\w*")


def read_text(document: str) -> str:
    """The text of an HTML document, its parts between spaces."""
    return unescape(_INLINE_TAGS.sub("", _TAGS.sub(" ", document)))


def fold_words(text: str) -> str:
    """The words of a text between spaces, case folded."""
    return f" {' '.join(_ANY_WORD.findall(text.casefold()))} "


def is_shown_post(record: Record, text: str) -> bool:
    """Whether a post, which has author and time, stands under its author."""
    return bool(record.author and record.date) and fold_words(str(record.author)) in text


class Links:
    """The links of a page: what each address is called, by text, label, title and images."""

    def __init__(self, page: CleanPage) -> None:
        self._own = {page.url, sanitise_url(page.url or "", None)}
        self._document, self._base = page.analysis.columns.document, find_base(page.analysis.columns.document)
        self._names: dict[str, set[str]] = defaultdict(set)
        self._silent: set[str] = set()
        for row in (self._document.tag == CODE["a"]).nonzero()[0].tolist():
            url = sanitise_url(read_attribute(self._document, row, "href") or "", self._base)
            if url:
                self._names[url] |= self._list_names(row)
                if not self._read_words(row).strip():
                    self._silent.add(url)
        for row in find_media(self._document):
            made = make_media(self._document, row, self._base, with_poster=False)
            if made is not None:
                self._silent.add(made.attributes["href"])
        rules = page.analysis.rules.segments
        self._leads = compile_pattern(match_whole(rules.records.leads)).search
        self._dates = page.analysis.columns.prices_dates.date_texts

    def _read_words(self, row: int, between: str = "") -> str:
        nodes = find_texts(self._document, row, int(self._document.end[row]))
        return between.join(self._document.text[node] for node in nodes)

    def _list_names(self, row: int) -> set[str]:
        document, end = self._document, int(self._document.end[row])
        texts = [self._read_words(row), self._read_words(row, " ")]
        texts += [
            read_attribute(document, at, name) or ""
            for at in range(row, end)
            for name in ("aria-label", "title", "alt")
        ]
        return {fold_words(text) for text in texts}

    def are_foreign(self, url: str, text: str) -> bool:
        """Whether the page has no such link; one without words, as around a picture, or that says nothing but `more` or
        a date, may be that of its entry."""
        if url.startswith(("#", "mailto:", "tel:")) or url in self._own:
            return False
        names = self._names.get(url, set())
        said = fold_words(text)
        if not said.strip() or any(_is_inside(said, name) for name in names if name.strip()):
            return False
        # links of one address stand in several places, in menus with names of their own
        return url not in self._silent and not any(self._leads(one.strip()) or self._dates.search(one) for one in names)


def _is_inside(said: str, name: str) -> bool:
    """Whether one text is in the other; line breaks may be no space in one of them."""
    a, b = said.replace(" ", ""), name.replace(" ", "")
    return a in b or b in a


Counts = dict[str, tuple[float, float]]
"""Column -> what counts, and of how many."""
_AMOUNT = re.compile(r"\d(?:[\d.,' ]*\d)?")


def shows_amount(price: str, text: str) -> bool:
    """Whether a text has the number of a price, however it is written."""
    found = _AMOUNT.search(price)
    digits = re.sub(r"\D", "", found[0]) if found else ""
    shown = {re.sub(r"\D", "", one[0]) for one in _AMOUNT.finditer(text)}
    return not digits or digits in shown or digits.removesuffix("00") in shown or f"{digits}00" in shown


def count_records(page: CleanPage, document: str, seen: dict[str, Any]) -> Counts:
    """What is shown of the records of kept blocks. document: the phone page. seen: what `look` found in it."""
    text, base = fold_words(read_text(document)), find_base(page.analysis.columns.document)
    lists = [[one for one in block.records if fold_words(one.title).strip()] for block in page.blocks if block.kept]
    records = [one for found in lists for one in found]
    shown = [one for one in records if fold_words(one.title) in text or is_shown_post(one, text)]
    links = {(url, fold_words(said)) for url, said in seen["links"]}
    wanted = [(url, fold_words(one.title)) for one in shown if one.url and (url := sanitise_url(one.url, base))]
    alike = [Counter(fold_words(one.title) for one in found) for found in lists]
    priced = [one.price for one in shown if one.price]
    whole = read_text(document)
    stated = page.describe_head().price
    prices = [*priced, *([stated] if stated else [])]
    return {
        "records": (len(shown), len(records)),
        "linked": (sum(one in links for one in wanted), len(wanted)),
        "repeated": (sum(n for found in alike for n in found.values() if n > 2), len(records)),
        "price": (sum(shows_amount(price, whole) for price in prices), len(prices)),
    }


def list_sized(page: CleanPage) -> set[str]:
    """The addresses of the page's images of which it states width and height."""
    document, base = page.analysis.columns.document, find_base(page.analysis.columns.document)
    found = set()
    for row in (document.tag == CODE["img"]).nonzero()[0].tolist():
        source, *sizes = (read_attribute(document, row, key) or "" for key in ("src", "width", "height"))
        if all(map(str.isdecimal, sizes)) and (url := sanitise_url(source, base)):
            found.add(url)
    return found


def check_page(page: CleanPage, tab: Page) -> tuple[Counts, list[str]]:
    """The counts of one page, and what is wrong, in words."""
    document = page.to_mobile_html()
    tab.set_content(document, wait_until="load")
    seen = tab.evaluate(f"{CHECKS}.look()")
    links, sized = Links(page), list_sized(page)
    foreign = [(url, said) for url, said in seen["links"] if links.are_foreign(url, said)]
    stated = [has for url, has in seen["images"] if url in sized]
    kept, shown = (Counter(_WORD.findall(text.casefold())) for text in (page.text, read_text(document)))
    counts = {
        "overflow": (seen["overflow"], 1),
        "small": (seen["small"], seen["targets"]),
        "empty": (seen["empty"], seen["holders"]),
        "words": ((kept & shown).total(), kept.total()),
        "foreign": (len(foreign), len(seen["links"])),
        **count_records(page, document, seen),
        "sized": (sum(stated), len(stated)),
        "order": (count_jumps(seen["levels"]), len(seen["levels"])),
        "unnamed": (seen["unnamed"], seen["named"]),
        "faint": measure_contrast(tab),
    }
    return counts, [
        *(f"foreign {said!r} {url}" for url, said in foreign),
        *(f"small {one}" for one in seen["smallest"]),
    ]


def count_jumps(levels: list[int]) -> int:
    """Headings that are more than a level below the one before; those of level 1 after the first, too."""
    jumps = sum(after - before > 1 for before, after in pairwise(levels))
    return jumps + sum(level == 1 for level in levels[1:])


def measure_contrast(tab: Page) -> tuple[int, int]:
    """Texts that are faint in light or dark, and all."""
    faint = n = 0
    for scheme in ("dark", "light"):
        tab.emulate_media(color_scheme=scheme)
        own, shown = tab.evaluate(f"{CHECKS}.contrast()")
        faint, n = faint + own, n + shown
    return faint, n


def describe_type(name: str, pages: list[Counts]) -> list[str]:
    """A row of the table."""
    cells = [name, f"{len(pages)}"]
    for column in COLUMNS:
        part, whole = (sum(page[column][at] for page in pages) for at in (0, 1))
        cells.append(f"{part:.0f} of {whole:.0f}" if column in BAD else f"{part / whole:.1%}" if whole else "")
    return cells


def format_worst(by_id: dict[str, tuple[Counts, list[str]]], n: int) -> str:
    """The pages that a column counts most for, with the first things that are wrong."""
    lines = []
    for column in COLUMNS:
        missed = [
            (own[0] if column in BAD else own[1] - own[0], name) for name, (c, _) in by_id.items() if (own := c[column])
        ]
        ranked = sorted(missed, key=lambda pair: -pair[0])[:n]
        lines += [f"{column:9} {value:4.0f} {name}" for value, name in ranked if value]
    for name, (_, said) in by_id.items():
        lines += [f"{name}: {line}" for line in said[:n]]
    return "\n".join(lines)


def choose_samples(folder: Path, n: int) -> Iterator[LabelledPage]:
    """So many pages of each page type, evenly spread; of all where no types are known."""
    by_type: dict[str, list[LabelledPage]] = defaultdict(list)
    for sample in read_pages(folder):
        by_type[sample.page_type].append(sample)
    for samples in by_type.values():
        yield from spread_evenly(samples, n)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("folders", type=Path, nargs="+", metavar="DIR", help="pages")
    parser.add_argument("--pages", type=int, default=20, metavar="N", help="of each page type and folder")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="pages named for each column")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="where pictures of all pages go")
    args = parser.parse_args()
    cleaner = build_cleaner({})
    checked: dict[str, list[Counts]] = defaultdict(list)
    by_id: dict[str, tuple[Counts, list[str]]] = {}
    with open_browser() as browser:
        tab = open_tab(browser, WIDTH, HEIGHT)
        for folder in args.folders:
            for sample in choose_samples(folder, args.pages):
                page = cleaner.clean(sample.html, url=sample.url or None)
                by_id[f"{folder.name}/{sample.id}"] = found = check_page(page, tab)
                for name in (sample.page_type if sample.page_type != "page" else folder.name, "all"):
                    checked[name].append(found[0])
                if args.pictures:
                    args.pictures.mkdir(exist_ok=True, parents=True)
                    tall = min(PICTURE, tab.evaluate("document.documentElement.scrollHeight"))
                    tab.set_viewport_size({"width": WIDTH, "height": tall})
                    tab.screenshot(path=args.pictures / f"{folder.name}-{sample.id}.png")
                    tab.set_viewport_size({"width": WIDTH, "height": HEIGHT})
    print(format_table(["type", "pages", *COLUMNS], (describe_type(*item) for item in sorted(checked.items()))))
    if args.worst:
        print(format_worst(by_id, args.worst))


if __name__ == "__main__":
    main()
