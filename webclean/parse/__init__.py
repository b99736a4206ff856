"""Input -> `Document` columns (patent A1: parse and repair).

`read_source` decodes the input and determines its kind (HTML, XML, JSON, text, binary). `parse_source` checks the
limits, runs a parser and builds the columns. A caller may change the markup between the two steps. The parser, here
called engine, is chosen by name (`engines`). All engines follow the tree construction of the WHATWG standard, which
repairs omitted, crossed, wrong and misplaced tags.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, Literal

from webclean.errors import InputError, WebcleanError
from webclean.model import Document, Limits, Source
from webclean.parse.columns import (
    build_document,
    climb,
    count_tags,
    find_attribute,
    find_texts,
    read_attribute,
    read_attributes,
    read_data_scripts,
    read_raw,
    read_templates,
    sum_before,
)
from webclean.parse.controls import escape_controls
from webclean.parse.encoding import decode_bytes, repair_doubled
from webclean.parse.engines import ENGINES, find_engine
from webclean.parse.inputs import Input, convert_source, is_binary, mend_text, name_binary, open_container, read_input
from webclean.parse.limits import Budget, start_budget
from webclean.parse.prepare import prepare_markup
from webclean.parse.snippets import list_attributes
from webclean.parse.url import check_page_url, find_host, is_of_web

OnLimit = Literal["raise", "truncate"]
# looked for first: most pages of a crawl need no parse for it
_CANONICAL: Final = re.compile("canonical", re.IGNORECASE)
_MARKUP_START: Final = re.compile(r"[\ufeff\s]*+<[^?]")
_HEAD_CHARS: Final = 300_000
"""Characters of a page in which its canonical link is looked for."""

__all__ = ["ENGINES", "Budget", "Input", "OnLimit", "find_canonical_link", "find_engine", "parse_page", "parse_part"]
__all__ += ["parse_source", "read_source"]
# the readers of columns that most stages need
__all__ += ["climb", "count_tags", "find_attribute", "find_texts", "read_attribute", "read_attributes"]
__all__ += ["read_data_scripts", "read_raw", "read_templates", "sum_before"]


def parse_page(
    html: Input,
    *,
    url: str | None = None,
    engine: str = "fast",
    limits: Limits | None = None,
    on_limit: OnLimit = "raise",
) -> Document:
    """Decode and parse one page, and store it as columns. Raises `InputError` if the engine is unknown or the input is
    not a page, `LimitExceeded` if the page exceeds a limit.

    engine: a name in `ENGINES`. on_limit: `raise` raises `LimitExceeded`; `truncate` cuts the page and lists the limits
    in `document.truncated`.
    """
    budget = start_budget(limits or Limits(), on_limit)
    return parse_source(read_source(html, budget, url=url), budget, engine, url)


def read_source(html: Input, budget: Budget, charset: str | None = None, url: str | None = None) -> Source:
    """Read and decode an input. The result has the markup, its encoding and the kind of input."""
    read = read_input(html, budget)
    # who reads a file as text has the text of its container
    is_markup = isinstance(read, str) and bool(_MARKUP_START.match(read))
    data = read if isinstance(read, bytes) else b"" if is_markup else mend_text(read).encode()
    inner = open_container(data, budget.limits.max_bytes)
    if inner:
        read, charset = inner[0], inner[1] or charset
        if len(read) > budget.limits.max_bytes:
            budget.exceed("max_bytes", len(read))
            read = read[: budget.limits.max_bytes]
    if isinstance(read, str):
        return convert_source(repair_doubled(Source(mend_text(read), "unicode", "text", len(read))))
    source = decode_bytes(read, charset, url)
    # every other byte of UTF-16 is a control byte of ASCII, by which a binary file is known
    if source.encoding_from != "bom" and not source.encoding.startswith(("utf-16", "utf-32")) and is_binary(read):
        return Source("", "", "none", len(read), kind="binary", format=name_binary(read))
    return convert_source(source)


def parse_source(source: Source, budget: Budget, engine: str = "fast", url: str | None = None) -> Document:
    """Parse markup into columns, within the limits. Raises `InputError` if the engine is unknown."""
    parser = find_engine(engine)
    nodes = parser.walk(prepare_markup(source.markup, budget, parser.work_around), budget)
    return build_document(nodes, source, engine, url, budget)


def parse_part(markup: str, document: Document) -> Document:
    """Parse markup from inside a page (the content of `noscript` or `noframes`) with the engine of that page."""
    # it is a part of a page that was within the limits: what it has beyond is cut and no error
    budget = Budget(truncate=True)
    return parse_source(replace(document.source, markup=markup), budget, document.engine, document.url)


def find_canonical_link(body: bytes) -> str | None:
    """The first absolute address in a `link rel=canonical` of a page (RFC 6596), None if it has none."""
    try:
        markup = read_source(body, start_budget(Limits(), "truncate")).markup[:_HEAD_CHARS]
    except WebcleanError:
        return None
    if not _CANONICAL.search(markup):
        return None
    for link in list_attributes(markup, "link"):
        url = link.get("href", "").strip()
        if "canonical" in link.get("rel", "").lower().split() and is_of_web(url):
            try:
                check_page_url(url)
            except InputError:
                continue
            if find_host(url):
                return escape_controls(url)
    return None
