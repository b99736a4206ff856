"""Rules and the pages of their tests -> files of the operator's rule folder, which appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from itertools import count
from pathlib import Path


def find_saved(folder: Path, site: str) -> str:
    """The rules of a site as they are saved; '' if there are none."""
    file = folder / "sites" / f"{site}.yaml"
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def find_test_file(folder: Path, site: str, html: bytes) -> str:
    """The name under which a page is or will be saved for tests: `SITE.html`, or `SITE-2.html`, ... beside others."""
    for number in count(1):
        name = f"{site}.html" if number == 1 else f"{site}-{number}.html"
        path = folder / "sites" / name
        if not path.exists() or path.read_bytes() == html:
            return name
    raise AssertionError("unreachable")


def save_rules(folder: Path, site: str, yaml: str, file: str, html: bytes) -> list[str]:
    """Write the rules and, if their tests name it, the page; the names of what was written, below the folder."""
    sites = folder / "sites"
    sites.mkdir(parents=True, exist_ok=True)
    names = []
    if file in yaml and not (sites / file).exists():
        write_whole(sites / file, html)
        names.append(f"sites/{file}")
    write_whole(sites / f"{site}.yaml", yaml.encode())
    return [f"sites/{site}.yaml", *names]


def write_whole(path: Path, content: bytes) -> None:
    """Write a file under another name and put it in its place."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".saving-")
    try:
        with os.fdopen(handle, "wb") as target:
            target.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
