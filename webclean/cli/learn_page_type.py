"""`webclean learn page-type`: the page-type card and the patent's tree from labelled pages."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from webclean.errors import InputError
from webclean.model import PageType
from webclean.rules import load_rules

_DESCRIPTION = """Learn what tells page types apart and write it as YAML (section page_type): an additive card for the
subtypes and the patent's decision tree, ID3 over its 13 attributes, for the four types. Prints the scores of
cross-validation by site. DIR holds html/ID.html.gz and ground-truth/ID.json."""

_EXAMPLES = """examples:
  webclean learn page-type --data pages/ --output my-rules/page_type.yaml
  webclean learn page-type --data pages/ --criterion gain_ratio        only the scores
"""


def add_parser(targets: Any) -> None:
    """Add this target."""
    parser = targets.add_parser(
        "page-type", help="the page-type card and the patent's tree", description=_DESCRIPTION, epilog=_EXAMPLES
    )
    parser.add_argument(
        "--data", action="append", required=True, metavar="DIR[:WEIGHT]", help="labelled pages; may be given repeatedly"
    )
    parser.add_argument("--output", "-o", type=Path, metavar="FILE", help="write the rules here")
    parser.add_argument("--words", type=int, metavar="N", help="words of the card")
    parser.add_argument("--criterion", choices=("gain", "gain_ratio"), default="gain", help="of the tree: ID3 or C4.5")
    parser.add_argument("--depth", type=int, default=6, metavar="N", help="tests on the longest path of the tree")
    parser.add_argument("--min-leaf", type=int, default=10, metavar="N", help="pages at a leaf of the tree")
    parser.add_argument(
        "--prune",
        type=float,
        default=0.1,
        metavar="C",
        help="confidence of the tree's pruning, 0..0.5: less prunes more",
    )
    parser.add_argument(
        "--weight",
        type=_read_weight,
        action="append",
        default=[],
        metavar="TYPE=W",
        help="weight of a type's pages in the tree, such as index=3 (default: 1)",
    )
    parser.set_defaults(run=run)


def _read_weight(text: str) -> tuple[str, float]:
    name, _, weight = text.partition("=")
    if name not in list(PageType):
        raise argparse.ArgumentTypeError(f"no type {name!r}: one of {', '.join(PageType)}")
    return name, float(weight)


def run(args: argparse.Namespace) -> int:
    """Learn, score and write."""
    try:
        import sklearn  # noqa: F401, PLC0415  named here so that the message can say what to install
    except ImportError as error:
        raise InputError("learning needs scikit-learn: pip install 'webclean[learn]'") from error
    from webclean.corpora.dataset import read_corpora  # noqa: PLC0415  an extra, like the above
    from webclean.learn.page_type import collect_examples  # noqa: PLC0415
    from webclean.learn.page_type_card import CardSettings  # noqa: PLC0415
    from webclean.learn.page_type_report import format_rules, format_type_scores, learn_rules, score_rules  # noqa: PLC0415
    from webclean.learn.tree import TreeSettings  # noqa: PLC0415

    rules = load_rules()
    examples = collect_examples(read_corpora(args.data), rules)
    card = CardSettings(n_words=args.words) if args.words else CardSettings()
    tree = TreeSettings(
        args.criterion,
        max_depth=args.depth,
        min_leaf=args.min_leaf,
        confidence=args.prune,
        class_weight=dict(args.weight),
    )
    scores = score_rules(examples, rules, card, tree)
    print(format_type_scores(scores))
    if args.output:
        args.output.write_text(format_rules(learn_rules(examples, rules, card, tree), scores), encoding="utf-8")
        print(f"wrote {args.output}")
    return 0
