"""Whether two states of the package make the same of pages, part by part and to the last bit.

usage: python benchmarks/same.py [FOLDER ...] --write FILE         what this state makes of the pages
       python benchmarks/same.py [FOLDER ...] --against FILE       compare: exit code 1 where a part differs
       python benchmarks/same.py [FOLDER ...] --show ID --part P   one part of one page, to be read beside the other's

FOLDER holds labelled pages in one of the layouts of quality.py; without one the repository's fixtures are taken.
A part is a digest in FILE: the text, the type with its probabilities and reasons, points, decisions and their reasons,
the fields, the blocks with roles and XPaths, the records, and each rendering. For a change that must change nothing.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from harness import make_parser
from lxml import etree
from page_folders import FIXTURES, read_folder

import webclean
from webclean.outputs.dictionary import describe_reasons
from webclean.outputs.flow import TreeOptions
from webclean.outputs.xml import build_xml
from webclean.page import CleanPage
from webclean.page.formats import TextOptions
from webclean.workbench.labelled_pages import LabelledPage

ROOT: Final = f"{Path(webclean.__file__).parents[1]}/"


def _describe_type(page: CleanPage) -> Any:
    found = page.analysis.classification
    reasons = describe_reasons(page.type_reasons)
    return str(page.page_type), page.page_subtype, page.page_label, page.type_confidence, found.ranking, reasons


def _describe_blocks(page: CleanPage) -> Any:
    return [
        (str(block.role), block.kept, block.text, block.xpaths, block.importance, block.fragment)
        for block in page.blocks
    ]


def _describe_fields(page: CleanPage) -> Any:
    return {name: repr(field) for name, field in dict(page.fields).items()}


PARTS: Final[dict[str, Callable[[CleanPage], Any]]] = {
    "text": lambda page: page.text,
    "type": _describe_type,
    "points": lambda page: np.asarray(page.analysis.decisions.score, dtype=np.float64).tolist(),
    "kept": lambda page: np.asarray(page.analysis.decisions.kept).tolist(),
    "confidence": lambda page: page.confidence,
    "fields": _describe_fields,
    "blocks": _describe_blocks,
    "reasons": lambda page: [describe_reasons(block.reasons) for block in page.blocks],
    "links": lambda page: [repr(block.links) for block in page.blocks],
    "records": lambda page: page.record_rows(),
    "warnings": lambda page: page.warnings,
    "markdown": lambda page: page.to_markdown(include_metadata=True),
    "html": lambda page: page.to_html(),
    "tei": lambda page: etree.tostring(build_xml(page.build_tree(TextOptions(), TreeOptions()), "div", "tei")).decode(),
    "phone": lambda page: page.to_mobile_html(),
    "dictionary": lambda page: (
        page.to_dict(include_reasons=True) | {"rules": ""}
    ),  # their digest changes with any value
    "search": lambda page: page.search_rows(),
}
"""Name -> what is compared, of a clean page."""


@cache
def make_cleaner(parser: str = "fast") -> webclean.Cleaner:
    """A cleaner of this process."""
    return webclean.Cleaner(parser=parser)


def describe_part(page: CleanPage, part: str, indent: int | None = None) -> str:
    """One part of a page as JSON; the error where it raises one."""
    try:
        made = PARTS[part](page)
    except webclean.WebcleanError as error:
        made = f"{type(error).__name__}: {error}"
    written = json.dumps(made, ensure_ascii=False, default=str, indent=indent)
    return written.replace(ROOT, "")  # rules are named by their file


def digest_page(html: bytes, url: str, parser: str = "fast") -> dict[str, str]:
    """Part -> digest, of one page; parts of one cleaned page, as users ask for them."""
    page, found = make_cleaner(parser).clean(html, url=url or None), {}
    for name in PARTS:
        written = describe_part(page, name).encode("utf-8", "surrogatepass")
        found[name] = hashlib.blake2b(written, digest_size=8).hexdigest()
    return found


def _read_pages(folder: Path) -> Iterable[LabelledPage]:
    packed = sorted(folder.glob("*.html.gz"))
    if packed and not any(folder.glob("*.txt")):
        return (
            LabelledPage(path.name.removesuffix(".html.gz"), "", gzip.decompress(path.read_bytes())) for path in packed
        )
    return read_folder(folder)


def list_pages(folders: Sequence[Path], most: int | None) -> Iterator[tuple[str, bytes, str]]:
    """(id, bytes, URL) of the pages, of each folder `most` at most, evenly spread; compressed pages need no labels."""
    for folder in folders:
        pages = [(f"{folder.name}/{page.id}", page.html, page.url or "") for page in _read_pages(folder)]
        step = max(1.0, len(pages) / most) if most else 1.0
        yield from (pages[int(i * step)] for i in range(int(len(pages) / step)))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__)
    parser.add_argument("folders", nargs="*", type=Path, default=[FIXTURES], metavar="FOLDER")
    parser.add_argument("--pages", type=int, metavar="N", help="of each folder, evenly spread (default: all)")
    parser.add_argument("--parser", default="fast", help="the engine")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", type=Path, metavar="FILE")
    what.add_argument("--against", type=Path, metavar="FILE")
    what.add_argument("--show", metavar="ID")
    parser.add_argument("--part", choices=PARTS, default="text")
    options = parser.parse_args(arguments)
    pages = list_pages(options.folders, options.pages)
    if options.show:
        html, url = next((html, url) for name, html, url in pages if name == options.show)
        print(describe_part(make_cleaner(options.parser).clean(html, url=url or None), options.part, 1))
        return 0
    known = list(pages)
    names, htmls, urls = [page[0] for page in known], [page[1] for page in known], [page[2] for page in known]
    with ProcessPoolExecutor(options.jobs) as pool:
        made = pool.map(digest_page, htmls, urls, [options.parser] * len(known), chunksize=8)
        now = dict(zip(names, made, strict=True))
    if options.write:
        options.write.write_text(json.dumps(now, indent=0), encoding="utf-8")
        print(f"{len(now)} pages written")
        return 0
    return compare(json.loads(options.against.read_text(encoding="utf-8")), now)


def compare(before: dict[str, dict[str, str]], now: dict[str, dict[str, str]]) -> int:
    """Print the parts that differ and the pages; the exit code. Pages and parts of one side alone are passed over."""
    both = [name for name in now if name in before]
    different = [
        (name, part) for name in both for part in PARTS if before[name].get(part, now[name][part]) != now[name][part]
    ]
    for name, part in different[:40]:
        print(f"{name}: {part}")
    for part, n in Counter(part for _, part in different).items():
        print(f"{part} differs on {n} of {len(both)} pages")
    print(f"{len(both)} pages compared, {len({name for name, _ in different})} differ")
    return int(bool(different) or not both)


if __name__ == "__main__":
    raise SystemExit(main())
