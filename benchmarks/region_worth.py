"""What each kind of region is worth on each corpus: word F1 of all kinds, less that without the kind.

usage: python benchmarks/region_worth.py DIR [--data DIR ...] [--every N]

DIR and the folders of `--data` hold labelled pages in a layout of `webclean learn`. A page is cleaned by the shipped
rules, and again without each kind that was found on it (`regions.kinds.NAME.points: 0`); on all other pages the kind
has no effect. Characters are compared where a language is written without spaces. The cards of blocks know these pages,
so the differences count and not the levels.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean

import checkout  # noqa: F401  webclean of this clone

import webclean
from webclean.compare.dataset import LabelledPage, read_corpora, score_subsequence, score_words
from webclean.learn.labels import UNSPACED
from webclean.page import CleanPage
from webclean.pipeline import Cleaner
from webclean.rules import load_rules


def score(found: CleanPage, page: LabelledPage) -> float:
    """F1 of what is kept."""
    return (score_subsequence if page.language in UNSPACED else score_words)(found.text, page.text).f1


def list_kinds(found: CleanPage) -> set[str]:
    """The kinds of the regions by which blocks of a page lost points."""
    told = [one for one in found.analysis.decisions.corrections if one.name == "regions"]
    return {one.tell(block).partition(":")[0] for one in told for block in one.points.nonzero()[0].tolist()}


def build_cleaners(folder: Path) -> dict[str, Cleaner]:
    """A cleaner without each kind, by its name. folder: for the rule files that leave one out."""
    cleaners = {}
    for kind in load_rules().regions.kinds:
        path = folder / f"{kind}.yaml"
        path.write_text(f"regions: {{kinds: {{{kind}: {{points: 0}}}}}}\n", encoding="utf-8")
        cleaners[kind] = Cleaner(rules=path, limits=webclean.Limits(max_seconds=600))
    return cleaners


def format_table(levels: Mapping[str, list[float]], gains: Mapping[str, Mapping[str, list[float]]]) -> Iterator[str]:
    """A Markdown table: a row for each kind, a column for each corpus; pages with the kind in brackets."""
    yield f"| kind | {' | '.join(levels)} |"
    yield "|---" * (len(levels) + 1) + "|"
    yield f"| F1 with all | {' | '.join(f'{fmean(own):.4f}' for own in levels.values())} |"
    for kind, by_corpus in gains.items():
        cells = [
            f"{sum(by_corpus[corpus]) / len(own):+.4f} ({len(by_corpus[corpus])})" for corpus, own in levels.items()
        ]
        yield f"| {kind} | {' | '.join(cells)} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", help="labelled pages")
    parser.add_argument("--data", action="append", default=[], metavar="DIR", help="a further corpus")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th page")
    args = parser.parse_args()
    levels: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as scratch:
        cleaners = build_cleaners(Path(scratch))
        gains = {kind: defaultdict[str, list[float]](list) for kind in cleaners}
        cleaner = Cleaner(limits=webclean.Limits(max_seconds=600))
        for page in list(read_corpora([args.folder, *args.data]))[:: args.every]:
            found = cleaner.clean(page.html, url=page.url or None)
            f1 = score(found, page)
            levels[page.corpus].append(f1)
            for kind in list_kinds(found):
                without = cleaners[kind].clean(page.html, url=page.url or None)
                gains[kind][page.corpus].append(f1 - score(without, page))
    for line in format_table(levels, gains):
        print(line)


if __name__ == "__main__":
    main()
