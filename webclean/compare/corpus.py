"""A folder of labelled pages, in either of two layouts -> pages with their true text.

`html/ID.html.gz` with `ground-truth/ID.json` (WCXB), or `ID.html.gz` (or `ID.html`) beside `ID.txt`.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from webclean.compare.dataset import read_pages
from webclean.errors import InputError


@dataclass(frozen=True, slots=True)
class TruePage:
    """A page and its true text; `kind` is the page type if the folder states it, else `page`."""

    id: str
    html: bytes
    url: str | None
    text: str
    kind: str


def read_corpus(folder: str | Path) -> Iterator[TruePage]:
    """The pages of a folder, by id. Raises `InputError` when it has neither layout."""
    folder = Path(folder)
    if (folder / "ground-truth").is_dir():
        for page in read_pages(folder):
            yield TruePage(page.id, page.html, page.url or None, page.text, page.page_type)
        return
    texts = sorted(folder.glob("*.txt"))
    if not texts:
        raise InputError(f"{folder}: neither ground-truth/ID.json with html/ID.html.gz nor ID.txt with ID.html.gz")
    for path in texts:
        packed, plain = path.with_suffix(".html.gz"), path.with_suffix(".html")
        if packed.is_file() or plain.is_file():
            html = gzip.decompress(packed.read_bytes()) if packed.is_file() else plain.read_bytes()
            text = path.read_text(encoding="utf-8").strip()
            if text:
                yield TruePage(path.stem, html, None, text, "page")
