"""The files of pages: by the endings of their names."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from webclean.errors import InputError

SUFFIXES: Final = frozenset((".html", ".htm", ".xhtml", ".shtml"))
PACKED: Final = frozenset((".gz", ".zst"))


def list_page_files(folder: Path) -> tuple[list[Path], list[Path]]:
    """The HTML files of a folder and the folders in it, by name, also packed ones; and all other files."""
    if not folder.is_dir():
        raise InputError(f"{folder}: not a folder")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    pages = [path for path in files if name_page(path).suffix.lower() in SUFFIXES]
    return pages, sorted(set(files) - set(pages))


def name_page(path: Path) -> Path:
    """The path without the suffix of a packed file."""
    return path.with_suffix("") if path.suffix.lower() in PACKED else path
