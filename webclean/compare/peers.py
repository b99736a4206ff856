"""Other extractors, used when they are installed: name -> function from a page's bytes to its text."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Final

from lxml import html as lxml_html

Extract = Callable[[bytes], str]


def _make_trafilatura(module: Any) -> Extract:
    return lambda page: module.extract(page) or ""


def _make_resiliparse(module: Any) -> Extract:
    encoding = importlib.import_module("resiliparse.parse.encoding")

    def extract(page: bytes) -> str:
        text = encoding.bytes_to_str(page, encoding.detect_encoding(page))
        return str(module.extract_plain_text(text, main_content=True))

    return extract


def _make_readability(module: Any) -> Extract:
    def extract(page: bytes) -> str:
        summary = module.Document(page).summary()
        return "\n".join(lxml_html.fromstring(summary).itertext()) if summary else ""

    return extract


_PEERS: Final = {
    "trafilatura": ("trafilatura", _make_trafilatura),
    "resiliparse": ("resiliparse.extract.html2text", _make_resiliparse),
    "readability-lxml": ("readability", _make_readability),
}


def find_peers() -> dict[str, Extract]:
    """The peers that can be imported here."""
    found = {}
    for name, (module, make) in _PEERS.items():
        try:
            found[name] = make(importlib.import_module(module))
        except ImportError:
            continue
    return found
