"""The default engine: turbohtml, a WHATWG parser in C. Markup in, `ParsedNodes` out."""

from __future__ import annotations

import re
from html import unescape
from typing import Any, Final

import turbohtml
from turbohtml import Element, Text

from webclean import core
from webclean.parse.columns import Attributes, AttributeTable, ParsedNodes, ParsedPage, is_read
from webclean.parse.engines import Engine, walk_elements
from webclean.parse.limits import Budget
from webclean.parse.prepare import FoundTags, edit
from webclean.parse.tags import CODE, FALLBACK, FLAGS, RAW_TEXT

NAME: Final = "fast"
_QUOTED_HIDDEN: Final = re.compile(r"(<input\b[^<>]*?\stype\s*=\s*)([\"'])(hidden)\2", re.IGNORECASE)
_COL_END: Final = re.compile(r"</col(?=[\s/>])[^<>]*>", re.IGNORECASE)
# raw-text elements of which some are read by later stages (`is_read`)
_READ: Final = frozenset(("script", "style", "template"))


def parse_markup(markup: str, budget: Budget) -> ParsedNodes | ParsedPage:
    """Parse, then read the tree: from its serialisation, or node by node where that does not tell what it means."""
    tree = turbohtml.parse(markup, scripting=True, positions=False, allow_declarative_shadow_roots=False)
    # the same as `serialize()`, in two thirds of its time
    return scan_tree(tree.html, budget) or walk_tree(tree, budget)


def scan_tree(markup: str, budget: Budget) -> ParsedPage | None:
    """The columns of a serialised tree; None where the scan does not know what it means, or it is over a limit."""
    limits = budget.limits
    found = core.scan_markup(markup, FLAGS, CODE, limits.max_elements, limits.max_depth)
    if found is None:
        return None
    page, contents = found
    # the walk cuts a page at its limits; the scan only tells that it is over one
    if page.n_attributes > limits.max_attributes or budget.is_late():
        return None
    table = AttributeTable(page)
    raw: dict[int, str] = {}
    fallback: dict[int, str] = {}
    for row, start, stop, is_escaped in contents:
        name = page.names[row]
        if name in FALLBACK or (name in _READ and is_read(name, table[row])):
            content = markup[start:stop]
            if name == "template":
                raw[row] = content  # markup, as it stands
                continue
            if is_escaped and "<" in content:
                return None  # elements inside a style sheet or script of a picture
            kept = fallback if name in FALLBACK else raw
            kept[row] = unescape(content) if is_escaped else content
    return ParsedPage(page, table, raw, fallback)


def walk_tree(tree: Any, budget: Budget) -> ParsedNodes:
    """The nodes of a tree, visited one by one."""
    root = next(node for node in tree.children if type(node) is Element)
    return walk_elements(root, budget, _read_element)


def _read_element(element: Element) -> tuple[str, Attributes, str | list[Any]]:
    """Name, attributes and content, as `walk_elements` asks for them."""
    name = element.tag
    if name in RAW_TEXT:
        return name, element.attrs, element.inner_html if name == "template" else element.text
    nodes = element.children
    inside = [node.data if type(node) is Text else node for node in nodes if type(node) in (Text, Element)]
    return name, element.attrs, inside


def work_around(markup: str, found: FoundTags) -> str:
    """Change markup that turbohtml 1.15.4 parses incorrectly.

    If the page has a character above U+00FF, it treats an input with a quoted `type="hidden"` in a table as visible. It
    ends a `colgroup` at `</col>`, which the standard ignores.
    """
    # where none of the faults can show, the markup is left as it is, at no cost
    if found.inputs and found.n_tables and not markup.isascii():
        # asked first, for the expression tries each place of the tag
        hidden = (start for start in found.inputs if "hidden" in markup[start : markup.find(">", start)].lower())
        tags = filter(None, (_QUOTED_HIDDEN.match(markup, start) for start in hidden))
        markup = edit(markup, ((*tag.span(), f"{tag[1]}{tag[3]} ") for tag in tags))
    return _COL_END.sub("", markup) if found.n_columns and found.n_column_ends else markup


ENGINE: Final = Engine(parse_markup, work_around)
