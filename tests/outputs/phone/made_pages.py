"""Phone pages of markup and of blocks made by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from tests.outputs.kept import keep_blocks, make_blocks
from webclean.model import Document
from webclean.outputs.flow import Head, Node
from webclean.outputs.flow.builder import build_flow
from webclean.outputs.phone import Layout, PhoneOptions, PhonePage, PhoneSource, render_phone
from webclean.rules import load_rules

URL = "https://news.example.org/a"
RULES = load_rules().phone


def make_flow(markup: str) -> Node:
    return build_flow(*keep_blocks(markup, (), URL))


def make_page(markup: str, head: Head | None = None, layout: Layout = Layout.ARTICLE, **options: Any) -> PhonePage:
    """A page of one source without semantic blocks."""
    return PhonePage(head or Head(), layout, [PhoneSource(make_flow(markup))], RULES, options=PhoneOptions(**options))


def change_rules(page: PhonePage, **values: Any) -> PhonePage:
    rules = {name: getattr(page.rules, name) for name in page.rules.__struct_fields__}
    return replace(page, rules=type(page.rules)(**{**rules, **values}))


def find_row(document: Document, name: str) -> int:
    """Row of the element with an id."""
    return next(row for row, attrs in enumerate(document.attrs) if attrs.get("id") == name)


def make_blocks_page(
    markup: str, blocks: Sequence[dict[str, Any]], layout: Layout = Layout.INDEX, head: Head | None = None, **more: Any
) -> PhonePage:
    """A page of semantic blocks. Each has, beside what `make_blocks` takes, `at`, the id of its element, and `units`,
    the ids of the elements of its records."""
    document, text_blocks, kept = keep_blocks(markup, more.pop("drop", ()), URL)
    owner = [-1] * len(document)
    spans = []
    for number, block in enumerate(blocks):
        row = find_row(document, block["at"])
        owner[row : int(document.end[row])] = [number] * (int(document.end[row]) - row)
        rows = [find_row(document, name) for name in block.get("units", ())]
        spans.append([(at, int(document.end[at])) for at in rows])
    flow = build_flow(document, text_blocks, kept)
    source = PhoneSource(flow, make_blocks(*blocks), owner, spans, URL)
    return PhonePage(head or Head(url=URL), layout, [source], RULES, options=PhoneOptions(**more))


def read_main(html: str) -> list[str]:
    """The lines of a document's content."""
    return html.partition("<main>\n")[2].partition("\n</main>")[0].split("\n")


def render_lines(page: PhonePage, render: Callable[[PhonePage], str] = render_phone) -> list[str]:
    return read_main(render(page))


def show(*page: Any, **options: Any) -> str:
    """The document of a page as `make_page` makes it."""
    return render_phone(make_page(*page, **options))


def show_lines(*page: Any, **options: Any) -> list[str]:
    return render_lines(make_page(*page, **options))


def show_blocks(*page: Any, **options: Any) -> str:
    """The document of a page as `make_blocks_page` makes it."""
    return render_phone(make_blocks_page(*page, **options))


def show_block_lines(*page: Any, **options: Any) -> list[str]:
    return render_lines(make_blocks_page(*page, **options))
