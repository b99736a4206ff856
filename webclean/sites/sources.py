"""Files, folders and manifests -> the pages of a site, one at a time."""

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
    """A page by name, where it is, and its URL where known."""

    name: str
    path: Path
    url: str | None = None


def list_pages(paths: Iterable[Path], manifest: Path | None = None) -> list[SitePage]:
    """The pages of files and folders (searched through, in the order of their names), then those of a manifest.

    A manifest has a line for each page: its file, relative to the manifest, and after a tab its URL, if known.
    Raises `InputError` for what does not exist or holds no page.
    """
    pages = [page for path in paths for page in _list_path(path)]
    if manifest is not None:
        pages += _read_manifest(manifest)
    if not pages:
        raise InputError("no pages: give files, folders with *.html or *.html.gz, or a manifest")
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


def _read_manifest(manifest: Path) -> Iterator[SitePage]:
    try:
        lines = manifest.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{manifest}: cannot be read: {error}") from error
    for line in lines:
        file, _, url = line.partition("\t")
        if file.strip():
            yield SitePage(file.strip(), manifest.parent / file.strip(), url.strip() or None)


def read_page(page: SitePage) -> bytes:
    """The bytes of a page, unpacked. Raises `InputError`."""
    try:
        packed = page.path.read_bytes()
        return gzip.decompress(packed) if page.path.suffix == ".gz" else packed
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{page.path}: cannot be read: {error}") from error
