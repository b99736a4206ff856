"""A folder of pages, labelled with their true texts or not -> samples that rule sets are tried on."""

from __future__ import annotations

import gzip
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from webclean.compare.dataset import read_pages, spread_evenly
from webclean.errors import InputError

LAYOUT: Final = (
    "a folder with ID.html (or ID.html.gz) and, where the true text is known, ID.txt beside it; "
    "or html/ID.html.gz with ground-truth/ID.json (WCXB)"
)
_ENDINGS: Final = (".html.gz", ".html")


@dataclass(frozen=True, slots=True)
class Sample:
    """A page to try rules on. text: the true text, None if unknown. kind: its type, else `page`."""

    id: str
    html: bytes
    url: str | None = None
    text: str | None = None
    kind: str = "page"


def read_samples(folder: Path, limit: int | None = None) -> list[Sample]:
    """The pages of a folder by id, or about `limit` of them, evenly spread. Raises `InputError`."""
    if (folder / "ground-truth").is_dir():
        pages = spread_evenly(list(read_pages(folder)), limit)
        return [Sample(page.id, page.html, page.url or None, page.text, page.page_type) for page in pages]
    paths = sorted(path for path in folder.glob("*") if path.name.endswith(_ENDINGS))
    if not paths:
        raise InputError(f"{folder}: no pages; wanted: {LAYOUT}")
    return [_read_sample(path) for path in spread_evenly(paths, limit)]


def _read_sample(path: Path) -> Sample:
    name = next(path.name.removesuffix(ending) for ending in _ENDINGS if path.name.endswith(ending))
    true = path.with_name(f"{name}.txt")
    try:
        html = path.read_bytes()
        text = true.read_text(encoding="utf-8").strip() if true.is_file() else None
        return Sample(name, gzip.decompress(html) if path.suffix == ".gz" else html, text=text)
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
