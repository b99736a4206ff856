"""Count where the outputs of one page contradict each other: block, texts, lists, records, Markdown and phone page.

usage: python benchmarks/contradictions.py [FOLDER ...] [--pages N] [--kind KIND] [--show N] [--json FILE]

FOLDER holds labelled pages in one of the layouts of quality.py; without one the repository's fixtures are taken. What
the page is said to hold is never read: only the outputs are held against each other. Each kind of contradiction is a
function of `KINDS`, whose docstring says what is counted. --show prints some of each kind, the pages with most first.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

import numpy as np
from harness import format_table, make_parser, write_figures
from lxml import html
from markdown_it import MarkdownIt
from page_folders import FIXTURES
from same import list_pages, make_cleaner

import webclean
from webclean import FieldValue, Role
from webclean.decide.completion import find_against
from webclean.model import Mask
from webclean.outputs.flow import Node, TreeOptions, fold, read_text
from webclean.outputs.flow.addresses import find_dropped_captions, find_media, make_media
from webclean.outputs.flow.lines import says_prices
from webclean.outputs.flow.mathml import convert_tex
from webclean.outputs.phone import Layout
from webclean.outputs.phone.index_cards import leave_out_title
from webclean.outputs.phone.layouts import is_label
from webclean.page import CleanPage
from webclean.page.formats import MobileOptions, describe_phone, keep_quotations
from webclean.parse.columns import mark_slices
from webclean.parse.url import find_base

ENTRIES: Final = 6
"""Alike siblings that are a list."""
ALIKE: Final = 2.5
"""Times that an entry may be longer or shorter than the kept ones of its list."""
EXCLUDED: Final = frozenset((Role.DIALOG, Role.NAVIGATION, Role.ADVERTISEMENT))
"""Roles of which nothing is main content."""
_WORD: Final = re.compile(r"[^\W_]+")
_LINES: Final = re.compile("p|div|h[1-6]|li|t[dhr]|d[dt]|figcaption|summary|pre|section|article|details|table|br")
"""Names of elements that are lines of their own."""


def _fold(text: str) -> str:
    """The letters and digits of a text, for markup adds signs and white space of its own."""
    return "".join(filter(str.isalnum, text.casefold()))


def _read_lines(document: str, left_out: str = "") -> str:
    """The text of an HTML document, a line for each block in it. left_out: XPath of what is not read."""
    root = html.document_fromstring(document)
    for hidden in root.xpath(f"//style | //script | //head | //nav {left_out}"):
        hidden.drop_tree()
    for element in root.iter():
        if _LINES.fullmatch(str(element.tag)):
            element.text, element.tail = f"\n{element.text or ''}", f"\n{element.tail or ''}"
    return str(root.text_content())


def find_blocks_against_texts(page: CleanPage) -> Iterator[str]:
    """Blocks that are kept although each of their texts is dropped, and those that are dropped although some of their
    texts are kept. What stands beside the text of a page about one thing, as comments and related lists do, is kept on
    purpose."""
    decisions, of = page.analysis.decisions, page.segment_of
    shown, held = (np.bincount(rows, minlength=len(page.blocks)) for rows in (of[decisions.kept], of))
    beside = () if decisions.by_parts else page.analysis.rules.segments.keep.beside
    for block in page.blocks:
        is_shown = bool(shown[block.number])
        if block.kept != is_shown and held[block.number] and not (block.kept and block.role in beside):
            yield f"{block.role} {'kept' if block.kept else 'dropped'} {block.text}"


def find_excluded_texts(page: CleanPage) -> Iterator[str]:
    """Kept texts of blocks whose role says that nothing of them is main content."""
    for number in page.analysis.decisions.kept.nonzero()[0].tolist():
        role = page.blocks[int(page.segment_of[number])].role
        if role in EXCLUDED:
            yield f"{role} {page.analysis.columns.blocks.text[number]}"


def find_holes(page: CleanPage) -> Iterator[str]:
    """Entries that are dropped whole between kept siblings of the same tag and class, six or more in one parent, that
    are about as long. Who wrote a post and when is no entry, and what the text says elsewhere is not missing; nor is
    what something is known against, such as a rule or a region, or points far below the cut."""
    columns, kept = page.analysis.columns, page.analysis.decisions.kept
    is_against = find_against(page.analysis.decisions, page.analysis.rules.corrections.torn)
    document, blocks, rows = columns.document, columns.blocks, np.asarray(columns.blocks.row)
    said_lines, heads = set(page.text.split("\n")), _mark_post_heads(page)
    groups = defaultdict[tuple[int, str, str], list[slice]](list)
    firsts, ends = rows.searchsorted(np.arange(len(document))), rows.searchsorted(document.end)
    for row in ((ends > firsts) & document.displayed).nonzero()[0].tolist():
        key = (int(document.parent[row]), document.names[row], (document.attrs[row] or {}).get("class", ""))
        groups[key].append(slice(int(firsts[row]), int(ends[row])))
    for (_, name, _), spans in groups.items():
        seen = [span for span in spans if blocks.visible[span].any() and not heads[span].all()]
        said = [at for at, span in enumerate(seen) if kept[span].any()]
        if len(spans) < ENTRIES or name in ("td", "th") or not said:
            continue
        sizes = [int(blocks.n_chars[span].sum()) for span in seen]
        usual = float(np.median([sizes[at] for at in said]))
        for at in range(said[0], said[-1]):
            missing = at not in said and blocks.text[seen[at].start] not in said_lines
            missing = missing and not is_against[seen[at]].any()
            if missing and usual / ALIKE <= sizes[at] <= usual * ALIKE:
                yield f"{name} {blocks.text[seen[at].start]}"


def find_lost_headings(page: CleanPage) -> Iterator[str]:
    """Headings that are dropped although their element goes on with text that is kept. The title of the page is a field
    and no text, whatever its level; so is the subject of a post, which repeats it."""
    columns, kept, title = page.analysis.columns, page.analysis.decisions.kept, _fold(page.title or "")
    rows, end = columns.row, columns.document.end[columns.document.parent[columns.row]]
    lost = columns.is_heading & ~kept & columns.blocks.visible
    for number in lost[:-1].nonzero()[0].tolist():
        told = _fold(columns.blocks.text[number])
        # the title may lack the name of a section, or go on with that of the site
        says_title = bool(title) and (title in told or (told in title and 2 * len(told) >= len(title)))
        is_title = says_title or columns.document.names[int(rows[number])] == "h1"
        if kept[number + 1] and rows[number + 1] < end[number] and not is_title:
            yield str(columns.blocks.text[number])


def _mark_post_heads(page: CleanPage) -> Mask:
    """bool [n_blocks], who wrote a post and when: that is written in one way, whatever the page's."""
    columns = page.analysis.columns
    document, row = columns.document, columns.blocks.row
    heads = np.array([at for post in columns.posts for at in post.heads], dtype=np.int64)
    # a line around a name and a time is one of them too, but in a chat, where the post is in the same line
    is_line = np.isin(row, document.block[heads]) & (columns.blocks.n_sentences == 0)
    return np.asarray(mark_slices(heads, document.end[heads], len(document))[row] | is_line)


def find_records_without_text(page: CleanPage) -> Iterator[str]:
    """Entries of a kept block of an index page whose title the page shows and its text has not."""
    said, shown = _fold(page.text), _fold(" ".join(page.analysis.columns.blocks.text))
    for block in page.blocks if page.page_type is webclean.PageType.INDEX else ():
        for record in block.records if block.kept else ():
            if _fold(record.title) in shown and _fold(record.title) not in said:
                yield f"{block.role} {record.title}"


def find_text_not_in_markdown(page: CleanPage) -> Iterator[str]:
    """Lines of the text of which the Markdown lacks words."""
    made = MarkdownIt("commonmark").enable("table").render(page.to_markdown())
    return _list_lacking(page, _read_lines(f"<main>{made}</main>"))


def find_text_not_on_phone(page: CleanPage) -> Iterator[str]:
    """Lines of the text of which the phone page lacks words. Its reader can do nothing with some, which it leaves out
    on purpose: names of buttons and ratings (`records.buttons` and `phone.idle` in the rules), signs and numbers
    without a letter, labels above the first post, and headings of which nothing is below. It says a price once, as it
    says a title that the text repeats behind a label. All of that is asked of the rule that leaves it out."""
    phone, columns = describe_phone(page, MobileOptions()), page.analysis.columns
    shown = page.analysis.decisions.kept.nonzero()[0]
    # the last of the text, and those that another follows at once
    followed = np.append(~columns.is_heading[shown[1:]], np.zeros(1, dtype=bool))[: len(shown)]
    bare = {columns.blocks.text[number] for number in shown[columns.is_heading[shown] & ~followed]}
    heads = [at for post in columns.posts for at in post.heads] if page.layout is Layout.THREAD else []
    above = {columns.blocks.text[number] for number in shown if columns.row[number] < min(heads, default=0)}
    records = [record for block in page.blocks if block.kept for record in block.records]
    titles = {fold(record.title) for record in records if record.title}
    prices = [(phone.price, phone.former), *((record.price or "", "") for record in records)]
    for line in _list_lacking(page, _read_lines(page.to_mobile_html())):
        told = line.removeprefix("- ").strip()
        is_idle = len(told) <= phone.rules.label_chars and bool(phone.is_idle(told))
        is_idle = is_idle or (told in above and is_label(told))
        is_said = any(price[0] and says_prices(told, price) for price in prices)
        line_of = Node("p", {}, [told])
        is_said |= any(title in fold(told) and leave_out_title(line_of, title) is None for title in titles)
        if any(map(str.isalpha, told)) and not (is_idle or phone.is_button(told) or is_said or told in bare):
            yield line


_FORMULA: Final = re.compile(r"(\$\$?)(\S.*?)\1")


def _draw_formulas(text: str) -> str:
    """A text with its TeX as the phone page draws it."""

    def draw(found: re.Match[str]) -> str:
        drawn = convert_tex(found[2], is_display=True)
        inner = drawn.walk() if drawn else ()
        return "".join(child for node in inner for child in node.children if isinstance(child, str)) or found[0]

    return _FORMULA.sub(draw, text)


def _list_lacking(page: CleanPage, shown: str) -> Iterator[str]:
    """Lines of the text with a fifth of their words or more nowhere in what is shown, beside those of the head of a
    post, of which a line of the text may be several. A line is there if its letters are: outputs set a space between
    elements that a style sheet sets apart, or none between a word and the number of its note."""
    heads = " ".join(page.analysis.columns.blocks.text[number] for number in _mark_post_heads(page).nonzero()[0])
    known, letters = set(_WORD.findall(shown.casefold())), _fold(shown)
    known_beside = known.union(_WORD.findall(heads.casefold()))
    for line in page.text.split("\n"):
        words = _WORD.findall(line.casefold())
        is_there = _fold(line) in letters or _fold(_draw_formulas(line)) in letters
        is_head = known_beside.issuperset(words) and _fold(line) in _fold(heads)
        if words and not (is_there or is_head) and sum(word not in known for word in words) >= len(words) / 5:
            yield line


def find_phone_not_in_text(page: CleanPage) -> Iterator[str]:
    """Lines of the phone page, or parts of its lines, that neither the text nor a field nor a kept record has. Shown on
    purpose is what the text refers to or stands beside: notes and their numbers, captions and names of pictures
    and films, headings of kept lists beside the text, what a post quotes, and what may be chosen of goods. All of that
    is asked of the rule that shows it."""
    blocks, columns = [block for block in page.blocks if block.kept], page.analysis.columns
    records = [record for block in blocks for record in block.records]
    phone, document, kept = describe_phone(page, MobileOptions()), columns.document, page.analysis.decisions.kept
    told = [value for record in records for value in (record.title, record.summary, record.price, record.author)]
    told += [phone.write_date(record.date) for record in records if record.date]
    told += [field.value for field in dict(page.fields).values() if isinstance(field, FieldValue)]
    told += [block.heading for block in blocks]
    told += [text for choice in phone.choices for text in (choice.name, *choice.values)]
    media = (make_media(document, row, find_base(document), with_poster=False) for row in find_media(document))
    told += [read_text(link) for link in media if link]
    rules = page.analysis.rules
    options = TreeOptions(image_attributes=rules.fields.images.attributes, tools=rules.tools)
    beside = keep_quotations(page, kept) | find_dropped_captions(document, columns.blocks, kept, options)
    told += [columns.blocks.text[number] for number in (beside & ~kept).nonzero()[0]]
    said = _fold(" ".join([page.text, _draw_formulas(page.text), *filter(None, told)]))
    left_out = "| //figcaption | //div[starts-with(@id, 'note-')]"
    for line in re.split(" · |\n", _read_lines(page.to_mobile_html(), left_out)):
        plain = _fold(_NOTE.sub("", line))
        if len(plain) > 25 and plain not in said and _fold(line) not in said:
            yield line


_NOTE: Final = re.compile(r"\[\d+\]")
"""The number of a note, which the page itself may mark with a sign."""


def find_bylines_elsewhere(page: CleanPage) -> Iterator[str]:
    """Authors that the page shows nowhere, although its text names another candidate. One that is stated to programs
    alone, on a page that names nobody, contradicts nothing."""
    shown, said = _fold(" ".join(page.analysis.columns.blocks.text)), _fold(page.text)
    if page.fields.authors and not any(_fold(one.name) in shown for one in page.fields.authors):
        for name, source in page.fields.author.alternatives:
            if _fold(name) and _fold(name) in said:
                yield f"{page.author} is nowhere on the page, {name} is ({source})"


KINDS: Final[dict[str, Callable[[CleanPage], Iterator[str]]]] = {
    "block against its texts": find_blocks_against_texts,
    "text of an excluded role": find_excluded_texts,
    "hole in a list": find_holes,
    "text without its heading": find_lost_headings,
    "record without text": find_records_without_text,
    "text not in Markdown": find_text_not_in_markdown,
    "text not on the phone": find_text_not_on_phone,
    "phone not in the text": find_phone_not_in_text,
    "by-line from elsewhere": find_bylines_elsewhere,
}
"""Name -> what counts it on a page."""


def check_page(job: tuple[str, bytes, str]) -> dict[str, list[str]]:
    """Kind -> what contradicts, on a page of which id, markup and URL are given."""
    try:
        page = make_cleaner().clean(job[1], url=job[2] or None)
        return {kind: [" ".join(told.split())[:90] for told in find(page)] for kind, find in KINDS.items()}
    except webclean.WebcleanError as error:
        return {"error": [str(error)]}


def main() -> None:
    """Print a table of kinds: contradictions and pages with any."""
    parser = make_parser(__doc__, json_file=True)
    parser.add_argument("folders", nargs="*", type=Path, default=[FIXTURES], metavar="FOLDER")
    parser.add_argument("--pages", type=int, help="of each folder, evenly spread")
    parser.add_argument("--kind", action="append", choices=KINDS, help="only this kind; may be repeated")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="pages of each kind that are printed")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    pages = list(list_pages(given.folders, given.pages))
    with ProcessPoolExecutor(given.jobs) as pool:
        found = list(zip(pages, pool.map(check_page, pages, chunksize=8), strict=True))
    summary = {}
    for kind in given.kind or (*KINDS, "error"):
        told = sorted(((own[kind], name) for (name, *_), own in found if own.get(kind)), key=lambda pair: -len(pair[0]))
        summary[kind] = {"times": sum(len(texts) for texts, _ in told), "pages": len(told)}
        for texts, name in told[: given.show]:
            print(f"{kind}: {len(texts):6} {name}", *texts[:3], sep="\n       ")
    print(format_table(("contradiction", "times", "pages"), ([kind, *own.values()] for kind, own in summary.items())))
    write_figures(given.json, summary, len(pages))


if __name__ == "__main__":
    main()
