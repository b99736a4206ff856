"""Score semantic blocks against pages whose blocks people marked (Kreuzer, Hage & Feelders, 2015).

usage: python benchmarks/segments.py --data DIR [--worst N]               with the shipped cards, which learnt from DIR
       python benchmarks/segments.py --data DIR --unseen [--json FILE]    with cards that have not seen a page's site

DIR holds *.html or *.html.gz whose elements carry `data-block` attributes; the marks are taken out before a page is
cleaned. Each text node belongs to the deepest marked element around it, and to the deepest element that the XPaths of
`page.blocks` name around it. BCubed weighs characters: precision, the share of a found block that is of one marked
block; recall, the share of a marked block that is in one found block.

With --unseen the cards of splits and of sections are learnt anew in each of ten folds by site, three times; of sections
it says which share of all marks, large and small, a block or a section equals, and how many of these there are a mark.
"""

from __future__ import annotations

import gzip
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import html5lib
from harness import make_parser, write_figures
from quality import average

import webclean
from webclean.laboratory.marked_pages import clean_controls, read_marked_pages, remove_marks, score_bcubed
from webclean.laboratory.segment_cards import score_unseen_sections, score_unseen_splits, summarise
from webclean.rules import load_rules
from webclean.workbench.labelled_pages import Score

_SHUFFLES: Final = 3
_UNSEEN: Final = {"script", "style", "template", "noscript", "head", "title"}


def parse_reference(html: bytes) -> Any:
    """The html5lib tree that XPaths of blocks are valid in."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return html5lib.parse(html, treebuilder="lxml", namespaceHTMLElements=False)


def list_texts(root: Any) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """(characters, elements from the root down) of each text node that can be seen."""
    todo: list[tuple[Any, tuple[Any, ...]]] = [(root, ())]
    while todo:
        element, above = todo.pop()
        if not isinstance(element.tag, str) or element.tag in _UNSEEN:
            continue
        path = (*above, element)
        texts = [element.text, *(child.tail for child in element)]
        yield from ((n, path) for text in texts if text and (n := len("".join(text.split()))))
        todo += [(child, path) for child in element]


def score_page(html: bytes, cleaner: webclean.Cleaner) -> Score | None:
    """BCubed scores of one page, None when nothing on it is marked."""
    html = clean_controls(html)
    tree = parse_reference(html)
    found: dict[object, int] = {}
    for number, block in enumerate(cleaner.clean(remove_marks(html)).blocks):
        found |= {element: number for xpath in block.xpaths for element in tree.xpath(xpath)}
    items: list[tuple[int, object, object]] = []
    for i, (n_chars, path) in enumerate(list_texts(tree.getroot())):
        marked = next((element for element in reversed(path) if element.get("data-block")), None)
        if marked is not None:
            items.append((n_chars, marked, next((found[e] for e in reversed(path) if e in found), f"alone {i}")))
    return Score(*score_bcubed(items)) if items else None


def _score_unseen(data: Path, output: Path | None) -> int:
    """Means over the shuffles of a cross-validation by site."""
    rules = load_rules()
    pages = list(read_marked_pages(data, rules))
    rows = []
    for seed in range(_SHUFFLES):
        bcubed = score_unseen_splits(pages, rules, seed)
        scores = score_unseen_sections(pages, rules, seed)
        rows.append((bcubed, *summarise(scores)))
    f1, found, n_nodes, _ = (sum(values) / len(rows) for values in zip(*rows, strict=True))
    print(
        f"{len(pages)} pages  BCubed F1 {f1:.3f}  marks found {found:.3f} at {n_nodes:.2f} blocks and sections a mark"
    )
    write_figures(output, {"webclean": {"f1": f1, "found": found, "nodes": n_nodes}}, len(pages))
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__, json_file=True)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="pages with marked blocks")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="also list the N pages of lowest F1")
    parser.add_argument(
        "--unseen", action="store_true", help="cross-validated: the only figures that say how good it is"
    )
    options = parser.parse_args(arguments)
    if options.unseen:
        return _score_unseen(options.data, options.json)
    cleaner = webclean.Cleaner()
    rows = []
    for path in sorted((*options.data.glob("*.html.gz"), *options.data.glob("*.html"))):
        html = path.read_bytes()
        score = score_page(gzip.decompress(html) if path.suffix == ".gz" else html, cleaner)
        if score:
            rows.append((path.name, score))
    means = {part: average(getattr(score, part) for _, score in rows) or 0.0 for part in ("precision", "recall", "f1")}
    print(
        f"{len(rows)} pages  BCubed precision {means['precision']:.3f}  recall {means['recall']:.3f}"
        f"  F1 {means['f1']:.3f}"
    )
    for name, score in sorted(rows, key=lambda row: row[1].f1)[: options.worst]:
        print(f"{name:50} P {score.precision:.3f}  R {score.recall:.3f}  F1 {score.f1:.3f}")
    write_figures(options.json, {"webclean": means}, len(rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
