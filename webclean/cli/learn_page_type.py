"""`webclean learn page-type` and `page-type-tree`: the page-type card and the patent's tree from labelled pages."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webclean.cli.extras import require
from webclean.model import PageType
from webclean.rules import load_rules

if TYPE_CHECKING:
    from webclean.learn.page_type import Examples

_DESCRIPTION = """Learn what tells page types apart and write it as YAML (section page_type): an additive card for the
subtypes. Prints the scores of cross-validation by site on the first corpus, which has pages of all types, and on each
further one by the card learnt without it. DIR holds html/ID.html.gz and ground-truth/ID.json or truth/ID.json."""
_TREE_DESCRIPTION = """Learn the patent's decision tree, ID3 over its 13 attributes, for the four types of page, and
write it as YAML (section page_type.patent). Prints the scores of cross-validation by site."""

_EXAMPLES = """examples:
  webclean learn page-type --data pages/ --output my-rules/page_type.yaml
  webclean learn page-type --data pages/ --data news/ --marked home-pages/ --output my-rules/page_type.yaml
"""
_TREE_EXAMPLES = """examples:
  webclean learn page-type-tree --data pages/ --output my-rules/page_type_tree.yaml
  webclean learn page-type-tree --data pages/ --criterion gain_ratio        only the scores
"""


def add_parser(targets: Any) -> None:
    """Add both targets."""
    card = targets.add_parser("page-type", help="the page-type card", description=_DESCRIPTION, epilog=_EXAMPLES)
    _add_common(card)
    card.add_argument("--words", type=int, metavar="N", help="words of the card")
    card.add_argument(
        "--marked", type=Path, metavar="DIR", help="home pages whose blocks are marked, as `learn roles` reads them"
    )
    card.set_defaults(run=run)
    tree = targets.add_parser(
        "page-type-tree",
        help="the patent's tree of page types",
        description=_TREE_DESCRIPTION,
        epilog=_TREE_EXAMPLES,
    )
    _add_common(tree)
    add_tree_options(tree)
    tree.add_argument(
        "--weight",
        type=_read_weight,
        action="append",
        metavar="TYPE=W",
        help="weight of a type's pages; those not named weigh 1 (default: index=2, multi_block=3, no_feature=5)",
    )
    tree.set_defaults(run=run_tree)


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", action="append", required=True, metavar="DIR[:WEIGHT]", help="labelled pages; may be given repeatedly"
    )
    parser.add_argument("--output", "-o", type=Path, metavar="FILE", help="write the rules here")


def add_tree_options(parser: argparse.ArgumentParser) -> None:
    """How a tree is grown; what is not given is as the target has it."""
    parser.add_argument("--criterion", choices=("gain", "gain_ratio"), help="ID3 or C4.5")
    parser.add_argument("--depth", type=int, metavar="N", help="tests on the longest path of the tree")
    parser.add_argument("--min-leaf", type=int, metavar="N", help="examples at a leaf of the tree")
    parser.add_argument("--prune", type=float, metavar="C", help="confidence of pruning, 0..0.5: less prunes more")


def read_tree_options(args: argparse.Namespace) -> dict[str, Any]:
    """The settings of a tree that were given."""
    names = {"criterion": "criterion", "depth": "max_depth", "min_leaf": "min_leaf", "prune": "confidence"}
    given = {setting: getattr(args, name) for name, setting in names.items()}
    return {setting: value for setting, value in given.items() if value is not None}


def _read_weight(text: str) -> tuple[str, float]:
    name, _, weight = text.partition("=")
    if name not in list(PageType):
        raise argparse.ArgumentTypeError(f"no type {name!r}: one of {', '.join(PageType)}")
    return name, float(weight)


def run(args: argparse.Namespace) -> int:
    """Learn the card, score and write."""
    examples = _read_examples(args, args.marked)
    from webclean.learn.page_type_card import CardSettings  # noqa: PLC0415  an extra
    from webclean.learn.page_type_report import (  # noqa: PLC0415
        format_card_rules,
        format_type_scores,
        learn_card,
        score_card,
    )

    card = CardSettings(n_words=args.words) if args.words else CardSettings()
    scores = score_card(examples, load_rules(), card)
    print(format_type_scores(scores))
    if args.output:
        args.output.write_text(format_card_rules(learn_card(examples, card), scores), encoding="utf-8")
        print(f"wrote {args.output}")
    return 0


def run_tree(args: argparse.Namespace) -> int:
    """Learn the tree, score and write."""
    examples = _read_examples(args)
    from webclean.learn.page_type import PATENT_TREE  # noqa: PLC0415  an extra
    from webclean.learn.page_type_report import (  # noqa: PLC0415
        format_tree_rules,
        format_type_scores,
        learn_tree_of_types,
        score_tree,
    )

    tree = replace(PATENT_TREE, **read_tree_options(args))
    if args.weight:
        tree = replace(tree, class_weight=dict(args.weight))
    scores = score_tree(examples, load_rules(), tree)
    print(format_type_scores(scores))
    if args.output:
        learnt = learn_tree_of_types(examples, load_rules(), tree)
        args.output.write_text(format_tree_rules(learnt, scores), encoding="utf-8")
        print(f"wrote {args.output}")
    return 0


def _read_examples(args: argparse.Namespace, marked: Path | None = None) -> Examples:
    """The labelled pages, and the home pages of a folder of marked ones, measured."""
    require("learning", "sklearn")
    from webclean.compare.dataset import read_corpora  # noqa: PLC0415  an extra, like the above
    from webclean.learn.home_pages import read_home_pages  # noqa: PLC0415
    from webclean.learn.page_type import collect_examples  # noqa: PLC0415

    pages, rules = list(read_corpora(args.data)), load_rules()
    return collect_examples([*pages, *(read_home_pages(marked, rules) if marked else ())], rules)
