"""What must hold of the result for any page: nothing made up, nothing that runs, same bytes same result."""

from __future__ import annotations

import hashlib
import json
import re
import time
import warnings
from collections import Counter
from typing import Final

import checkout  # noqa: F401  webclean of this clone
import html5lib
import numpy as np
import turbohtml
from markdown_it import MarkdownIt
from mdit_py_plugins.tasklists import tasklists_plugin

import webclean
from webclean.model import Limits
from webclean.outputs.flow import Node, TreeOptions
from webclean.outputs.flow.builder import build_flow
from webclean.outputs.html import render_html
from webclean.outputs.text import render_markdown
from webclean.page import CleanPage
from webclean.parse import parse_page
from webclean.parse.controls import drop_controls

LIMITS: Final = Limits(max_seconds=20)
URL: Final = "https://example.org/news/page.html"
_READER: Final = MarkdownIt("commonmark", {"html": True, "maxNesting": 400}).enable(["table", "strikethrough"])
_READER.use(tasklists_plugin)
_ACTIVE: Final = frozenset(("script", "style", "iframe", "object", "embed", "form", "base", "link", "svg", "template"))
_RUNNING_URL: Final = re.compile(r"\s*(?:javascript|vbscript|data:text|file)\s*:?", re.IGNORECASE)
_CHANGED_ON_PURPOSE: Final = frozenset(("math", "noteref", "note", "ruby"))
"""Elements of the tree of clean elements whose text is not that of the page: TeX, labels of footnotes, readings."""
_OF_PLAYERS: Final = frozenset(("iframe", "video", "audio", "object", "embed", "button", "noscript", "noframes"))


class PropertyError(AssertionError):
    """A page for which a property does not hold."""


def hold(is_so: bool, said: str) -> None:
    """Raise `PropertyError` unless something is so."""
    if not is_so:
        raise PropertyError(said)


def squeeze(text: str) -> str:
    return "".join(text.split())


def check_page(data: bytes, *, number: int = 0) -> str | None:
    """Clean one page and check what must hold of every page.

    Gives a digest of the result, or None if a limit refused the page. Raises `PropertyError`, and whatever webclean
    raises that is not its own error. number: decides which of the slow checks are made.
    """
    start = time.monotonic()
    try:
        page = webclean.clean(data, url=URL, limits=LIMITS)
        written = write_all(page)
    except webclean.LimitExceeded:
        return None
    hold(time.monotonic() - start < 3 * LIMITS.max_seconds, "over the limit of time")
    check_spans(page)
    check_text(page)
    check_outputs(page, written)
    check_round_trips(page)
    if number % 3 == 0:
        again = write_all(webclean.clean(data, url=URL, limits=LIMITS))
        hold(again == written, "another result for the same bytes")
    if number % 5 == 0:
        check_xpaths(page, data)
    return hashlib.sha256(repr(sorted(written.items())).encode("utf-8", "surrogatepass")).hexdigest()


def write_all(page: CleanPage) -> dict[str, str]:
    """Every part of the result as text."""
    written = {
        "text": page.text,
        "markdown": page.to_markdown(include_metadata=True),
        "html": page.to_html(include_metadata=True),
        "mobile": page.to_mobile_html(),
        "dict": json.dumps(page.to_dict(include_reasons=True), ensure_ascii=False),
    }
    n_input = max(page.source.n_bytes, len(page.source.markup), 50_000)
    for name, text in written.items():
        hold(len(text) < 60 * n_input, f"{name} is far longer than the page")
        text.encode()  # no lone surrogates
    return written


def check_spans(page: CleanPage) -> None:
    """Subtrees nest; text blocks are in order and disjoint; semantic blocks are inside those they name as parent."""
    document, blocks = page.analysis.columns.document, page.analysis.columns.blocks
    end, parent = document.end, document.parent
    if len(document):
        inner = parent >= 0
        hold(bool((end[inner] <= end[parent[inner]]).all()), "a subtree ends after that of its parent")
        hold(bool((parent < np.arange(len(document))).all()), "an element comes before its parent")
    hold(bool((blocks.first < blocks.last).all()), "an empty text block")
    hold(bool((blocks.first[1:] >= blocks.last[:-1]).all()), "text blocks overlap")
    for number, block in enumerate(page.blocks):
        hold(block.parent is None or block.parent < number, "a block comes before the one that it is in")


def check_text(page: CleanPage) -> None:
    """Kept and dropped blocks are all displayed text; the text of the result is made of kept blocks."""
    columns = page.analysis.columns
    document, blocks = columns.document, columns.blocks
    of_page = Counter(squeeze("".join(document.text)))
    of_blocks = Counter(squeeze("".join(blocks.text)))
    hold(not of_blocks - of_page, "a text block has characters that the page does not have")
    shown = [
        text
        for text, owner in zip(document.text, document.text_owner.tolist(), strict=True)
        if document.displayed[owner]
    ]
    left_out = Counter(filter(str.isalnum, squeeze("".join(shown)))) - of_blocks
    hold(not left_out, f"text that is in no block: {''.join(left_out)[:20]!r}")
    hold(len(page.analysis.decisions.kept) == len(blocks), "a text block without a decision")
    owned = page.segment_of
    hold(len(owned) == len(blocks) and bool((owned >= 0).all()), "a text block in no semantic block")


def check_outputs(page: CleanPage, written: dict[str, str]) -> None:
    """Nothing in the documents can run or load anything but images; no output has control characters."""
    for name, text in written.items():
        hold(drop_controls(text) == text, f"control characters in {name}")
    for name in ("html", "mobile"):
        for element in turbohtml.parse(written[name]).find_all():
            holder = element.parent
            allowed = (
                ("style",)
                if name == "mobile" and isinstance(holder, turbohtml.Element) and holder.tag == "head"
                else ()
            )
            hold(element.tag not in _ACTIVE or element.tag in allowed, f"<{element.tag}> in {name}")
            for key, written_value in element.attrs.items():
                value = " ".join(written_value) if isinstance(written_value, list) else written_value or ""
                is_inert = not key.startswith("on") and key not in ("style", "srcdoc", "action", "formaction", "ping")
                hold(is_inert, f"{key}= in {name}")
                if key in ("href", "src"):
                    hold(_RUNNING_URL.match(value) is None, f"{value[:40]!r} in {name}")


def check_round_trips(page: CleanPage) -> None:
    """HTML and Markdown read back as the kept text, where no formula, footnote or player stands for other text."""
    columns = page.analysis.columns
    document, blocks, kept = columns.document, columns.blocks, page.analysis.decisions.kept
    if not _OF_PLAYERS.isdisjoint(document.names):
        return
    flow = build_flow(document, blocks, kept, TreeOptions(images=False))
    if not _CHANGED_ON_PURPOSE.isdisjoint(_list_names(flow)):
        return
    wanted = squeeze("".join(text for text, keep in zip(blocks.text, kept.tolist(), strict=True) if keep))
    if "pre" in _list_names(flow):
        wanted_counts, exact = Counter(wanted), False  # line numbers of code are left out
    else:
        wanted_counts, exact = Counter(wanted), True
    for name, markup in (("html", render_html(flow)), ("markdown", _READER.render(render_markdown(flow)))):
        holder = turbohtml.parse(markup).find("body")
        body = squeeze(holder.text if holder else "")
        if exact:
            hold(body == wanted, f"{name} reads back as {_differ(body, wanted)}")
        else:
            hold(not Counter(body) - wanted_counts, f"{name} reads back with more text")


def _differ(found: str, wanted: str) -> str:
    at = next(
        (at for at, pair in enumerate(zip(found, wanted, strict=False)) if pair[0] != pair[1]),
        min(len(found), len(wanted)),
    )
    return f"{found[max(0, at - 10) : at + 20]!r}, not {wanted[max(0, at - 10) : at + 20]!r}"


def _list_names(node: Node) -> set[str]:
    names, todo = set(), [node]
    while todo:
        node = todo.pop()
        names.add(node.name)
        todo += [child for child in node.children if isinstance(child, Node)]
    return names


def check_xpaths(page: CleanPage, data: bytes) -> None:
    """The XPaths of blocks lead to one element each of html5lib's tree, where that is the tree of the engine.

    After a `noscript` whose tags are not whole, that is the tree of a browser that runs scripts.
    """
    document = page.analysis.columns.document
    if page.source.kind != "html" or page.source.part or len(data) > 60_000:
        return
    other = parse_page(data, url=URL, engine="html5lib", limits=LIMITS, on_limit="truncate")
    if other.names != document.names or other.parent.tolist() != document.parent.tolist():
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            trees = [
                html5lib.parse(page.source.markup, treebuilder="lxml", namespaceHTMLElements=False, scripting=scripting)
                for scripting in (False, True)  # they differ after a `noscript` whose tags are not whole
            ]
        except (ValueError, SyntaxError):  # lxml refuses some names, control characters and doctypes of html5lib
            return
    paths = [path for block in page.blocks for path in block.xpaths]
    wrong = [[path for path in paths if len(tree.xpath(path)) != 1] for tree in trees]
    hold(not all(wrong), f"{wrong[0][:1]} do not lead to one element")  # all of a page hold in one and the same tree
