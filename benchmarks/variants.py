"""What single rules are worth: the same labelled pages cleaned with the shipped rules and with variants of them.

usage: python benchmarks/variants.py STUDY DIR... [--every N] [--json FILE]

Rules are learnt from most of these pages, so differences count and not levels. `variants.yaml` has the variants of:

signals     DIR of marked blocks, DIR of labelled pages: BCubed F1 of blocks, word F1 of listings and collections
readings    DIR of WCXB, DIR of Chinese articles: F1 of the method `patent`, with the type that its tree tells, the
            labelled one, and content for every page; F1 by the longest common subsequence on the Chinese articles

Made of the shipped rules, over one or several DIRs of labelled pages; beside the F1 of each stand the numbers of pages
that gain and lose more than .005 by the change:

platforms   without the rules of platforms
profiles    each profile instead of the balanced one

portals     DIR of index pages without labels: into how many blocks they fall, told to be an index
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import checkout
import yaml
from harness import Summary, build_cleaner, format_by_system, make_parser, write_figures
from page_folders import read_folder
from quality import score_text

from webclean.laboratory.marked_pages import read_marked_pages, score_cells
from webclean.pipeline import Cleaner
from webclean.storage import read_unpacked
from webclean.workbench.labelled_pages import LabelledPage, score_subsequence

CHANGED: Final = 0.005
"""F1 that a page must differ by to be counted as changed."""
PROFILES: Final = ("balanced", "precision", "recall", "corpus", "mobile", "index")


def read_variants(study: str) -> dict[str, dict[str, Any]]:
    """Name -> changes of the rules."""
    found: dict[str, dict[str, Any]] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    return found[study]


def clean_and_score(cleaner: Cleaner, page: LabelledPage, **told: str) -> float:
    """F1 of the text; told: of the page's type."""
    return score_text(cleaner.clean(page.html, url=page.url or None, **told).text, page).f1


def measure_signals(folders: Sequence[Path], every: int) -> Summary:
    """BCubed F1 of the blocks and word F1 of index pages, for each signal switched off or into the cut."""
    marked, labelled = folders
    pages = list(read_folder(labelled))[::every]
    found = {}
    for name, changes in read_variants("signals").items():
        cleaner = build_cleaner(changes)
        found[name] = {"BCubed F1": fmean(score_cells(page).f1 for page in read_marked_pages(marked, cleaner.rules))}
        for kind in ("collection", "listing"):
            found[name][kind] = fmean(clean_and_score(cleaner, page) for page in pages if page.page_type == kind)
    return found


def measure_readings(folders: Sequence[Path], every: int) -> Summary:
    """F1 of the method `patent`, for each of its settings changed."""
    wcxb, zh = list(read_folder(folders[0]))[::every], list(read_folder(folders[1]))
    found = {}
    for name, changes in read_variants("readings").items():
        cleaner = build_cleaner(changes, method="patent")
        found[name] = {
            "tree": fmean(clean_and_score(cleaner, page) for page in wcxb),
            "labelled": fmean(clean_and_score(cleaner, page, page_subtype=page.page_type) for page in wcxb),
            "content": fmean(clean_and_score(cleaner, page, page_type="content") for page in wcxb),
            "zh": fmean(score_subsequence(cleaner.clean(page.html).text, page.text).f1 for page in zh),
        }
    return found


def measure_portals(folders: Sequence[Path], every: int) -> Summary:
    """Page -> semantic blocks, those kept and the share of its characters in them, also of a front page of fixtures."""
    cleaner = Cleaner(method="patent")
    front = checkout.CLONE / "fixtures" / "index" / "portal-en-front" / "input.html"
    found = {}
    for path in (*sorted(folders[0].glob("index-*"))[::every], front):
        page = cleaner.clean(read_unpacked(path), page_type="index")
        columns, kept = page.analysis.columns.blocks, page.analysis.decisions.kept
        found[path.parent.name if path == front else path.name.partition(".")[0]] = {
            "blocks": len(page.blocks),
            "kept": sum(block.kept for block in page.blocks),
            "share": float(columns.n_chars[kept].sum() / columns.n_chars.sum()),
        }
    return found


def compare_variants(cleaners: Mapping[str, Cleaner]) -> Callable[[Sequence[Path], int], Summary]:
    """A study of F1 by corpus, with the pages that gain and lose beside the first cleaner."""

    def measure(folders: Sequence[Path], every: int) -> Summary:
        found: dict[str, dict[str, float]] = {name: {} for name in cleaners}
        for folder in folders:
            pages = list(read_folder(folder))[::every]
            scores = {name: [clean_and_score(own, page) for page in pages] for name, own in cleaners.items()}
            first = next(iter(scores.values()))
            for name, own in scores.items():
                gains = [after - before for after, before in zip(own, first, strict=True)]
                found[name][folder.name] = fmean(own)
                found[name][f"{folder.name} gain"] = sum(gain > CHANGED for gain in gains)
                found[name][f"{folder.name} lose"] = sum(gain < -CHANGED for gain in gains)
        return found

    return measure


STUDIES: Final[dict[str, Callable[[], Callable[[Sequence[Path], int], Summary]]]] = {
    "signals": lambda: measure_signals,
    "readings": lambda: measure_readings,
    "portals": lambda: measure_portals,
    "platforms": lambda: compare_variants(
        {"as shipped": build_cleaner({}), "without platforms": build_cleaner({}, platforms=False)}
    ),
    "profiles": lambda: compare_variants({name: build_cleaner({}, profile=name) for name in PROFILES}),
}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = make_parser(__doc__, json_file=True)
    parser.add_argument("study", choices=STUDIES)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th page")
    options = parser.parse_args(arguments)
    found = STUDIES[options.study]()(options.folders, options.every)
    print(format_by_system(found))
    write_figures(options.json, found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
