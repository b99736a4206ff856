"""What each reading of the patent, each of its signals and each of its handlers is worth.

usage: python benchmarks/readings.py --wcxb DIR --zh DIR [--every N] [--json F]
       python benchmarks/readings.py --portals DIR [--json F]       into how many blocks index pages fall

The method `patent` with one setting changed at a time: word F1 on every Nth page of WCXB, with the type that its tree
tells and with the labelled one, and F1 by the longest common subsequence on Chinese articles.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import checkout
from page_folders import read_folder

from webclean.compare.dataset import LabelledPage, score_subsequence, score_words
from webclean.packed import read_unpacked
from webclean.pipeline import Cleaner
from webclean.rules.files import write_yaml

VARIANTS: Final[dict[str, dict[str, Any]]] = {
    "as shipped": {},
    "without url": {"blocks": {"url": False}},
    "without tags": {"blocks": {"tags": False}},
    "without gain": {"blocks": {"gain": False}},
    "without visual": {"blocks": {"visual": False}},
    "without extension": {"extend": False},
    "without S302": {"gain_below": 0.001},
    "without the test of S303": {"link_block_ratio": 0.001},
    "without head and tail of S303": {"edge_chars": 0},
    "captions removed": {"keep_captions": False},
    "without S402": {"multi_block": {"text_by_links": False}},
    "A7 by the letter": {"index": {"both": True}},
}
"""Name -> what is changed of `methods.patent`."""


def measure(
    wcxb: Sequence[LabelledPage], zh: Sequence[LabelledPage], changes: dict[str, Any], folder: Path
) -> dict[str, float]:
    """F1 with the told type, the labelled one, content for every page, and on the Chinese articles."""
    file = folder / "rules.yaml"
    file.write_text(write_yaml({"methods": {"patent": changes}} if changes else {}), encoding="utf-8")
    cleaner = Cleaner(method="patent", rules=[file])

    def score(page: LabelledPage, **how: str) -> float:
        return score_words(cleaner.clean(page.html, url=page.url, **how).text, page.text).f1

    return {
        "tree": fmean(score(page) for page in wcxb),
        "labelled": fmean(score(page, page_subtype=page.page_type) for page in wcxb),
        "content": fmean(score(page, page_type="content") for page in wcxb),
        "zh": fmean(score_subsequence(cleaner.clean(page.html).text, page.text).f1 for page in zh),
    }


def measure_portals(folder: Path) -> dict[str, dict[str, float]]:
    """Page -> semantic blocks, those kept, and the share of its characters in them; told to be index pages.

    folder: pages named `index-*`; a front page of the fixtures is measured too.
    """
    cleaner = Cleaner(method="patent")
    front = checkout.CLONE / "fixtures" / "index" / "portal-en-front" / "input.html"
    found = {}
    for path in (*sorted(folder.glob("index-*")), front):
        name = path.parent.name if path == front else path.name.partition(".")[0]
        page = cleaner.clean(read_unpacked(path), page_type="index")
        columns, kept = page.analysis.columns.blocks, page.analysis.decisions.kept
        found[name] = {
            "blocks": len(page.blocks),
            "kept": sum(block.kept for block in page.blocks),
            "share": float(columns.n_chars[kept].sum() / columns.n_chars.sum()),
        }
    return found


def format_readings(found: dict[str, dict[str, float]]) -> str:
    """A Markdown table: a line for each variant or page."""
    names = list(next(iter(found.values())))
    lines = [f"| | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    lines += [f"| {name} | {' | '.join(f'{values[n]:.4f}' for n in names)} |" for name, values in found.items()]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wcxb", type=Path, metavar="DIR", help="pages with their subtype")
    parser.add_argument("--zh", type=Path, metavar="DIR", help="Chinese articles")
    parser.add_argument("--portals", type=Path, metavar="DIR", help="index pages, with no labels")
    parser.add_argument("--every", type=int, default=12, metavar="N", help="Nth page of WCXB (12)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the summary")
    options = parser.parse_args(arguments)
    if options.portals:
        found = measure_portals(options.portals)
        n_pages = len(found)
    elif options.wcxb and options.zh:
        wcxb, zh = list(read_folder(options.wcxb))[:: options.every], list(read_folder(options.zh))
        n_pages = len(wcxb) + len(zh)
        with tempfile.TemporaryDirectory() as folder:
            found = {name: measure(wcxb, zh, changes, Path(folder)) for name, changes in VARIANTS.items()}
    else:
        parser.error("--portals, or --wcxb and --zh")
    print(format_readings(found))
    if options.json:
        values = {"summary": found, "n_pages": n_pages}
        options.json.write_text(json.dumps(values, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
