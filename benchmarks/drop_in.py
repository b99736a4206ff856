"""What differs between trafilatura and `webclean.compat`: the table of docs/adapters.md, made by running both.

usage: python benchmarks/drop_in.py [--write]

Both extract every fifth page of fixtures/ in every format. Needs the extra `bench`.
"""

from __future__ import annotations

import csv
import inspect
import io
import json
import logging
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import harness
import trafilatura
from lxml import etree
from page_folders import FIXTURES

from webclean import compat

DOCS: Final = harness.DOCS / "adapters.md"
FIELDS: Final = ("title", "author", "date", "sitename", "description", "url", "hostname", "image", "license")
_URL: Final = "https://example.org/page"
Extract = Callable[..., str | None]


def compare_arguments(name: str) -> str:
    """What differs in the arguments of a function."""
    theirs, ours = (inspect.signature(getattr(module, name)).parameters for module in (trafilatura, compat))
    if list(theirs) != list(ours):
        return f"others: {', '.join(sorted(set(theirs) ^ set(ours)))}"
    changed = [key for key in theirs if theirs[key].default != ours[key].default]
    return f"same names and order; other default: {', '.join(changed)}" if changed else "the same"


def run_all(extract: Extract, pages: list[bytes], kind: str, **options: Any) -> list[str]:
    """What one of the two makes of all pages, without those that it discards."""
    made = (extract(page, url=_URL, output_format=kind, **options) for page in pages)
    return [text for text in made if text is not None]


def read_shape(kind: str, text: str) -> set[str]:
    """The names in an output: keys, a number of columns, or elements."""
    if kind == "json":
        return set(json.loads(text))
    if kind == "csv":
        return {f"{len(row)} columns" for row in csv.reader(io.StringIO(text), delimiter="\t")}
    return {str(element.tag) for element in etree.fromstring(text).iter()}


def count_valid(texts: list[str]) -> int:
    """TEI documents that are valid by the schema that trafilatura ships."""
    schema = etree.DTD(str(Path(trafilatura.__file__).parent / "data" / "tei_corpus.dtd"))
    return sum(schema.validate(etree.fromstring(text)) for text in texts)


def list_rows() -> Iterator[tuple[str, ...]]:
    """What is compared, trafilatura, webclean."""
    pages = [path.read_bytes() for path in sorted(FIXTURES.glob("*/*/input.html"))[::5]]
    for name in ("extract", "bare_extraction"):
        yield (
            f"arguments of `{name}`",
            f"{len(inspect.signature(getattr(trafilatura, name)).parameters)}",
            compare_arguments(name),
        )
    texts = [run_all(extract, pages, "txt") for extract in (trafilatura.extract, compat.extract)]
    yield "pages with text", *(f"{len(found)} of {len(pages)}" for found in texts)
    yield "rows of tables", "for all", "for data and small tables; those that lay out the page are text"
    for kind in ("json", "csv", "xml"):
        shapes = [
            set[str]().union(*(read_shape(kind, text) for text in run_all(extract, pages, kind, with_metadata=True)))
            for extract in (trafilatura.extract, compat.extract)
        ]
        alone = [", ".join(sorted(one - other)) for one, other in (shapes, shapes[::-1])]
        what = {"json": "keys of", "csv": "", "xml": "elements of"}[kind]
        yield f"{what} `{kind}`".strip(), *(f"also {names}" if names else "the same" for names in alone)
    made = [run_all(extract, pages, "xmltei") for extract in (trafilatura.extract, compat.extract)]
    yield "valid `xmltei`, by trafilatura's schema", *(f"{count_valid(found)} of {len(found)}" for found in made)
    yield from compare_fields(pages)
    yield "`fingerprint`", "similar for similar texts", "equal for equal titles and texts"
    yield "`pagetype`", "declared", "declared, else webclean's page type"


def compare_fields(pages: list[bytes]) -> Iterator[tuple[str, ...]]:
    """How many of the pages have each field, and on how many both say the same."""
    found: list[tuple[Any, Any]] = []
    for page in pages:
        pair = tuple(
            extract(page, url=_URL, with_metadata=True)
            for extract in (trafilatura.bare_extraction, compat.bare_extraction)
        )
        if None not in pair:
            found.append(pair)  # type: ignore[arg-type]
    for name in FIELDS:
        values = [tuple(getattr(document, name) for document in pair) for pair in found]
        n_theirs, n_ours = (sum(bool(pair[at]) for pair in values) for at in (0, 1))
        n_equal = sum(bool(theirs) and theirs == ours for theirs, ours in values)
        yield f"`{name}`", f"{n_theirs} of {len(found)}", f"{n_ours} of {len(found)}; {n_equal} equal"


def write_table(rows: Iterable[tuple[str, ...]]) -> str:
    """The table, as Markdown."""
    return harness.format_table(("", f"trafilatura {trafilatura.__version__}", "`webclean.compat`"), rows)


def main() -> None:
    """Print the table, or write it into the docs."""
    parser = harness.make_parser(__doc__)
    parser.add_argument("--write", action="store_true", help="into docs/adapters.md")
    args = parser.parse_args()
    logging.disable(logging.CRITICAL)
    table = write_table(list_rows())
    if args.write:
        harness.replace_table(DOCS, "drop-in", table, end="<!-- /drop-in -->")
    else:
        print(table)


if __name__ == "__main__":
    main()
