"""What phone pages weigh, and what of the text and records of a page they show.

usage: python benchmarks/phone_pages.py DIR [--every N]

DIR is a folder of labelled pages in one of the layouts of quality.py. A row a page type: pages; the median share of the
page's bytes that its phone page has, without images; the share of the words of `page.text` that the phone page shows,
each as often, and of the pages on which it shows every one of them; the share of the records of kept blocks whose title
(case and signs aside), or of posts whose author, is there; the share of pages that are divided, and their parts.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from html import unescape
from itertools import islice
from pathlib import Path
from statistics import fmean, median

from harness import build_cleaner, format_table, make_parser
from page_folders import read_folder

from webclean.model import Record
from webclean.page import CleanPage

_TAGS = re.compile(r"<head.*?</head>|<nav.*?</nav>|<(?!/?(?:a|b|i|em|strong|bdi|sub|sup|mark|code)\b)[^>]*>", re.DOTALL)
_INLINE_TAGS = re.compile(r"<[^>]*>")
_ANY_WORD = re.compile(r"\w+")
_WORD = re.compile(r"\w*[^\W\d_]\w*")


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
    cleaner = build_cleaner({})
    for page in islice(read_folder(folder), 0, None, every):
        n_bytes = len(page.html if isinstance(page.html, bytes) else page.html.encode("utf-8", "replace"))
        found = measure_page(cleaner.clean(page.html, url=page.url or None), n_bytes)
        measured[str(page.page_type)].append(found)
        measured["all"].append(found)
    return dict(sorted(measured.items()))


def describe_type(name: str, pages: Sequence[dict[str, float]]) -> list[str]:
    """A row of the table."""
    records = sum(page["of records"] for page in pages)
    divided = [page["parts"] for page in pages if page["parts"] > 1]
    return [
        name,
        f"{len(pages)}",
        f"{median(page['bytes'] for page in pages):.1%}",
        f"{fmean(page['words'] for page in pages):.1%}",
        f"{fmean(page['all words'] for page in pages):.0%}",
        f"{sum(page['records'] for page in pages) / records:.1%}" if records else "",
        f"{len(divided) / len(pages):.0%}",
        f"{fmean(divided):.1f}" if divided else "",
    ]


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="labelled pages")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th page")
    args = parser.parse_args()
    head = ("type", "pages", "bytes", "words shown", "with all words", "records shown", "divided", "parts of these")
    measured = measure_folder(args.folder, args.every)
    print(format_table(head, (describe_type(name, pages) for name, pages in measured.items())))


if __name__ == "__main__":
    main()
