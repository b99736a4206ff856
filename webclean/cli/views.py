"""Commands that show one page: `webclean explain`, `blocks`, `links` and `phone`.

What was decided about it, and why; its semantic blocks, as a tree, a picture, Markdown, JSON or index rows; its links,
ranked by how well they match a topic; and a page for a phone, in parts where it is long, with its images where wanted.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from webclean.cli.clean import write_file
from webclean.cli.commands import COMMANDS, command, flag, group, option, require
from webclean.cli.pages import (
    PAGE,
    PAGE_OPTIONS,
    build_cleaner,
    choose_page,
    clean_page,
    is_url,
    limit_fetches,
    read_page,
    tell_warnings,
)
from webclean.cli.terminal import find_width, fit, format_points, shorten_path
from webclean.errors import InputError
from webclean.model import Block, Reason, Section
from webclean.outputs.dictionary import to_plain_values
from webclean.outputs.phone import PhoneOptions
from webclean.page import CleanPage
from webclean.pipeline import Cleaner
from webclean.web.inline_images import render_offline, render_parts
from webclean.workbench.descriptions import describe_text_blocks, explain_text_blocks


@command(
    "explain",
    COMMANDS["explain"],
    PAGE,
    flag("--text-blocks", "leaf text blocks in place of semantic blocks"),
    flag("--repairs", "list what was repaired in the markup, with positions"),
    option("--reasons", "reasons shown of the type and of each block", "N", int, default=2),
    flag("--whole", "texts and evidence as long as they are, not cut at the width of the terminal"),
    flag("--json", "as JSON, with all reasons"),
    *PAGE_OPTIONS,
)
def explain(args: argparse.Namespace) -> int:
    """Print the page's type, fields and blocks with the reasons for each.

    examples:
      webclean explain page.html                 the page's type, its fields, and each block
      webclean explain page.html --text-blocks   ... each leaf text block, with its points
      webclean explain page.html --whole         ... whole texts, not their beginnings
      webclean explain page.html --repairs       what the parser repaired in the markup
      webclean explain page.html --json          all of it, for machines
    """
    page = clean_page(choose_page(args), build_cleaner(args), args)
    if args.json:
        print(json.dumps(describe_page(page, args), ensure_ascii=False, indent=1))
        return 0
    width = sys.maxsize if args.whole else find_width()
    shown: Iterator[str]
    if args.repairs:
        rows = ((one.line, one.column, one.kind, one.message) for one in page.repairs)
        table = (f"{line:>6} {column:>6}  {kind:14} {what}" for line, column, kind, what in rows)
        shown = chain([f"{'line':>6} {'column':>6}  {'repair':14} what"], (fit(line, width) for line in table))
    else:
        shown = (_list_text_blocks if args.text_blocks else _list_blocks)(page, width, args.reasons)
    sys.stdout.writelines(f"{line}\n" for line in chain(_list_head(page, width, args.reasons), shown))
    return 0


def open_page(args: argparse.Namespace, cleaner: Cleaner | None = None) -> CleanPage:
    """The page that was named; its warnings go to standard error before anything is written."""
    name = choose_page(args)
    page = clean_page(name, cleaner or build_cleaner(args), args)
    tell_warnings(name, page.warnings)
    return page


def describe_page(page: CleanPage, args: argparse.Namespace) -> dict[str, Any]:
    """Everything that the tables show, and more, for JSON."""
    described: dict[str, Any] = page.to_dict(include_reasons=True)
    # each block has its own text: once is enough
    del described["text"]
    described["type_probabilities"] = dict(page.analysis.classification.ranking)
    described["warnings"] = list(page.warnings)
    if args.text_blocks:
        described["text_blocks"] = describe_text_blocks(page)
    if args.repairs:
        described["repairs"] = to_plain_values(page.repairs)
    return described


def _list_head(page: CleanPage, width: int, n_reasons: int) -> Iterator[str]:
    """Warnings, type with its reasons, fields with their sources."""
    for warning in page.warnings:
        yield fit(f"warning  {warning}", width)
    names = dict.fromkeys(name for name in (page.page_subtype, page.page_label) if name)
    named = f" ({', '.join(names)})" if names else ""
    yield f"type     {page.page_type}{named}, confidence {page.type_confidence:.2f}"
    # the type is one decision for the page: a few more reasons than a block has are shown
    for reason in page.type_reasons[: max(3, n_reasons + 2)]:
        yield fit(f"{format_points(reason.points, signed=True):>15}  {_format_reason(reason)}", width)
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
    yield f"{'block':6} {'kept':4} {'role':13} {'score':>6} {'in text / words':>15}  text"
    own = page.analysis.columns.blocks.n_words
    n_words, n_taken = (
        np.bincount(page.segment_of, counted, minlength=len(page.blocks)).tolist()
        for counted in (own, own * page.analysis.decisions.kept)
    )
    for block in page.ranked_blocks:
        words, taken = n_words[block.number], n_taken[block.number]
        # of the stage that decided whether it is kept; other reasons are about its role
        score = next((reason.points for reason in block.reasons if reason.stage == "keep"), None)
        kept = "yes" if block.kept else "no"
        counts = f"{taken:.0f} / {words:.0f}"
        line = f"{block.id:6} {kept:4} {block.role:13} {format_points(score):>6} {counts:>15}  {block.text}"
        yield fit(line, width)
        if block.kept and words and not taken:
            # role and place keep a block; its texts are judged one by one
            yield fit(f"{'':15}  kept as a block, but each of its texts is dropped (--text-blocks says why)", width)
        yield from _list_reasons(block.reasons, n_reasons, width)


def _list_text_blocks(page: CleanPage, width: int, n_reasons: int) -> Iterator[str]:
    columns, roles = page.analysis.columns, page.text_block_roles
    yield f"{'block':>6} {'kept':4} {'role':13} {'score':>6} {'words':>5}  text"
    for number, found in enumerate(explain_text_blocks(page)):
        kept, text = "yes" if found.kept else "no", columns.blocks.text[number]
        n_words, role = int(columns.blocks.n_words[number]), roles[number]
        line = f"{number:>6} {kept:4} {role:13} {format_points(found.score):>6} {n_words:>5}  {text}"
        yield fit(line, width)
        yield from _list_reasons(found.reasons, n_reasons, width)


def _list_reasons(reasons: Iterable[Reason], most: int, width: int) -> Iterator[str]:
    for reason in islice(reasons, most):
        yield fit(f"{format_points(reason.points, signed=True):>15}  {_format_reason(reason)}", width)


def _format_reason(reason: Reason) -> str:
    evidence = " ".join(reason.evidence.split())
    named = f"{reason.stage}, {reason.rule}" + (f" ({shorten_path(reason.source)})" if reason.source else "")
    return f"{named}: {evidence}" if evidence else named


@command(
    "blocks",
    COMMANDS["blocks"],
    PAGE,
    option("--format", "what is shown", choices=("tree", "markdown", "json", "rows"), default="tree"),
    flag("--reasons", "tree: say why below each block"),
    option("--html", "write a picture of the page's blocks", "FILE", Path),
    *PAGE_OPTIONS,
)
def blocks(args: argparse.Namespace) -> int:
    """Show the tree of a page: its sections, and in them its semantic blocks with roles and sizes.

    examples:
      webclean blocks page.html                         a tree: # sections with titles, + kept and - dropped blocks with
                                                        role, importance, size, links, records
      webclean blocks page.html --reasons               ... with why
      webclean blocks page.html --html blocks.html      a picture: outlined by role, hover for the reasons
      webclean blocks page.html --format rows           one JSON row a block, for a search index
    """
    from webclean.outputs.block_views import describe_line, list_tree, render_block_markdown, render_picture  # noqa: PLC0415  start-up stays fast
    from webclean.outputs.dictionary import list_index_rows  # noqa: PLC0415

    page = open_page(args)
    if args.html:
        args.html.write_text(render_picture(page.source.markup, page.blocks), encoding="utf-8")
        print(f"wrote {args.html}")
    elif args.format == "markdown":
        print(render_block_markdown(page.ranked_blocks), end="")
    elif args.format == "json":
        print(json.dumps(page.describe_parts(include_reasons=args.reasons)["blocks"], ensure_ascii=False))
    elif args.format == "rows":
        for row in page.bound(list_index_rows(page.ranked_blocks, page.url, page.section_titles)):
            print(json.dumps(row, ensure_ascii=False))
    else:
        width = shutil.get_terminal_size((120, 24)).columns
        sections = () if page.is_ranked else page.sections  # a ranked page is shown by rank
        for line in list_tree(sections, page.ranked_blocks):
            print(describe_line(line, width))
            for reason in _explain(line.shown) if args.reasons else ():
                print(f"         {reason}")
    return 0


def _explain(shown: Section | Block) -> list[str]:
    from webclean.outputs.block_views import describe_block, list_reasons  # noqa: PLC0415

    return describe_block(shown).split("\n")[1:] if isinstance(shown, Block) else list_reasons(shown.reasons)


@command(
    "links",
    COMMANDS["links"],
    PAGE,
    option("--topic", "words of the topic"),
    option("--like", "an example page (repeatable)", "FILE", action="append", default=[]),
    option("--top", "links shown; 0: all (default: 20, of feeds and sitemaps all)", "N", int),
    group(
        "what a site names by itself (extra crawl)",
        flag("--feeds", "the entries of the feeds that the page links to, or of the feed at the URL"),
        flag("--sitemaps", "the pages of the sitemaps that robots.txt names, or of the sitemap at the URL"),
        option("-o,--output", "also write the addresses, a line each, as webclean batch reads them", "FILE", Path),
    ),
    *PAGE_OPTIONS,
)
def links(args: argparse.Namespace) -> int:
    """Rank the links of a page by what anchors, neighbours, headings, blocks and URLs say of a topic; or list what the
    feeds and sitemaps of a site name: address, date, title.

    examples:
      webclean links front.html --topic "ferry harbour timetable" --top 10
      webclean links https://example.org --feeds                              what its feeds name
      webclean links https://example.org --sitemaps -o urls.txt && webclean batch urls.txt -o out
    """
    if args.feeds or args.sitemaps:
        return _list_entries(args)
    if args.output:
        args.parser_of_command.error("-o is for --feeds and --sitemaps")
    from webclean.web.frontier import rank_links  # noqa: PLC0415  start-up stays fast

    cleaner = build_cleaner(args)
    examples = [cleaner.clean(read_page(name, args).body) for name in args.like]
    if not args.topic and not examples:
        raise InputError("name a topic: --topic WORDS or --like FILE")
    page = open_page(args, cleaner)
    # a topic is words, pages, or both
    topic: Any = args.topic if not examples else [*([args.topic] if args.topic else []), *examples]
    ranked = rank_links(page, topic)
    for link in ranked[: (20 if args.top is None else args.top) or None]:
        print(f"{link.score:.3f}\t{page.blocks[link.block].id}\t{link.url}\t{link.text}")
    return 0


def _list_entries(args: argparse.Namespace) -> int:
    """Print what feeds and sitemaps name, each address once."""
    url = choose_page(args)
    if not is_url(url):
        args.parser_of_command.error("--feeds and --sitemaps need a URL")
    require("--feeds and --sitemaps", "feedparser", "scrapy")
    from webclean.web.discovery import list_entries  # noqa: PLC0415  an extra

    entries = list_entries(url, limit_fetches(args), feeds=args.feeds, sitemaps=args.sitemaps)
    shown = list(islice(entries, args.top or None))
    for entry in shown:
        print(f"{entry.url}\t{entry.date}\t{entry.title}")
    if args.output:
        write_file(args.output, "".join(f"{entry.url}\n" for entry in shown))
    return 0


@command(
    "phone",
    COMMANDS["phone"],
    PAGE,
    option("-o,--output", "where the parts are written", "FOLDER", Path),
    option("--part-bytes", "bytes of text of one part, about (default: as the rules say)", "N", int),
    flag("--no-images", "no images"),
    flag("--inline-images", "fetch the images and write them into the pages (extra images)"),
    *PAGE_OPTIONS,
)
def phone(args: argparse.Namespace) -> int:
    """Write a page for a small screen: one document to standard output, or one for each part of a long page into a
    folder, with links from part to part. Pages load nothing but their images.

    examples:
      webclean phone page.html > phone.html                        one document
      webclean phone https://example.org/story -o story/           story/index.html, story/2.html, ... if it is long
      webclean phone https://example.org/story --inline-images -o story/      to read without a network

    exit codes: 0 done, 1 the page could not be cleaned, 2 wrong usage or rules, or an input that is no page
    """
    check_phone_usage(args)
    page = open_page(args)
    options = PhoneOptions(images=not args.no_images)
    if args.output is not None:
        size = args.part_bytes or page.analysis.rules.phone.part_bytes
        options = replace(options, part_bytes=size, name_part=name_file)
    parts = (
        render_offline(page, options=options, allow_private=args.allow_private)
        if args.inline_images
        else render_parts(page, options)
    )
    if args.output is None:
        sys.stdout.write(parts[0])
        return 0
    for number, part in enumerate(parts, start=1):
        write_file(args.output / name_file(number), part)
    return 0


def check_phone_usage(args: argparse.Namespace) -> None:
    """Exit with code 2 if the arguments contradict each other; `InputError` where a package is missing."""
    error = args.parser_of_command.error
    if args.part_bytes is not None and args.output is None:
        error("--part-bytes needs -o FOLDER for the parts")
    if args.part_bytes is not None and args.part_bytes < 1:
        error("--part-bytes is a number of bytes, 1 and more")
    if args.inline_images and args.no_images:
        error("--inline-images and --no-images exclude each other")
    if args.inline_images:
        require("writing images into pages", "PIL")
    if args.output is not None and args.output.is_file():
        raise InputError(f"{args.output} is a file; say a folder for the parts")


def name_file(number: int) -> str:
    """The file of a part."""
    return "index.html" if number == 1 else f"{number}.html"
