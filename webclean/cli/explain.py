"""`webclean explain`: what was decided about a page, and why."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from webclean.cli.pages import add_page, add_page_options, build_cleaner, choose_page, clean_page
from webclean.cli.terminal import find_width, fit, format_points, shorten_path
from webclean.model import Reason
from webclean.outputs.dictionary import to_plain_values
from webclean.page import CleanPage
from webclean.workbench.descriptions import describe_text_blocks, explain_text_blocks

_EXAMPLES = """examples:
  webclean explain page.html                 the page's type, its fields, and each block
  webclean explain page.html --text-blocks   ... each leaf text block, with its points
  webclean explain page.html --repairs       what the parser repaired in the markup
  webclean explain page.html --json          all of it, for machines
"""


def add_parser(commands: Any) -> None:
    """Add this command."""
    parser = commands.add_parser(
        "explain",
        help="why a page has its type and each block its fate",
        description="Print the page's type, fields and blocks with the reasons for each.",
        epilog=_EXAMPLES,
    )
    add_page(parser)
    parser.add_argument("--text-blocks", action="store_true", help="leaf text blocks in place of semantic blocks")
    parser.add_argument("--repairs", action="store_true", help="list what was repaired in the markup, with positions")
    parser.add_argument(
        "--reasons", type=int, default=2, metavar="N", help="reasons shown of the type and of each block (default: 2)"
    )
    parser.add_argument("--json", action="store_true", help="as JSON, with all reasons")
    add_page_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Explain one page."""
    page = clean_page(choose_page(args), build_cleaner(args), args)
    if args.json:
        print(json.dumps(describe_page(page, args), ensure_ascii=False, indent=1))
        return 0
    width = find_width()
    sections = [_list_head(page, width, args.reasons)]
    if args.repairs:
        sections.append(_list_repairs(page, width))
    elif args.text_blocks:
        sections.append(_list_text_blocks(page, width, args.reasons))
    else:
        sections.append(_list_blocks(page, width, args.reasons))
    for lines in sections:
        for line in lines:
            sys.stdout.write(f"{line}\n")
    return 0


def describe_page(page: CleanPage, args: argparse.Namespace) -> dict[str, Any]:
    """Everything that the tables show, and more, for JSON."""
    described: dict[str, Any] = page.to_dict(include_reasons=True)
    del described["text"]
    described["type_probabilities"] = dict(page.analysis.classification.ranking)
    described["warnings"] = list(page.warnings)
    if args.text_blocks:
        described["text_blocks"] = list(describe_text_blocks(page))
    if args.repairs:
        described["repairs"] = to_plain_values(page.repairs)
    return described


def _list_head(page: CleanPage, width: int, n_reasons: int) -> Iterator[str]:
    """Type with its reasons, fields with their sources, warnings."""
    names = dict.fromkeys(name for name in (page.page_subtype, page.page_label) if name)
    named = f" ({', '.join(names)})" if names else ""
    yield f"type     {page.page_type}{named}, confidence {page.type_confidence:.2f}"
    for reason in page.type_reasons[: max(3, n_reasons + 2)]:
        yield fit(f"{format_points(reason.points, signed=True):>15}  {_format_reason(reason)}", width)
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
    for warning in page.warnings:
        yield fit(f"warning  {warning}", width)
    yield ""


def _list_repairs(page: CleanPage, width: int) -> Iterator[str]:
    yield f"{'line':>6} {'column':>6}  {'repair':14} what"
    for repair in page.repairs:
        yield fit(f"{repair.line:>6} {repair.column:>6}  {repair.kind:14} {repair.message}", width)


def _list_blocks(page: CleanPage, width: int, n_reasons: int) -> Iterator[str]:
    yield f"{'block':6} {'kept':4} {'role':13} {'score':>6} {'in text / words':>15}  text"
    own = page.analysis.columns.blocks.n_words
    n_words, n_taken = (
        np.bincount(page.segment_of, counted, minlength=len(page.blocks)).tolist()
        for counted in (own, own * page.analysis.decisions.kept)
    )
    for block in page.ranked_blocks:
        words, taken = n_words[block.number], n_taken[block.number]
        score = next((reason.points for reason in block.reasons if reason.stage == "keep"), None)
        kept = "yes" if block.kept else "no"
        counts = f"{taken:.0f} / {words:.0f}"
        line = f"{block.id:6} {kept:4} {block.role:13} {format_points(score):>6} {counts:>15}  {block.text}"
        yield fit(line, width)
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
    for _, reason in zip(range(most), reasons, strict=False):
        yield fit(f"{format_points(reason.points, signed=True):>15}  {_format_reason(reason)}", width)


def _format_reason(reason: Reason) -> str:
    evidence = " ".join(reason.evidence.split())
    named = f"{reason.stage}, {reason.rule}" + (f" ({shorten_path(reason.source)})" if reason.source else "")
    return f"{named}: {evidence}" if evidence else named
