"""Input -> `Document` columns (patent A1: parse and repair).

`read_source`: input -> bytes or text -> encoding -> kind. `parse_source`: markup -> limits -> engine -> columns. A
caller may change the markup between the two. The engine is chosen by name (`engines`): all follow the WHATWG tree
construction, which repairs omitted, crossed, wrong and misplaced tags.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from webclean.model import Document, Limits, Source
from webclean.parse.columns import (
    build_document,
    find_attribute,
    find_texts,
    read_attribute,
    read_attribute_column,
    read_attributes,
    read_raw,
)
from webclean.parse.encoding import decode_bytes
from webclean.parse.engines import ENGINES, find_engine
from webclean.parse.inputs import Input, mend_text, read_input
from webclean.parse.kinds import convert_source, is_binary
from webclean.parse.limits import Budget, start_budget
from webclean.parse.prepare import prepare_markup

OnLimit = Literal["raise", "truncate"]

__all__ = [
    "ENGINES",
    "Budget",
    "Input",
    "OnLimit",
    "find_attribute",
    "find_engine",
    "find_texts",
    "parse_page",
    "parse_part",
    "parse_source",
    "read_attribute",
    "read_attribute_column",
    "read_attributes",
    "read_raw",
    "read_source",
]


def parse_page(
    html: Input,
    *,
    url: str | None = None,
    engine: str = "fast",
    charset: str | None = None,
    limits: Limits | None = None,
    on_limit: OnLimit = "raise",
) -> Document:
    """Decode, repair and flatten one page.

    Args:
        html: the page, in any form that `Input` names.
        url: where it comes from.
        engine: a name of `ENGINES`.
        charset: what HTTP said.
        limits: what the page may cost.
        on_limit: `raise` `LimitExceeded`, or `truncate` and say so in `document.truncated`.

    Raises:
        InputError: for an unknown engine or something that is not a page.
        LimitExceeded: for a page that costs more than it may.
    """
    budget = start_budget(limits or Limits(), on_limit)
    return parse_source(read_source(html, budget, charset, url), budget, engine, url)


def read_source(html: Input, budget: Budget, charset: str | None = None, url: str | None = None) -> Source:
    """The markup of an input and how it was found: encoding, kind."""
    read = read_input(html, budget)
    if isinstance(read, str):
        return convert_source(Source(mend_text(read), "unicode", "text", len(read)))
    source = decode_bytes(read, charset, url)
    if source.encoding_from != "bom" and not source.encoding.startswith("utf-16") and is_binary(read):
        return Source("", "", "none", len(read), kind="binary")
    return convert_source(source)


def parse_source(source: Source, budget: Budget, engine: str = "fast", url: str | None = None) -> Document:
    """Build the columns of markup, within the limits. Raises `InputError` for an unknown engine."""
    parser = find_engine(engine)
    nodes = parser.walk(prepare_markup(source.markup, budget, parser.work_around), budget)
    return build_document(nodes, source, engine, url, budget)


def parse_part(markup: str, document: Document) -> Document:
    """Markup that stood inside a page (the content of `noscript` or `noframes`), parsed as the page was."""
    budget = Budget(truncate=True)
    return parse_source(replace(document.source, markup=markup), budget, document.engine, document.url)
