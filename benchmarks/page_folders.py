"""Folders of labelled pages, in any of four layouts, and the hash that names their content.

wcxb       html/ID.html.gz and ground-truth/ID.json, as the WCXB benchmark comes
truth      html/ID.html.gz and truth/ID.json, which says what is known of a page
fixtures   TYPE/SLUG/input.html, meta.json and truth.txt, as this repository's own pages
articles   ID.html.gz and ID.txt, the text of one article each
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

import checkout  # noqa: F401  webclean of this clone

from webclean.errors import InputError
from webclean.workbench.labelled_pages import LabelledPage, read_pages

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"


class Layout(StrEnum):
    """How a folder holds its pages."""

    WCXB = "wcxb"
    TRUTH = "truth"
    FIXTURES = "fixtures"
    ARTICLES = "articles"


def find_layout(folder: Path) -> Layout:
    """The layout of a folder. Raises `InputError` when it has none of the four."""
    if (folder / "ground-truth").is_dir():
        return Layout.WCXB
    if (folder / "truth").is_dir():
        return Layout.TRUTH
    if next(folder.glob("*/*/meta.json"), None):
        return Layout.FIXTURES
    if next(folder.glob("*.html.gz"), None):
        return Layout.ARTICLES
    raise InputError(f"{folder}: no ground-truth/*.json, truth/*.json, TYPE/SLUG/meta.json or ID.html.gz with ID.txt")


def read_folder(folder: Path) -> Iterator[LabelledPage]:
    """The labelled pages of a folder, by id."""
    match find_layout(folder):
        case Layout.WCXB | Layout.TRUTH:
            yield from read_pages(folder)
        case Layout.FIXTURES:
            for path in find_fixtures(folder):
                yield read_fixture(path)
        case Layout.ARTICLES:
            yield from _read_articles(folder)


def find_fixtures(folder: Path = FIXTURES) -> list[Path]:
    """The folders of all fixtures."""
    return sorted(path.parent for path in folder.glob("*/*/meta.json"))


def read_meta(fixture: Path) -> dict[str, Any]:
    """What people say of a fixture beside its main content: URL, types, fields, encoding, snippets, notes."""
    meta = json.loads((fixture / "meta.json").read_text(encoding="utf-8"))
    if not isinstance(meta, dict):
        raise InputError(f"{fixture}/meta.json: not a mapping")
    return meta


def read_fixture(fixture: Path) -> LabelledPage:
    """One fixture as a labelled page; its id is TYPE/SLUG."""
    meta = read_meta(fixture)
    html = (fixture / "input.html").read_bytes()
    return LabelledPage(
        id=f"{fixture.parent.name}/{fixture.name}",
        url=meta.get("url") or "",
        html=html,
        text=(fixture / "truth.txt").read_text(encoding="utf-8").strip(),
        page_type=meta.get("page_subtype") or "",
        title=meta.get("title"),
        date=meta.get("date"),
        author=meta.get("author"),
        kept_snippets=tuple(meta.get("with") or ()),
        dropped_snippets=tuple(meta.get("without") or ()),
    )


def _read_articles(folder: Path) -> Iterator[LabelledPage]:
    for path in sorted(folder.glob("*.html.gz")):
        text = path.with_name(path.name.removesuffix(".html.gz") + ".txt").read_text(encoding="utf-8").strip()
        if text:
            html = gzip.decompress(path.read_bytes())
            yield LabelledPage(path.name.removesuffix(".html.gz"), "", html, text, "article")


def hash_pages(pages: list[LabelledPage]) -> str:
    """Sixteen hexadecimal digits that change with any page or any label."""
    digest = hashlib.sha256()
    for page in pages:
        label = (page.id, page.url, page.text, page.page_type, page.title, page.date, page.author)
        snippets = (page.kept_snippets, page.dropped_snippets)
        digest.update(hashlib.sha256(page.html).digest())
        digest.update(repr((label, snippets)).encode())
    return digest.hexdigest()[:16]
