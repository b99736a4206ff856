"""Score how much of the structure of a page is in its Markdown, beside peers: by part and by kind of structure.

usage: python benchmarks/structure.py [--systems "A;B"] [--data DIR] [--kind KIND] [--diff] [--json FILE]

DIR (fixtures/structure) holds SET/KIND/NAME.html with the Markdown that each page must give in SET/KIND/NAME.md. The
set `held-out` holds further variants of the same kinds. The score of a page is the mean over the parts that it has
(`markdown_parts.py`), that of a kind the mean over its pages, and `overall` the mean over all pages.

Pages of others: DIR holds html/KIND--NAME.html.gz and truth/KIND--NAME.json with `markdown` and `url`; their set is
`outside`.
"""

from __future__ import annotations

import difflib
import gzip
import json
import logging
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from harness import format_by_measure, make_parser, write_figures
from markdown_parts import PARTS, read_parts, score_parts

import webclean

STRUCTURE: Final = Path(__file__).resolve().parent.parent / "fixtures" / "structure"
URL: Final = "https://example.org/a/page"
"""Where the pages of `fixtures/structure` are said to come from."""

Writer = Callable[[str, str], str]
"""Markup and URL of a page -> Markdown."""


@dataclass(frozen=True, slots=True)
class Case:
    """A page and the Markdown that it must give. group: `seen`, `held-out` or `outside`."""

    group: str
    kind: str
    name: str
    html: str
    markdown: str
    url: str = URL


@dataclass(frozen=True, slots=True)
class Row:
    """The scores of one page, by part."""

    case: Case
    parts: dict[str, float]
    markdown: str

    @property
    def score(self) -> float:
        return sum(self.parts.values()) / len(self.parts) if self.parts else 1.0


def read_cases(folder: Path = STRUCTURE) -> Iterator[Case]:
    """The pages of a folder in the order of their names."""
    for path in sorted(folder.glob("truth/*.json")):
        truth = json.loads(path.read_text(encoding="utf-8"))
        html = gzip.decompress((folder / "html" / f"{path.stem}.html.gz").read_bytes()).decode("utf-8", "replace")
        kind, _, name = path.stem.partition("--")
        yield Case("outside", kind, name, html, truth["markdown"], truth.get("url") or URL)
    for path in sorted(folder.glob("*/*/*.html")):
        html, markdown = (file.read_text(encoding="utf-8") for file in (path, path.with_suffix(".md")))
        yield Case(path.parent.parent.name, path.parent.name, path.stem, html, markdown)


def score_case(write: Writer, case: Case) -> Row:
    """One page; a system that raises has written nothing."""
    try:
        markdown = write(case.html, case.url)
    except Exception as exc:  # a benchmark counts failures, whatever they are
        print(f"{case.kind}/{case.name}: {type(exc).__name__}: {exc}", file=sys.stderr)
        markdown = ""
    return Row(case, score_parts(read_parts(markdown), read_parts(case.markdown)), markdown)


def summarise(rows: Sequence[Row]) -> dict[str, float]:
    """Measure -> value: `overall`, the sets, the parts, and the kinds over both sets and each of them."""
    scores: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        for name in ("overall", row.case.group, f"kind {row.case.kind}", f"{row.case.group} {row.case.kind}"):
            scores[name].append(row.score)
        for part, value in row.parts.items():
            scores[f"part {part}"].append(value)
    return {name: sum(values) / len(values) for name, values in scores.items()}


def format_table(summary: dict[str, dict[str, float]]) -> str:
    """A Markdown table: one column a system; all pages, the two sets, then parts and kinds."""
    names = list(dict.fromkeys(name for own in summary.values() for name in own))
    order = ["overall", "seen", "held-out", "outside", *(f"part {part}" for part in PARTS)]
    order += sorted(name for name in names if name.startswith("kind "))
    ordered = {system: {name: own[name] for name in order if name in own} for system, own in summary.items()}
    return format_by_measure(ordered)


def find_writers(names: Sequence[str] | None = None) -> dict[str, Writer]:
    """webclean and the installed peers by name, or just the named ones. Raises KeyError for an unknown name."""
    cleaner = webclean.Cleaner()
    found: dict[str, Writer] = {"webclean": lambda html, url: cleaner.clean(html, url=url).to_markdown()}
    found |= {name: peer for name, (packages, peer) in _PEERS.items() if all(map(find_spec, packages))}
    for noisy in ("trafilatura", "readability"):
        logging.getLogger(noisy).setLevel(logging.CRITICAL)
    return found if names is None else {name: found[name] for name in names}


def _write_trafilatura(html: str, url: str) -> str:
    import trafilatura  # noqa: PLC0415  an optional peer

    options: dict[str, Any] = {"include_links": True, "include_images": True, "include_formatting": True}
    found = trafilatura.extract(html, url=url, output_format="markdown", **options)
    return found or ""


def _write_markdownify(html: str, url: str) -> str:
    import markdownify  # noqa: PLC0415  an optional peer

    return _write_main(html, url, lambda content: markdownify.markdownify(content, heading_style="ATX"))


def _write_html2text(html: str, url: str) -> str:
    import html2text  # noqa: PLC0415  an optional peer

    return _write_main(html, url, html2text.HTML2Text(baseurl=url, bodywidth=0).handle)


def _write_main(html: str, url: str, write: Callable[[str], str]) -> str:
    """Title and content of readability-lxml; the content is HTML with absolute links."""
    import readability  # noqa: PLC0415  an optional peer

    document = readability.Document(html, url=url)
    return f"# {document.short_title()}\n\n{write(document.summary(html_partial=True))}"


def _write_resiliparse(html: str, url: str) -> str:
    from resiliparse.extract.html2text import extract_plain_text  # noqa: PLC0415  an optional peer

    return str(extract_plain_text(html, main_content=True, preserve_formatting=True, links=True))


def _write_turbohtml(html: str, url: str) -> str:
    import turbohtml  # noqa: PLC0415  an optional peer

    found = turbohtml.parse(html).main_content()
    return found.to_markdown() if found else ""


_PEERS: Final[dict[str, tuple[tuple[str, ...], Writer]]] = {
    "trafilatura": (("trafilatura",), _write_trafilatura),
    "readability, markdownify": (("readability", "markdownify"), _write_markdownify),
    "readability, html2text": (("readability", "html2text"), _write_html2text),
    "resiliparse": (("resiliparse",), _write_resiliparse),
    "turbohtml": (("turbohtml",), _write_turbohtml),
}


def _show_differences(row: Row) -> None:
    """The lines in which the Markdown of a page is not the one wanted."""
    case = row.case
    print(
        f"== {case.group}/{case.kind}/{case.name} {row.score:.3f} { ({k: round(v, 2) for k, v in row.parts.items()}) }"
    )
    wanted, found = (text.strip().splitlines() for text in (case.markdown, row.markdown))
    print("\n".join(list(difflib.unified_diff(wanted, found, "wanted", "found", lineterm="", n=0))[2:]))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__, json_file=True)
    parser.add_argument("--systems", metavar="A;B", help="separated by ; (default: all that are installed)")
    parser.add_argument("--data", type=Path, default=STRUCTURE, metavar="DIR", help="pages with their Markdown")
    parser.add_argument("--kind", metavar="KIND", help="the pages of one kind alone")
    parser.add_argument("--set", metavar="SET", dest="group", help="seen or held-out alone")
    parser.add_argument("--diff", action="store_true", help="show the pages that are not as wanted, line by line")
    options = parser.parse_args(arguments)
    cases = [
        case
        for case in read_cases(options.data)
        if options.kind in (None, case.kind) and options.group in (None, case.group)
    ]
    summary = {}
    for name, write in find_writers(options.systems.split(";") if options.systems else None).items():
        rows = [score_case(write, case) for case in cases]
        summary[name] = summarise(rows)
        for row in rows if options.diff else ():
            if row.score < 1:
                _show_differences(row)
    print(format_table(summary))
    write_figures(options.json, summary, len(cases))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
