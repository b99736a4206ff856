"""Commands that show one page: `webclean explain`, `blocks`, `links` and `phone`.

What was decided about it, and why; its semantic blocks, as a tree, a picture or rows for an index; its links,
ranked by how well they match a topic; and a page for a small screen, with its images inside if wanted.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from json import dumps
from pathlib import Path
from textwrap import wrap
from typing import Annotated, Any, Literal

from webclean.cli import UsageError, command, require
from webclean.cli.clean import write_file
from webclean.cli.page_options import Page, PageOptions, choose_page, clean_page, read_page, tell_warnings
from webclean.cli.terminal import find_width, fit, shorten_path
from webclean.errors import InputError
from webclean.model import Block, Reason
from webclean.outputs.phone import PhoneOptions
from webclean.page import CleanPage
from webclean.parse.url import is_of_web
from webclean.pipeline import Cleaner
from webclean.web.fetch import FetchLimits
from webclean.web.inline_images import render_offline
from webclean.workbench import count_words, explain_blocks, explain_page, explain_text, explain_text_blocks


@command()
def explain(
    *,
    page: Page = None,
    text_blocks: Annotated[bool, "leaf text blocks in place of semantic blocks"] = False,
    verbose: Annotated[bool, "also what gave points, and how many", None, "-v,--verbose"] = False,
    reasons: Annotated[int, "how many of these, of the type and of each block", "N"] = 4,
    whole: Annotated[bool, "texts and reasons as long as they are, not cut at the width of the terminal"] = False,
    json: Annotated[bool, "as JSON, with all reasons, also of the leaf text blocks"] = False,
    options: PageOptions,
) -> int:
    """Print the page's type, fields and blocks, and why each block is kept or dropped.

    examples:
      webclean explain page.html                 the page's type, its fields, and each block with a sentence
      webclean explain page.html -v              ... with what gave points
      webclean explain page.html --text-blocks   ... each leaf text block, with its score
      webclean explain page.html --whole         ... whole texts, not their beginnings
      webclean explain page.html --json          all of it, for machines
    """
    shown = clean_page(choose_page(page), options.cleaning.build_cleaner(options.source.reading), options)
    if json:
        described: dict[str, Any] = shown.to_dict(include_reasons=True)
        # each block has its own text: once is enough
        del described["text"]
        print(dumps(described | explain_page(shown), ensure_ascii=False, indent=1))
        return 0
    width, n_reasons = sys.maxsize if whole else find_width(), reasons * verbose
    lines = (_list_text_blocks if text_blocks else _list_blocks)(shown, width, n_reasons)
    sys.stdout.writelines(f"{line}\n" for line in chain(_list_head(shown, width, n_reasons), lines))
    return 0


def open_page(page: str | None, options: PageOptions, cleaner: Cleaner | None = None) -> CleanPage:
    """The page that was named; its warnings go to standard error before anything is written."""
    name = choose_page(page)
    cleaned = clean_page(name, cleaner or options.cleaning.build_cleaner(options.source.reading), options)
    tell_warnings(name, cleaned.warnings)
    return cleaned


def _list_head(page: CleanPage, width: int, n_reasons: int) -> Iterator[str]:
    """Warnings, type with its reasons, fields with their sources."""
    for warning in page.warnings:
        yield fit(f"warning  {warning}", width)
    names = dict.fromkeys(name for name in (page.page_subtype, page.page_label) if name)
    named = f" ({', '.join(names)})" if names else ""
    yield f"type     {page.page_type}{named}, confidence {page.type_confidence:.2f}"
    yield from (fit(f"{'':9}{one.evidence}", width) for one in page.type_reasons[: 0 if n_reasons else 1])
    yield from _list_reasons(page.type_reasons, n_reasons, width)
    for platform in page.platforms:
        yield fit(
            f"platform {platform.name} {platform.version}".rstrip() + f"  [{', '.join(platform.evidence)}]", width
        )
    for name in ("title", "date", "author", "language"):
        field = getattr(page.fields, name)
        if field.value is not None:
            yield fit(f"{name:8} {field.value}  [{field.source}, {field.confidence:.2f}]", width)
    source = page.source
    overruled = f" against the declared {source.declared}" if source.declared else ""
    yield f"encoding {source.encoding or 'none'} [{source.encoding_from}{overruled}], {source.n_bytes} bytes"
    if source.kind != "html" or source.part:
        yield f"input    {source.kind}{', the content of ' + source.part if source.part else ''}"
    if page.truncated:
        yield f"cut      at the limit of {', '.join(page.truncated)}"
    yield ""


def _list_blocks(page: CleanPage, width: int, n_reasons: int) -> Iterator[str]:
    yield f"{'block':5} {'':7} {'role':13} {'in text':>9}  text"
    counts = count_words(page)
    for block, why in explain_blocks(page):
        words, taken = counts[block.number]
        fate = "kept" if block.kept else "dropped"
        yield fit(f"{block.id:5} {fate:7} {block.role:13} {f'{taken}/{words}':>9}  {block.text}", width)
        yield from _wrap_sentence(why, width)
        yield from _list_reasons(block.reasons, n_reasons, width)


def _list_text_blocks(page: CleanPage, width: int, n_reasons: int) -> Iterator[str]:
    columns, roles = page.analysis.columns, page.text_block_roles
    yield f"{'block':>5} {'':7} {'role':13} {'score':>6} {'words':>5}  text"
    for number, found in enumerate(explain_text_blocks(page)):
        fate, text = "kept" if found.kept else "dropped", columns.blocks.text[number]
        n_words = int(columns.blocks.n_words[number])
        yield fit(f"{number:>5} {fate:7} {roles[number]:13} {found.score:>6.2f} {n_words:>5}  {text}", width)
        yield from _wrap_sentence(explain_text(found), width)
        yield from _list_reasons(found.reasons, n_reasons, width)


def _wrap_sentence(sentence: str, width: int) -> Iterator[str]:
    lines = wrap(sentence, width, initial_indent=" " * 6, subsequent_indent=" " * 6)
    return (fit(line, width) for line in lines)  # a wide character takes two columns


def _list_reasons(reasons: Iterable[Reason], most: int, width: int) -> Iterator[str]:
    for reason in islice(reasons, most):
        evidence = " ".join(reason.evidence.split())
        named = f"{reason.stage}, {reason.rule}" + (f" ({shorten_path(reason.source)})" if reason.source else "")
        told = f"{named}: {evidence}" if evidence else named
        points = "" if reason.points is None else f"{reason.points:+.2f}"
        yield fit(f"{points:>15}  {told}", width)


@command()
def blocks(
    *,
    page: Page = None,
    format: Annotated[Literal["tree", "outline", "rows"], "what is shown"] = "tree",  # noqa: A002  the option
    reasons: Annotated[bool, "tree: say why below each block"] = False,
    html: Annotated[Path | None, "write a picture of the page's blocks", "FILE"] = None,
    options: PageOptions,
) -> int:
    """Show the tree of a page: its sections, and in them its semantic blocks with roles and sizes.

    examples:
      webclean blocks page.html                         a tree: # sections with titles, + kept and - dropped blocks with
                                                        role, importance, size, links, records
      webclean blocks page.html --reasons               ... with why
      webclean blocks page.html --format outline        the titles alone, nested, as Markdown
      webclean blocks page.html --html blocks.html      a picture: outlined by role, hover for the reasons
      webclean blocks page.html --format rows           one JSON row a block, for a search index
    """
    from webclean.outputs import block_views  # noqa: PLC0415  start-up stays fast

    shown = open_page(page, options)
    if html:
        html.write_text(
            block_views.render_picture(shown.source.markup, shown.blocks, sections=shown.sections), encoding="utf-8"
        )
        print(f"wrote {html}")
    elif format == "outline":
        print(shown.outline())
    elif format == "rows":
        print("".join(f"{dumps(row, ensure_ascii=False)}\n" for row in shown.search_rows()), end="")
    else:
        width = shutil.get_terminal_size((120, 24)).columns
        print(fit(block_views.HEAD, width))
        for line in shown.list_tree():
            print(block_views.describe_line(line, width))
            told = block_views.list_reasons(line.shown.reasons)
            if isinstance(line.shown, Block):
                told = block_views.describe_block(line.shown).split("\n")[1:]
            print("".join(f"         {reason}\n" for reason in told if reasons), end="")
        print(fit(block_views.LEGEND, width))
    return 0


@dataclass(frozen=True, slots=True)
class Named:
    feeds: Annotated[bool, "the entries of the feeds that the page links to, or of the feed at the URL"] = False
    sitemaps: Annotated[bool, "the pages of the sitemaps that robots.txt names, or of the sitemap at the URL"] = False


@command()
def links(
    *,
    page: Page = None,
    topic: Annotated[str | None, "words of the topic"] = None,
    like: Annotated[tuple[str, ...], "an example page (repeatable)", "FILE"] = (),
    top: Annotated[int | None, "links shown; 0: all (default: 20, of feeds and sitemaps all)", "N"] = None,
    named: Annotated[Named, "what a site names by itself (extra crawl)"],
    options: PageOptions,
) -> int:
    """Rank the links of a page by what anchors, neighbours, headings, blocks and URLs say of a topic; or list what the
    feeds and sitemaps of a site name: address, date, title.

    examples:
      webclean links front.html --topic "ferry harbour timetable" --top 10
      webclean links https://example.org --feeds                              what its feeds name
      webclean links https://example.org --sitemaps > urls.txt && webclean batch urls.txt -o out
    """
    if named.feeds or named.sitemaps:
        return _list_entries(choose_page(page), named, top, options.source.reading.limits)
    from webclean.web.frontier import rank_links  # noqa: PLC0415  start-up stays fast

    cleaner = options.cleaning.build_cleaner(options.source.reading)
    examples = [cleaner.clean(read_page(name, options.source).body) for name in like]
    if not topic and not examples:
        raise InputError("name a topic: --topic WORDS or --like FILE")
    shown = open_page(page, options, cleaner)
    # a topic is words, pages, or both
    about: Any = topic if not examples else [*([topic] if topic else []), *examples]
    for link in rank_links(shown, about)[: (20 if top is None else top) or None]:
        print(f"{link.score:.3f}\t{shown.blocks[link.block].id}\t{link.url}\t{link.text}")
    return 0


def _list_entries(url: str, named: Named, top: int | None, limits: FetchLimits) -> int:
    """Print what feeds and sitemaps name, each address once."""
    if not is_of_web(url):
        raise UsageError("--feeds and --sitemaps need a URL")
    require("--feeds and --sitemaps", "crawl", "feedparser", "scrapy")
    from webclean.web.discovery import list_entries  # noqa: PLC0415  an extra

    for entry in islice(list_entries(url, limits, feeds=named.feeds, sitemaps=named.sitemaps), top or None):
        print(f"{entry.url}\t{entry.date}\t{entry.title}")
    return 0


@command()
def phone(
    *,
    page: Page = None,
    output: Annotated[Path | None, "where the document is written", "FILE", "-o,--output"] = None,
    no_images: Annotated[bool, "no images"] = False,
    inline_images: Annotated[bool, "fetch the images and write them into the pages (extra images)"] = False,
    options: PageOptions,
) -> int:
    """Write a page for a small screen: one document, which loads nothing but its images.

    examples:
      webclean phone page.html > phone.html
      webclean phone https://example.org/story --inline-images -o story.html      to read without a network

    exit codes: 0 done, 1 the page could not be cleaned, 2 wrong usage or rules, or an input that is no page
    """

    if inline_images and no_images:
        raise UsageError("--inline-images and --no-images exclude each other")
    if inline_images:
        require("writing images into pages", "images", "PIL")
    shown, form = open_page(page, options), PhoneOptions(images=not no_images)
    if inline_images:
        document = render_offline(shown, options=form, allow_private=options.source.reading.allow_private)
    else:
        document = shown.to_mobile_html(options=form)
    write_file(output, document)
    return 0
