"""html5lib-tests through the seam of webclean: how far each engine builds the tree of the HTML standard.

usage: python benchmarks/conformance.py PATH [--list] [--docs]

PATH is a folder with `tree-construction/*.dat` (https://github.com/html5lib/html5lib-tests; the source distribution of
html5lib 1.1 has them as `html5lib/tests/testdata`). Each case is a document and the tree that the standard makes of it.
Compared is what webclean reads of a tree: elements with their parents and attributes, and text outside raw-text
elements and templates, without control characters. Left out are fragments (webclean parses documents), cases without
scripting (webclean reads pages as a browser with scripting does) and those whose scripts must run (`scripted`).

`--list` prints each failure. `--docs` writes the table into docs/conformance.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from harness import DOCS, format_table, make_parser, replace_table

from webclean.errors import WebcleanError
from webclean.model import Document, Source
from webclean.parse import ENGINES, parse_source
from webclean.parse.columns import TOKEN_LISTS
from webclean.parse.controls import drop_controls
from webclean.parse.limits import Budget
from webclean.parse.tags import RAW_TEXT

_SECTIONS = ("#data", "#errors", "#new-errors", "#document-fragment", "#script-on", "#script-off", "#document")
_NAMESPACES = ("svg ", "math ")
_SKIPPED = -2
"""In place of the row of a comment, of the content of a template, and of what is in it."""
_OLD_NAMES = ("xlink", "xml", "xmlns")
_SHOWN_FAILURES = 4
"""A file with so many failures of one engine has a row of its own."""


@dataclass(slots=True)
class Tree:
    """Elements as (name, row of the parent, attributes), and text as (row of the owner, text), in document order."""

    elements: list[tuple[str, int, tuple[tuple[str, str], ...]]] = field(default_factory=list)
    texts: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Case:
    """A document and its tree. number: in its file, from 1."""

    file: str
    number: int
    markup: str
    tree: Tree


def read_cases(folder: Path) -> Iterator[Case]:
    """The cases of all files, without fragments and those without scripting."""
    for path in sorted(folder.rglob("tree-construction/**/*.dat")):
        if path.parent.name == "scripted":
            continue
        text = path.read_bytes().decode("utf-8")
        for number, written in enumerate(("\n" + text).split("\n#data\n")[1:], start=1):
            sections = split_sections("#data\n" + written)
            if "#document-fragment" not in sections and "#script-off" not in sections:
                yield Case(path.name, number, sections["#data"], read_tree(sections.get("#document", "")))


def split_sections(written: str) -> dict[str, str]:
    """Name -> content of the sections of a case."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in written.split("\n"):
        if line in _SECTIONS and not (name == "#document" and line.startswith("|")):
            name = line
            found[name] = []
        else:
            found[name].append(line)
    return {section: "\n".join(lines) for section, lines in found.items()}


def read_tree(written: str) -> Tree:
    """The tree that is written as lines `| <p>` with two spaces for each level."""
    tree = Tree()
    above: list[int] = []
    open_text: list[str] = []
    lines = written.rstrip("\n").split("\n")
    for line, following in zip_longest(lines, lines[1:]):
        if open_text:
            open_text.append(line)
        else:
            body = line.removeprefix("| ")
            depth = (len(body) - len(body.lstrip(" "))) // 2
            item = body.lstrip(" ")
            if item.startswith('"'):
                open_text = [item]
                owner = above[depth - 1] if depth else -1
            else:
                _read_item(tree, above, item, depth)
        is_complete = open_text and (following is None or following.startswith("| ")) and open_text[-1].endswith('"')
        if is_complete:
            _add_text(tree, owner, "\n".join(open_text)[1:-1])
            open_text = []
    return tree


def _read_item(tree: Tree, above: list[int], item: str, depth: int) -> None:
    """Add an element or an attribute of the last one."""
    del above[depth:]
    parent = above[depth - 1] if depth else -1
    if item.startswith("<!") or item == "content" or parent == _SKIPPED:
        above.append(_SKIPPED)
    elif item.startswith("<") and item.endswith(">"):
        name = item[1:-1]
        for namespace in _NAMESPACES:
            name = name.removeprefix(namespace)
        above.append(len(tree.elements))
        tree.elements.append((name, parent, ()))
    elif "=" in item:
        key, _, value = item.partition("=")
        prefix, space, local = key.partition(" ")
        key = f"{prefix}:{local}" if space and prefix in _OLD_NAMES else key
        row = above[depth - 1]
        name, parent, attributes = tree.elements[row]
        value = " ".join(value[1:-1].split()) if key in TOKEN_LISTS else value[1:-1]
        tree.elements[row] = (name, parent, tuple(sorted((*attributes, (key, value)))))


def _add_text(tree: Tree, owner: int, text: str) -> None:
    if owner == -1 or (owner != _SKIPPED and tree.elements[owner][0] not in RAW_TEXT):
        tree.texts.append((owner, drop_controls(text)))


def read_document(document: Document) -> Tree:
    """The same of what an engine made."""
    tree = Tree()
    for name, parent, attributes in zip(document.names, document.parent.tolist(), document.attrs, strict=True):
        values = ((key, _write(value)) for key, value in attributes.items())
        tree.elements.append((name, parent, tuple(sorted(values))))
    tree.texts = list(zip(document.text_owner.tolist(), document.text, strict=True))
    return tree


def _write(value: Any) -> str:
    return " ".join(value) if isinstance(value, list) else value or ""


def compare(case: Case, engine: str) -> str:
    """'' if the engine builds the tree of the case, else what differs first."""
    source = Source(case.markup, "unicode", "text", len(case.markup))
    try:
        made = read_document(parse_source(source, Budget(), engine))
    except WebcleanError as error:
        return f"refused: {error}"
    for found, wanted in zip_longest(made.elements, case.tree.elements):
        if found is None or wanted is None or found[:2] != wanted[:2]:
            return f"element: {_show(found)} for {_show(wanted)}"
        if found != wanted:
            return f"attributes: {found} for {wanted}"
    texts = [text for text in made.texts if text[1]]
    wanted_texts = [text for text in case.tree.texts if text[1]]
    if texts != wanted_texts:
        return f"text: {texts} for {wanted_texts}"
    return ""


def _show(element: tuple[str, int, Any] | None) -> str:
    return f"<{element[0]}> in {element[1]}" if element else "nothing"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--list", action="store_true", help="print each failure")
    parser.add_argument("--docs", action="store_true", help="write the table into docs/conformance.md")
    options = parser.parse_args(arguments)
    cases = list(read_cases(options.path))
    if not cases:
        parser.error(f"no tree-construction/*.dat in {options.path}")
    files = list(dict.fromkeys(case.file for case in cases))
    n_cases = Counter(case.file for case in cases)
    failed: dict[str, Counter[str]] = {engine: Counter() for engine in ENGINES}
    n_equal = 0
    for case in cases:
        answers = {engine: compare(case, engine) for engine in ENGINES}
        n_equal += len({bool(answer) for answer in answers.values()}) == 1 and not any(answers.values())
        for engine, why in answers.items():
            failed[engine][case.file] += bool(why)
            if why and options.list:
                print(f"{engine:9} {case.file}:{case.number} {case.markup[:90]!r}\n          {why[:200]}")
    rows: list[list[object]] = [
        [file, n_cases[file], *(n_cases[file] - failed[engine][file] for engine in ENGINES)]
        for file in files
        if max(failed[engine][file] for engine in ENGINES) >= _SHOWN_FAILURES
    ]
    others = [file for file in files if max(failed[engine][file] for engine in ENGINES) < _SHOWN_FAILURES]
    right = (sum(n_cases[file] - failed[engine][file] for file in others) for engine in ENGINES)
    rows.append([f"{len(others)} other files", sum(n_cases[file] for file in others), *right])
    totals = (f"**{len(cases) - failed[engine].total()}**" for engine in ENGINES)
    rows.append(["**all**", f"**{len(cases)}**", *totals])
    table = format_table(("file", "cases", *ENGINES), rows)
    print(table)
    print(f"both right: {n_equal} of {len(cases)}")
    if options.docs:
        replace_table(DOCS / "conformance.md", "conformance", table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
