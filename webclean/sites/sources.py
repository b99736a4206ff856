"""Files, folders and lists of URLs -> the pages of a site, one at a time."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from webclean.errors import InputError

_ENDINGS: Final = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz")


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page: its name, its file (None if it is fetched), and its URL if known."""

    name: str
    path: Path | None
    url: str | None = None


def list_site_pages(paths: Iterable[Path], urls: Path | None = None) -> list[SitePage]:
    """The pages of files and folders (with subfolders, by name), then those of a list.

    A list has a line for each page: its URL, or its file, relative to the list, and after a tab its URL, if known.
    Raises `InputError` for a path that does not exist or has no page.
    """
    pages = [page for path in paths for page in _list_path(path)]
    if urls is not None:
        pages += _read_list(urls)
    if not pages:
        raise InputError("no pages: give files, folders with *.html or *.html.gz, or a list with --urls")
    return pages


def _list_path(path: Path) -> Iterator[SitePage]:
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.name.lower().endswith(_ENDINGS) and file.is_file():
                yield SitePage(str(file.relative_to(path)), file)
    elif path.is_file():
        yield SitePage(str(path), path)
    else:
        raise InputError(f"{path}: no such file or folder")


def _read_list(urls: Path) -> Iterator[SitePage]:
    try:
        lines = urls.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{urls}: cannot be read: {error}") from error
    for line in lines:
        place, _, url = (part.strip() for part in line.partition("\t"))
        if place.lower().startswith(("http://", "https://")):
            yield SitePage(place, None, place)
        elif place and not place.startswith("#"):
            yield SitePage(place, urls.parent / place, url or None)


def read_file(path: Path) -> bytes:
    """The bytes of a page, unpacked. Raises `InputError`."""
    try:
        packed = path.read_bytes()
        return gzip.decompress(packed) if path.suffix == ".gz" else packed
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: cannot be read: {error}") from error
