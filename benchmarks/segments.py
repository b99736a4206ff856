"""Score semantic blocks against pages whose blocks people marked (Kreuzer, Hage & Feelders, 2015).

usage: python benchmarks/segments.py --data DIR [--worst N]               with the shipped cards, which learnt from DIR
       python benchmarks/segments.py --data DIR --unseen [--json FILE]    with cards that have not seen a page's site

DIR holds *.html or *.html.gz whose elements carry `data-block` attributes; the marks are taken out before a page is
cleaned (`laboratory.marked_pages`). BCubed weighs characters: precision, the share of a found block that is of one
marked block; recall, the share of a marked block that is in one found block.

With --unseen the cards of splits and of sections are learnt anew in each of ten folds by site, three times; of sections
it says which share of all marks, large and small, a block or a section equals, and how many of these there are a mark.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from harness import make_parser, write_figures
from quality import average

from webclean.laboratory.marked_pages import read_marked_pages, score_cells
from webclean.laboratory.segment_cards import score_unseen_sections, score_unseen_splits, summarise
from webclean.rules import load_rules
from webclean.workbench.labelled_pages import Score

_SHUFFLES: Final = 3


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__, json_file=True)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="pages with marked blocks")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="also list the N pages of lowest F1")
    parser.add_argument(
        "--unseen", action="store_true", help="cross-validated: the only figures that say how good it is"
    )
    options = parser.parse_args(arguments)
    rules = load_rules()
    pages = list(read_marked_pages(options.data, rules))
    if options.unseen:
        rows = [
            (score_unseen_splits(pages, rules, seed), *summarise(score_unseen_sections(pages, rules, seed)))
            for seed in range(_SHUFFLES)
        ]
        f1, found, nodes, _ = (sum(values) / len(rows) for values in zip(*rows, strict=True))
        means = {"f1": f1, "found": found, "nodes": nodes}
        told = f"BCubed F1 {f1:.3f}  marks found {found:.3f} at {nodes:.2f} blocks and sections a mark"
    else:
        scores = [(score_cells(page), page.name) for page in pages]
        means = {part: average(getattr(score, part) for score, _ in scores) or 0.0 for part in Score._fields}
        told = "BCubed " + "  ".join(f"{part} {value:.3f}" for part, value in means.items())
        for score, name in sorted(scores, key=lambda row: row[0].f1)[: options.worst]:
            print(f"{name:50} P {score.precision:.3f}  R {score.recall:.3f}  F1 {score.f1:.3f}")
    print(f"{len(pages)} pages  {told}")
    write_figures(options.json, {"webclean": means}, len(pages))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
