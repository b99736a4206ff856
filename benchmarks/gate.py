"""Hold the pinned floors of quality: nothing that was reached is lost unseen.

usage: python benchmarks/gate.py [--data DIR] [--raise | --repin]

floors.yaml has one entry for each corpus that was ever pinned: the hash of its pages and labels, and the lowest value
each measure may have. The gate fails when a value is below its floor, and when the corpus is not the pinned one.
`--raise` lifts floors to what is reached now and never lowers one; `--repin` accepts the corpus as it is now, with the
floors it had. To lower a floor is a change of floors.yaml by hand, seen in review.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from harness import make_parser
from page_folders import FIXTURES, Layout, find_layout, hash_pages, read_folder
from quality import Row, score_pages, summarise_rows

FLOORS = Path(__file__).resolve().parent / "floors.yaml"
SLACK = 0.002
"""A floor is pinned this far below what was measured: another release of the parser may move a word or two."""
PAGE_SLACK = 0.03
"""The same for the F1 of a single page: a card that is better on the whole may be a little worse on one page."""
TRADED = ("precision", "recall")
"""Held through F1: either may go down where the other gains more."""
MIN_PAGES = 20
"""F1 of a page type has a floor when the corpus has so many pages of it."""
HEADER = """# Floors of quality, by corpus. Written by `python benchmarks/gate.py --raise`, which never lowers one.
# corpus: hash of pages and labels. floors: means over all pages. pages: F1 of single pages (fixtures only).
"""


@dataclass(slots=True)
class Pinned:
    """What is pinned of one corpus."""

    corpus: str = ""
    n_pages: int = 0
    floors: dict[str, float] = field(default_factory=dict)
    pages: dict[str, float] = field(default_factory=dict)


def read_floors(path: Path = FLOORS) -> dict[str, Pinned]:
    """Pinned corpora by layout."""
    values: dict[str, dict[str, Any]] = yaml.safe_load(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {name: Pinned(**entry) for name, entry in (values or {}).items()}


def write_floors(pinned: dict[str, Pinned], path: Path = FLOORS) -> None:
    """Write the file anew."""
    values = {}
    for name, entry in sorted(pinned.items()):
        values[name] = {"corpus": entry.corpus, "n_pages": entry.n_pages, "floors": entry.floors}
        if entry.pages:
            values[name]["pages"] = dict(sorted(entry.pages.items()))
    path.write_text(HEADER + yaml.safe_dump(values, sort_keys=False), encoding="utf-8")


def find_faults(pinned: Pinned, summary: dict[str, float], rows: Sequence[Row], corpus: str) -> list[str]:
    """What does not hold, one sentence each."""
    faults = [f"{row.id}: {row.error}" for row in rows if row.error]
    if pinned.corpus != corpus:
        faults.append(f"the corpus is {corpus}, not the pinned {pinned.corpus or '(none)'}: look at it, then --repin")
    for name, floor in pinned.floors.items():
        if summary.get(name, 0.0) < floor:
            faults.append(f"{name} is {summary.get(name, 0.0):.4f}, below the floor of {floor}")
    reached = {row.id: row.f1 for row in rows}
    for name, floor in pinned.pages.items():
        if name in reached and reached[name] < floor:
            faults.append(f"{name}: F1 {reached[name]:.3f}, below the floor of {floor}")
    return faults


def raise_floors(pinned: Pinned, summary: dict[str, float], rows: Sequence[Row], *, each_page: bool) -> None:
    """Lift each floor to what is reached, less the slack; add floors that are missing."""
    n_pages = Counter(f"f1/{row.page_type}" for row in rows)
    for name, value in summary.items():
        if name in TRADED or (name in n_pages and n_pages[name] < MIN_PAGES):
            continue
        pinned.floors[name] = max(pinned.floors.get(name, 0.0), _round_down(value - SLACK))
    for row in rows if each_page else ():
        pinned.pages[row.id] = max(pinned.pages.get(row.id, 0.0), _round_down(row.f1 - PAGE_SLACK))


def _round_down(value: float) -> float:
    return max(0.0, math.floor(1000 * value) / 1000)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, default=FIXTURES, metavar="DIR", help="labelled pages (fixtures/)")
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--raise", action="store_true", dest="lift", help="lift floors to what is reached now")
    action.add_argument("--repin", action="store_true", help="accept the corpus as it is now")
    options = parser.parse_args(arguments)
    layout = find_layout(options.data)
    pages = list(read_folder(options.data))
    corpus = hash_pages(pages)
    rows = score_pages(["webclean"], layout, pages)
    summary = summarise_rows(rows)
    floors = read_floors()
    pinned = floors.setdefault(layout.value, Pinned())
    if options.repin or (options.lift and not pinned.corpus):
        known = {page.id for page in pages}
        pinned.pages = {name: floor for name, floor in pinned.pages.items() if name in known}
        pinned.corpus, pinned.n_pages = corpus, len(pages)
    faults = find_faults(pinned, summary, rows, corpus)
    if (options.lift or options.repin) and not faults:
        if options.lift:
            raise_floors(pinned, summary, rows, each_page=layout is Layout.FIXTURES)
        write_floors(floors)
    print(f"{layout} {corpus}: {len(pages)} pages  " + "  ".join(f"{k} {v:.3f}" for k, v in summary.items()))
    for fault in faults:
        print(f"FAULT {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
