"""Compare the two parse engines over a folder of pages, and say which of them the standard agrees with.

usage: python benchmarks/engines.py FOLDER [--limit N] [--verbose]

FOLDER is searched for *.html, *.htm and the same with .gz. Where the engines differ, two other parsers that follow the
standard judge, as far as they are installed: lexbor (`pip install selectolax`) and justhtml. `right: fast` means that
every judge has the columns of the fast engine; judges that differ among themselves, or agree with neither, say so.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import checkout  # noqa: F401  webclean of this clone

from webclean.errors import WebcleanError
from webclean.parse import ENGINES, Budget, read_source
from webclean.parse.columns import NO_ATTRIBUTES, ParsedNodes
from webclean.parse.prepare import prepare_markup
from webclean.parse.tags import RAW_TEXT

PARTS = ("elements", "attributes", "text")


@dataclass(frozen=True, slots=True)
class Difference:
    """One page on which the engines differ: in which part first, where, and who is right."""

    page: str
    part: str
    place: str
    right: str


def find_pages(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.name.removesuffix(".gz").endswith((".html", ".htm")) and path.is_file():
            yield path


def read_page(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if path.suffix == ".gz" else data


def list_part(walk: ParsedNodes, part: str) -> list[Any]:
    """Comparable rows of one part. Text is joined where nothing stands between: nodes may be cut differently."""
    if part == "elements":
        return list(zip(walk.names, walk.parent, strict=True))
    if part == "attributes":
        return [{k: " ".join(v) if isinstance(v, list) else v or "" for k, v in row.items()} for row in walk.attrs]
    joined: list[list[Any]] = []
    for owner, after, text in zip(walk.text_owner, walk.text_next, walk.text, strict=True):
        if joined and joined[-1][:2] == [owner, after]:
            joined[-1][2] += text
        else:
            joined.append([owner, after, text])
    return joined


def find_difference(one: ParsedNodes, other: ParsedNodes) -> tuple[str, str] | None:
    """The first part in which two walks differ, and the place."""
    for part in PARTS:
        left, right = list_part(one, part), list_part(other, part)
        if left != right:
            n = min(len(left), len(right))
            row = next((i for i in range(n) if left[i] != right[i]), n)
            found = [str(rows[row])[:80] if row < len(rows) else "nothing" for rows in (left, right)]
            return part, f"row {row} of {len(left)}/{len(right)}: fast {found[0]}, html5lib {found[1]}"
    return None


def list_children(node: Any) -> list[Any]:
    """Child nodes of a judge's tree."""
    if hasattr(node, "children"):
        return list(node.children or ())
    return list(node.iter(include_text=True))


def walk_tree(roots: list[Any]) -> ParsedNodes:
    """The columns of a judge's tree."""
    walk = ParsedNodes()
    todo: list[tuple[Any, int]] = [(child, -1) for child in reversed(roots)]
    while todo:
        node, above = todo.pop()
        name = getattr(node, "name", None) or node.tag
        if name in ("#text", "-text"):
            if above >= 0:
                walk.text.append(node.data if name == "#text" else node.text_content)
                walk.text_owner.append(above)
                walk.text_next.append(len(walk.names))
        elif name[0] not in "#!-_":
            row = len(walk.names)
            walk.names.append(name)
            walk.parent.append(above)
            walk.attrs.append((node.attrs if hasattr(node, "data") else node.attributes) or NO_ATTRIBUTES)
            if name not in RAW_TEXT:
                todo += [(child, row) for child in reversed(list_children(node))]
    return walk


def walk_judges(markup: str) -> Iterator[ParsedNodes]:
    with suppress(ImportError):
        lexbor = importlib.import_module("selectolax.lexbor")
        yield walk_tree([lexbor.LexborHTMLParser(markup).root])
    with suppress(ImportError):
        justhtml = importlib.import_module("justhtml")
        yield walk_tree(justhtml.JustHTML(markup, sanitize=False, scripting_enabled=True).root.children)


def judge_difference(markup: str, walks: dict[str, ParsedNodes], part: str) -> str:
    """The engine that all judges agree with, or what else they say."""
    verdicts = set()
    for judge in walk_judges(markup):
        truth = list_part(judge, part)
        right = [name for name, walk in walks.items() if list_part(walk, part) == truth]
        verdicts.add(right[0] if right else "neither")
    return verdicts.pop() if len(verdicts) == 1 else "judges differ" if verdicts else "not judged"


def compare_page(path: Path) -> Difference | None:
    markup = read_source(read_page(path), Budget()).markup
    walks = {}
    for name, engine in ENGINES.items():
        found = engine.walk(prepare_markup(markup, Budget(), engine.work_around), Budget())
        walks[name] = found if isinstance(found, ParsedNodes) else found.list_nodes()
    differs = find_difference(walks["fast"], walks["html5lib"])
    if differs is None:
        return None
    return Difference(path.name, *differs, judge_difference(markup, walks, differs[0]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, help="at most so many pages, evenly taken")
    parser.add_argument("--verbose", action="store_true", help="the place of each difference")
    options = parser.parse_args()
    pages = list(find_pages(options.folder))
    if options.limit:
        pages = pages[:: max(1, len(pages) // options.limit)]
    counts: Counter[tuple[str, str]] = Counter()
    n_failed = 0
    for path in pages:
        try:
            difference = compare_page(path)
        except WebcleanError as error:
            n_failed += 1
            print(f"{path.name}: {error}")
            continue
        if difference is not None:
            counts[difference.part, difference.right] += 1
            if options.verbose:
                print(f"{difference.page}: {difference.part}, right: {difference.right}; {difference.place}")
    n_same = len(pages) - n_failed - counts.total()
    print(f"pages {len(pages)}  same {n_same}  different {counts.total()}  failed {n_failed}")
    for (part, right), n in counts.most_common():
        print(f"  {part:10} right: {right:14} {n}")


if __name__ == "__main__":
    main()
