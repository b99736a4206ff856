"""Count where the outputs of one page contradict each other: block, texts, lists, records, Markdown and phone page.

usage: python benchmarks/contradictions.py [FOLDER ...] [--pages N] [--kind KIND] [--show N] [--json FILE]

FOLDER holds labelled pages in one of the layouts of quality.py; without one the repository's fixtures are taken. What
the page is said to hold is never read: only the outputs are held against each other. Each kind of contradiction is a
function of `KINDS`, whose docstring says what is counted. --show prints some of each kind, the pages with most first.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from harness import format_table, make_parser, take_about, write_figures
from lxml import html
from markdown_it import MarkdownIt
from page_folders import FIXTURES, Layout, find_layout, read_folder

import webclean
from webclean import Role
from webclean.page import CleanPage
from webclean.parse.columns import mark_slices

ENTRIES: Final = 6
"""Alike siblings that are a list."""
ALIKE: Final = 2.5
"""Times that an entry may be longer or shorter than the kept ones of its list."""
EXCLUDED: Final = frozenset((Role.DIALOG, Role.NAVIGATION, Role.ADVERTISEMENT))
"""Roles of which nothing is main content."""


def _show(text: str) -> str:
    return " ".join(text.split())[:90]


def _fold(text: str) -> str:
    """The letters and digits of a text, for markup adds signs and white space of its own."""
    return "".join(filter(str.isalnum, text.casefold()))


def find_kept_blocks_without_text(page: CleanPage) -> Iterator[str]:
    """Blocks that are kept although each of their texts is dropped. Those that stand beside the text of a page about
    one thing, as comments and related lists do, are kept on purpose."""
    kept, of = page.analysis.decisions.kept, page.segment_of
    shown = np.bincount(of[kept], minlength=len(page.blocks))
    held = np.bincount(of, minlength=len(page.blocks))
    beside = () if page.analysis.decisions.by_parts else page.analysis.rules.segments.keep.beside
    for block in page.blocks:
        if block.kept and held[block.number] and not shown[block.number] and block.role not in beside:
            yield f"{block.role} {_show(block.text)}"


def find_dropped_blocks_with_text(page: CleanPage) -> Iterator[str]:
    """Blocks that are dropped although some of their texts are kept."""
    kept, of = page.analysis.decisions.kept, page.segment_of
    shown = np.bincount(of[kept], minlength=len(page.blocks))
    for block in page.blocks:
        if not block.kept and shown[block.number]:
            yield f"{block.role} {_show(block.text)}"


def find_excluded_texts(page: CleanPage) -> Iterator[str]:
    """Kept texts of blocks whose role says that nothing of them is main content."""
    blocks = page.analysis.columns.blocks
    for number in page.analysis.decisions.kept.nonzero()[0].tolist():
        role = page.blocks[int(page.segment_of[number])].role
        if role in EXCLUDED:
            yield f"{role} {_show(blocks.text[number])}"


def find_holes(page: CleanPage) -> Iterator[str]:
    """Entries that are dropped whole between kept siblings of the same tag and class, six or more in one parent, that
    are about as long: lines of names, dates and buttons between the texts of a thread are no entries."""
    columns, kept = page.analysis.columns, page.analysis.decisions.kept
    document, rows = columns.document, np.asarray(columns.blocks.row)
    chars, visible, text = columns.blocks.n_chars, columns.blocks.visible, columns.blocks.text
    groups: dict[tuple[int, str, str], list[tuple[int, int]]] = defaultdict(list)
    firsts, ends = rows.searchsorted(np.arange(len(document))), rows.searchsorted(document.end)
    for row in ((ends > firsts) & document.displayed).nonzero()[0].tolist():
        key = (int(document.parent[row]), document.names[row], (document.attrs[row] or {}).get("class", ""))
        groups[key].append((int(firsts[row]), int(ends[row])))
    for (_, name, _), spans in groups.items():
        if len(spans) < ENTRIES or name in ("td", "th"):
            continue
        seen = [(first, end) for first, end in spans if visible[first:end].any()]
        said = [at for at, (first, end) in enumerate(seen) if kept[first:end].any()]
        sizes = [int(chars[first:end].sum()) for first, end in seen]
        usual = float(np.median([sizes[at] for at in said])) if said else 0.0
        for at in range(said[0], said[-1]) if said else ():
            if at not in said and usual / ALIKE <= sizes[at] <= usual * ALIKE:
                yield f"{name} {_show(text[seen[at][0]])}"


def find_records_without_text(page: CleanPage) -> Iterator[str]:
    """Entries of a kept block of an index page whose title the page shows and its text has not."""
    if page.page_type is not webclean.PageType.INDEX:
        return
    said, shown = _fold(page.text), _fold(" ".join(page.analysis.columns.blocks.text))
    for block in page.blocks:
        for record in block.records if block.kept else ():
            title = _fold(record.title)
            if title in shown and title not in said:
                yield f"{block.role} {_show(record.title)}"


def find_text_not_in_markdown(page: CleanPage) -> Iterator[str]:
    """Lines of the text of which the Markdown lacks words."""
    made = MarkdownIt("commonmark").enable("table").render(page.to_markdown())
    yield from _list_lacking(page, _read_lines(html.document_fromstring(f"<main>{made}</main>")))


def find_text_not_on_phone(page: CleanPage) -> Iterator[str]:
    """Lines of the text of which the phone page lacks words."""
    yield from _list_lacking(page, _read_phone(page))


def _list_lacking(page: CleanPage, shown: str) -> Iterator[str]:
    """Lines of the text with a fifth of their words or more nowhere in what is shown."""
    known = set(_WORD.findall(shown.casefold()))
    columns = page.analysis.columns
    heads = np.array([row for post in columns.posts for row in post.heads], dtype=np.int64)
    # who wrote a post and when is written in one way, whatever the page's
    signed = mark_slices(heads, columns.document.end[heads], len(columns.document))[columns.blocks.row]
    told = {columns.blocks.text[number] for number in signed.nonzero()[0].tolist()}
    for line in page.text.split("\n"):
        words = _WORD.findall(line.casefold())
        if (
            words
            and line.lstrip("- ") not in told
            and sum(word not in known for word in words) >= max(1, len(words) / 5)
        ):
            yield _show(line)


_WORD: Final = re.compile(r"[^\W_]+")


def find_phone_not_in_text(page: CleanPage) -> Iterator[str]:
    """Lines of the phone page, or parts of its lines, that neither the text nor a field nor a kept record has."""
    records = [record for block in page.blocks for record in block.records if block.kept]
    told = [value for record in records for value in (record.title, record.summary, record.price, record.author)]
    said = _fold(" ".join([page.text, *(field.value or "" for field in _list_fields(page)), *filter(None, told)]))
    for line in re.split(" · |\n", _read_phone(page)):
        if len(_fold(line)) > 25 and _fold(line) not in said:
            yield _show(line)


def _list_fields(page: CleanPage) -> list[webclean.FieldValue]:
    return [value for value in dict(page.fields).values() if isinstance(value, webclean.FieldValue)]


Job = tuple[str, bytes, str | None, Sequence[str]]
"""Id, markup and URL of a page, and the kinds that are counted."""
_LINES: Final = re.compile("p|div|h[1-6]|li|t[dhr]|d[dt]|figcaption|summary|pre|section|article|details|table|br")
"""Names of elements that are lines of their own."""


def _read_phone(page: CleanPage) -> str:
    """What the phone page shows, a line for each block."""
    return _read_lines(html.document_fromstring(page.to_mobile_html()))


def _read_lines(shown: html.HtmlElement) -> str:
    """The text of an element, a line for each block in it."""
    parts: list[str] = []

    def read(element: html.HtmlElement) -> None:
        if element.tag in ("style", "script", "head", "nav"):
            parts.append(element.tail or "")
            return
        breaks = "\n" if _LINES.fullmatch(element.tag) else ""
        parts.append(breaks + (element.text or ""))
        for child in element:
            read(child)
        parts.append(breaks + (element.tail or ""))

    read(shown)
    return "".join(parts)


def find_bylines_elsewhere(page: CleanPage) -> Iterator[str]:
    """Authors that the page shows nowhere, although its text names another candidate. One that is stated to programs
    alone, on a page that names nobody, contradicts nothing."""
    shown, said = _fold(" ".join(page.analysis.columns.blocks.text)), _fold(page.text)
    if page.authors and not any(_fold(one.name) in shown for one in page.authors):
        for name, source in page.fields.author.alternatives:
            if _fold(name) and _fold(name) in said:
                yield f"{page.author} is nowhere on the page, {name} is ({source})"


KINDS: Final[dict[str, Callable[[CleanPage], Iterator[str]]]] = {
    "kept block without text": find_kept_blocks_without_text,
    "dropped block with text": find_dropped_blocks_with_text,
    "text of an excluded role": find_excluded_texts,
    "hole in a list": find_holes,
    "record without text": find_records_without_text,
    "text not in Markdown": find_text_not_in_markdown,
    "text not on the phone": find_text_not_on_phone,
    "phone not in the text": find_phone_not_in_text,
    "by-line from elsewhere": find_bylines_elsewhere,
}
"""Name -> what counts it on a page."""


@cache
def _make_cleaner() -> webclean.Cleaner:
    return webclean.Cleaner()


def _list_jobs(folder: Path, n_pages: int | None, kinds: Sequence[str]) -> list[Job]:
    if find_layout(folder) is Layout.ARTICLES:  # of which some have no truth that is one text
        files = take_about(sorted(folder.glob("*.html.gz")), n_pages)
        return [(f"{folder.name}/{file.name}", gzip.decompress(file.read_bytes()), None, kinds) for file in files]
    found = take_about(list(read_folder(folder)), n_pages)
    return [(f"{folder.name}/{page.id}", page.html, page.url or None, kinds) for page in found]


def check_page(job: Job) -> tuple[str, dict[str, list[str]]]:
    """(id, kind -> what contradicts)."""
    name, markup, url, kinds = job
    try:
        page = _make_cleaner().clean(markup, url=url)
        return name, {kind: list(KINDS[kind](page)) for kind in kinds}
    except webclean.WebcleanError as error:
        return name, {"error": [str(error)]}


def main() -> None:
    """Print a table of kinds: contradictions and pages with any."""
    parser = make_parser(__doc__, json_file=True)
    parser.add_argument("folders", nargs="*", type=Path, default=[FIXTURES], metavar="FOLDER")
    parser.add_argument("--pages", type=int, help="about so many of each folder")
    parser.add_argument("--kind", action="append", choices=KINDS, help="only this kind; may be repeated")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="pages of each kind that are printed")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    kinds = given.kind or list(KINDS)
    counts, pages, worst = Counter[str](), Counter[str](), defaultdict[str, list[tuple[int, str, list[str]]]](list)
    n_pages = 0
    with ProcessPoolExecutor(given.jobs) as pool:
        for folder in given.folders:
            jobs = _list_jobs(folder, given.pages, kinds)
            n_pages += len(jobs)
            for name, found in pool.map(check_page, jobs, chunksize=8):
                for kind, told in found.items():
                    counts[kind] += len(told)
                    pages[kind] += bool(told)
                    worst[kind].append((len(told), name, told))
    for kind, of_kind in worst.items() if given.show else ():
        print(f"== {kind}")
        for number, page_id, texts in sorted(of_kind, reverse=True)[: given.show]:
            print(f"{number:6} {page_id}", *texts[:3], sep="\n       ") if number else None
    print(format_table(("contradiction", "times", "pages"), [(kind, counts[kind], pages[kind]) for kind in counts]))
    write_figures(given.json, {kind: {"times": counts[kind], "pages": pages[kind]} for kind in counts}, n_pages)


if __name__ == "__main__":
    main()
