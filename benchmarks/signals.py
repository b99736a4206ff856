"""What each of the four signals is worth: each switched off, and switched on in the cut, with all else as shipped.

usage: python benchmarks/signals.py [--blocks DIR] [--pages DIR] [--json FILE]

--blocks: pages with marked blocks, for BCubed F1 of the blocks. --pages: labelled pages in a layout of `quality.py`,
for word F1 of listing and collection pages.
"""

from __future__ import annotations

import argparse
import gzip
import json
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import checkout  # noqa: F401  webclean of this clone
from page_folders import read_folder
from scores import average
from segments import score_page

import webclean
from webclean.compare.dataset import score_words

VARIANTS: Final = {
    "as shipped": "{}",
    "URL structure off": "{importance: {regularity: 0, markers: 0}}",
    "URL structure also in the cut": "{cut: {url: true}}",
    "tag sequence off": "{records: {min_units: 100000}}",
    "tag sequence also in the cut": "{cut: {tags: true}}",
    "visual off": "{cut: {visual: false}}",
    "gain in the cut": "{cut: {gain: true}}",
    "all in the cut": "{cut: {url: true, tags: true, gain: true}}",
}
"""Name -> section `segments` of a rule file."""

KINDS: Final = ("listing", "collection")


def build_cleaner(name: str, section: str, folder: Path) -> webclean.Cleaner:
    """A cleaner with a rule file over the shipped rules."""
    path = folder / f"{name.replace(' ', '-')}.yaml"
    path.write_text(f"segments: {section}\n", encoding="utf-8")
    return webclean.Cleaner(rules=path, limits=webclean.Limits(max_seconds=600))


def measure_blocks(folder: Path, cleaner: webclean.Cleaner) -> float:
    """BCubed F1, mean over pages."""
    paths = sorted((*folder.glob("*.html.gz"), *folder.glob("*.html")))
    pages = (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes() for path in paths)
    return average(score.f1 for html in pages if (score := score_page(html, cleaner))) or 0.0


def measure_text(folder: Path, cleaner: webclean.Cleaner) -> dict[str, float]:
    """Word F1 by type of page."""
    found: dict[str, list[float]] = defaultdict(list)
    for page in read_folder(folder):
        if page.page_type in KINDS:
            text = cleaner.clean(page.html, url=page.url).text
            found[page.page_type].append(score_words(text, page.text).f1)
    return {kind: average(scores) or 0.0 for kind, scores in found.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=Path, metavar="DIR")
    parser.add_argument("--pages", type=Path, metavar="DIR")
    parser.add_argument("--json", type=Path, metavar="FILE", help="the same figures")
    options = parser.parse_args(arguments)
    summary: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, section in VARIANTS.items():
            cleaner = build_cleaner(name, section, Path(folder))
            found = {"BCubed F1": measure_blocks(options.blocks, cleaner)} if options.blocks else {}
            if options.pages:
                found |= dict(sorted(measure_text(options.pages, cleaner).items()))
            print("  ".join([f"{name:32}", *(f"{measure} {f1:.4f}" for measure, f1 in found.items())]), flush=True)
            summary[name] = found
    if options.json:
        options.json.write_text(json.dumps({"summary": summary}, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
