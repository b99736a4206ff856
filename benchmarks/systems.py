"""webclean and its peers behind one signature: bytes and URL in, `Extract` out.

A peer is there when its package is installed (`pip install ".[bench]"`). Each is called as its documentation says to
for plain text with the page's fields; resiliparse without the alternative texts of images, which serves it best here.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any, Final

import checkout  # noqa: F401  webclean of this clone

import webclean


@dataclass(frozen=True, slots=True)
class Extract:
    """What one system says of one page. page_type in the words of WCXB; page_label where it has a finer name."""

    text: str
    title: str | None = None
    date: str | None = None
    author: str | None = None
    page_type: str | None = None
    page_label: str | None = None


System = Callable[[bytes, str], Extract]


def make_webclean(cleaner: webclean.Cleaner, *, fields: bool = True) -> System:
    """This package, with or without the fields that are computed on demand."""
    return partial(_run_webclean, cleaner, fields)


def find_systems(names: list[str] | None = None) -> dict[str, System]:
    """webclean and the installed peers by name, or just the named ones. Raises KeyError for an unknown name.

    Settings of a peer beside its own, such as `trafilatura, no comments`, are there when they are named.
    """
    found: dict[str, System] = {"webclean": make_webclean(webclean.Cleaner())}
    found |= {name: peer for name, (package, peer) in _PEERS.items() if find_spec(package)}
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    logging.getLogger("readability").setLevel(logging.CRITICAL)
    return found if names is None else {name: (found | _SETTINGS)[name] for name in names}


def run_system(system: System, html: bytes, url: str) -> tuple[Extract, str]:
    """What a system says of a page, and its error: one that raises has found nothing."""
    try:
        return system(html, url), ""
    except Exception as error:  # a benchmark counts failures, whatever they are
        return Extract(""), f"{type(error).__name__}: {error}"


def _run_webclean(cleaner: webclean.Cleaner, fields: bool, html: bytes, url: str) -> Extract:
    page = cleaner.clean(html, url=url or None)
    if not fields:
        return Extract(page.text)
    return Extract(page.text, page.title, page.date, page.author, page.page_subtype, page.page_label)


def _run_trafilatura(html: bytes, url: str, comments: bool = True) -> Extract:
    import trafilatura  # noqa: PLC0415  an optional peer

    found = trafilatura.extract(
        html, url=url or None, output_format="json", with_metadata=True, include_comments=comments
    )
    if not found:
        return Extract("")
    values: dict[str, Any] = json.loads(found)
    return Extract(values.get("text") or "", values.get("title"), values.get("date"), values.get("author"))


def _run_resiliparse(html: bytes, url: str) -> Extract:
    from resiliparse.extract.html2text import extract_plain_text  # noqa: PLC0415  an optional peer
    from resiliparse.parse.encoding import detect_encoding  # noqa: PLC0415
    from resiliparse.parse.html import HTMLTree  # noqa: PLC0415

    tree = HTMLTree.parse_from_bytes(html, detect_encoding(html) or "utf-8")
    return Extract(extract_plain_text(tree, main_content=True, alt_texts=False), tree.title)


def _run_readability(html: bytes, url: str) -> Extract:
    import lxml.html  # noqa: PLC0415  an optional peer
    import readability  # noqa: PLC0415
    from lxml.etree import LxmlError  # noqa: PLC0415

    try:
        document = readability.Document(html, url=url or None)
        summary = lxml.html.document_fromstring(document.summary())
        return Extract("\n".join(text for text in summary.itertext() if text.strip()), document.short_title())
    except (LxmlError, readability.readability.Unparseable):
        return Extract("")


_PEERS: Final[dict[str, tuple[str, System]]] = {
    "trafilatura": ("trafilatura", _run_trafilatura),
    "resiliparse": ("resiliparse", _run_resiliparse),
    "readability-lxml": ("readability", _run_readability),
}
_SETTINGS: Final[dict[str, System]] = {"trafilatura, no comments": partial(_run_trafilatura, comments=False)}
