"""Input -> `Document` columns (patent A1: parse and repair).

input -> bytes or text -> encoding -> kind -> limits -> engine -> columns. The engine is chosen by name: `fast`
(turbohtml, the default) or `html5lib` (the reference). Both follow the WHATWG tree construction, which repairs
omitted, crossed, wrong and misplaced tags.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, Literal

from webclean.errors import InputError
from webclean.model import Document, Limits, Source
from webclean.parse import fast, reference
from webclean.parse.columns import (
    ParsedNodes,
    build_document,
    find_attribute,
    find_texts,
    read_attribute,
    read_attribute_column,
    read_attributes,
    read_raw,
)
from webclean.parse.encoding import decode_bytes
from webclean.parse.inputs import Input, mend_text, read_input
from webclean.parse.kinds import convert_source, is_binary
from webclean.parse.limits import Budget, start_budget
from webclean.parse.prepare import prepare_markup

ENGINES: Final[dict[str, Callable[[str, Budget], ParsedNodes]]] = {
    "fast": fast.walk_markup,
    "html5lib": reference.walk_markup,
}

OnLimit = Literal["raise", "truncate"]

__all__ = [
    "ENGINES",
    "Budget",
    "Input",
    "OnLimit",
    "find_attribute",
    "find_texts",
    "parse_page",
    "parse_part",
    "read_attribute",
    "read_attribute_column",
    "read_attributes",
    "read_raw",
]


def parse_page(
    html: Input,
    *,
    url: str | None = None,
    engine: str = "fast",
    charset: str | None = None,
    limits: Limits | None = None,
    on_limit: OnLimit = "raise",
    edit: Callable[[Source], Source] | None = None,
    budget: Budget | None = None,
) -> Document:
    """Decode, repair and flatten one page.

    charset: what HTTP said. edit: changes the markup before it is parsed.
    on_limit: `raise` `LimitExceeded`, or `truncate` and say so in `document.truncated`. budget: both of these and the
    clock of a caller who goes on with the page.
    Raises `InputError` for an unknown engine or something that is not a page.
    """
    if engine not in ENGINES:
        raise InputError(f"unknown parser {engine!r}: one of {', '.join(ENGINES)}")
    budget = budget or start_budget(limits or Limits(), on_limit)
    source = read_source(html, budget, charset, url)
    return parse_source(edit(source) if edit else source, budget, engine, url)


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
    """Build the columns of markup, within the limits."""
    walk = ENGINES[engine](prepare_markup(source.markup, budget, for_fast=engine == "fast"), budget)
    return build_document(walk, source, engine, url, budget)


def parse_part(markup: str, document: Document) -> Document:
    """Markup that stood inside a page (the content of `noscript` or `noframes`), parsed as the page was."""
    budget = Budget(truncate=True)
    return parse_source(replace(document.source, markup=markup), budget, document.engine, document.url)
