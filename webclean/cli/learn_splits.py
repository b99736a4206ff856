"""`webclean learn splits`: the card that divides a page into semantic blocks, from marked pages."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from webclean.cli.extras import require
from webclean.rules import load_rules

_DESCRIPTION = """Learn the points by which a part of a page is split into smaller blocks and write them as YAML
(section splits). DIR holds pages, *.html or *.html.gz, whose elements are marked with data-block and data-block-type.
Prints BCubed F1 of the blocks, by cross-validation by site."""
_EXAMPLES = """example:
  webclean learn splits --data marked-pages/ -o splits.yaml
  webclean blocks page.html --rules splits.yaml"""


def add_parser(targets: Any) -> None:
    """Add this target."""
    parser = targets.add_parser(
        "splits",
        help="the card that divides a page into blocks",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
    )
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the marked pages")
    parser.add_argument("--output", "-o", type=Path, metavar="FILE", help="write the card here")
    parser.add_argument("--bins", type=int, default=6, metavar="N", help="bins of each measure")
    parser.add_argument("--shuffles", type=int, default=3, metavar="N", help="cross-validations, each shuffled anew")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Learn, score and write."""
    require("learning", "sklearn")
    from webclean.learn import splits  # noqa: PLC0415  an extra, like the above
    from webclean.learn.marked_pages import measure_bcubed, read_marked_pages  # noqa: PLC0415

    rules = load_rules()
    pages = list(read_marked_pages(args.data, rules))
    settings = splits.SplitSettings(n_bins=args.bins)
    print(f"{len(pages)} pages")
    print(f"blocks of the rules    BCubed F1 {sum(map(measure_bcubed, pages)) / len(pages):.4f}")
    unseen = [splits.score_unseen_splits(pages, rules, settings, seed) for seed in range(args.shuffles)]
    means = [sum(scores.values()) / len(scores) for scores in unseen]
    for mean in means:
        print(f"unseen sites           BCubed F1 {mean:.4f}")
    mean = sum(means) / len(means)
    print(f"unseen sites, mean     BCubed F1 {mean:.4f}")
    if args.output:
        names = splits.list_node_features(rules)
        cases = [splits.list_split_cases(page, names) for page in pages]
        card = splits.fit_splits(cases, names, settings, rules.splits)
        note = f"From {len(pages)} marked pages; BCubed F1 of the blocks of unseen sites {mean:.3f}."
        args.output.write_text(splits.format_splits(card, note), encoding="utf-8")
        print(f"wrote {args.output}")
    return 0
