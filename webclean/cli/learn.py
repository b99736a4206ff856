"""`webclean learn TARGET`: rules from labelled pages. What each target says and takes; `webclean.learn` does it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from webclean.cli.extras import require

Option = tuple[tuple[str, ...], Mapping[str, Any]]


def _option(flag: str, help_: str, metavar: str | None = None, type_: Any = None, **more: Any) -> Option:
    """An option of the parser. more: `dest` is the learner's name for it, where the command says it shorter."""
    given = {"metavar": metavar, "type": type_} if metavar else {}
    return tuple(flag.split(",")), {"help": help_, **given, **more}


def _read_weight(text: str) -> tuple[str, float]:
    from webclean.model import PageType  # noqa: PLC0415  only this option needs it

    name, _, weight = text.partition("=")
    if name not in list(PageType):
        raise argparse.ArgumentTypeError(f"no type {name!r}: one of {', '.join(PageType)}")
    return name, float(weight)


def _output(what: str, metavar: str = "FILE") -> Option:
    return _option("--output,-o", f"write {what}", metavar, Path)


_PAGES: Final = _option("--data", "the labelled pages", "DIR", Path, required=True)
_MARKED_PAGES: Final = _option("--data", "the marked pages", "DIR", Path, required=True)
_CORPORA: Final = _option(
    "--data", "labelled pages; may be given repeatedly", "DIR[:WEIGHT]", str, action="append", required=True
)
_LIMIT: Final = _option("--limit", "learn from about N pages, spread over the folder", "N", int)
_SHUFFLES: Final = _option("--shuffles", "cross-validations, each shuffled anew", "N", int, default=3)
_TREE: Final = (
    _option("--criterion", "ID3 or C4.5", choices=("gain", "gain_ratio")),
    _option("--depth", "tests on the longest path of the tree", "N", int, dest="max_depth"),
    _option("--min-leaf", "examples at a leaf of the tree", "N", int),
    _option("--prune", "confidence of pruning, 0..0.5: less prunes more", "C", float, dest="confidence"),
)
"""How a tree is grown; what is not given is as the target has it."""
_WEIGHT_HELP: Final = """\
weight of a type's pages; those not named weigh 1 (default: index=2, multi_block=3, no_feature=5)"""


@dataclass(frozen=True, slots=True)
class Target:
    """One target. learner: `MODULE:FUNCTION` of `webclean.learn`, which is given the options by their names and
    `fixed`, and gives a `Learnt`. needs: packages of the extra `learn`. writes_folder: several files.
    """

    summary: str
    learner: str
    options: tuple[Option, ...]
    description: str
    examples: str | None = None
    needs: tuple[str, ...] = ("sklearn",)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    writes_folder: bool = False


def _make_field_target(summary: str, *fields: str) -> Target:
    return Target(
        summary=summary,
        learner="fields:learn_fields",
        options=(_PAGES, _output("the cards into this rule file"), _LIMIT),
        description="""Learn how much each feature is worth for a field, and print the scores of cross-validation
by site and the features in order of their influence. DIR holds html/ID.html.gz and ground-truth/ID.json.
The same data give the same card.""",
        examples="""examples:
  webclean learn title --data pages/
  webclean learn author --data pages/ --output my-rules/author_card.yaml
  webclean learn fields --data pages/ --output my-rules/fields_cards.yaml
""",
        needs=("scipy",),
        fixed={"fields": fields},
    )


TARGETS: Final[Mapping[str, Target]] = {
    **{field: _make_field_target(f"the card of the {field}", field) for field in ("title", "date", "author")},
    "fields": _make_field_target("the cards of title, date and author, into one file", "title", "date", "author"),
    "page-type": Target(
        summary="the page-type card",
        learner="page_types:learn_page_types",
        options=(
            _CORPORA,
            _output("the rules here"),
            _option("--words", "words of the card", "N", int, dest="n_words"),
            _option("--marked", "home pages whose blocks are marked, as `learn roles` reads them", "DIR", Path),
        ),
        description="""\
Learn what tells page types apart and write it as YAML (section page_type): an additive card for the
subtypes. Prints the scores of cross-validation by site on the first corpus, which has pages of all types, and on each
further one by the card learnt without it. DIR holds html/ID.html.gz and ground-truth/ID.json or truth/ID.json.""",
        examples="""examples:
  webclean learn page-type --data pages/ --output my-rules/page_type.yaml
  webclean learn page-type --data pages/ --data news/ --marked home-pages/ --output my-rules/page_type.yaml
""",
    ),
    "page-type-tree": Target(
        summary="the patent's tree of page types",
        learner="page_types:learn_page_type_tree",
        options=(
            _CORPORA,
            _output("the rules here"),
            *_TREE,
            _option("--weight", _WEIGHT_HELP, "TYPE=W", _read_weight, action="append"),
        ),
        description="""Learn the patent's decision tree, ID3 over its 13 attributes, for the four types of page, and
write it as YAML (section page_type.patent). Prints the scores of cross-validation by site.""",
        examples="""examples:
  webclean learn page-type-tree --data pages/ --output my-rules/page_type_tree.yaml
  webclean learn page-type-tree --data pages/ --criterion gain_ratio        only the scores
""",
    ),
    "roles": Target(
        summary="the role card of semantic blocks",
        learner="segment_cards:learn_roles",
        options=(
            _MARKED_PAGES,
            _output("the card here"),
            _option("--bins", "bins of each measure", "N", int, default=3, dest="n_bins"),
            _option("--strength", "inverse of the L2 penalty", "X", float, default=0.03),
            _option("--balance", "0: marks by their text, 1: all alike", "X", float, default=0.5),
            _SHUFFLES,
        ),
        description="""\
Learn the points that give a semantic block its role and write them as YAML (section roles). DIR holds
pages, *.html or *.html.gz, whose elements are marked with data-block and data-block-type. Prints how the blocks agree
with the marks, by cross-validation by site: BCubed F1, roles by type of mark and their mean, what is rightly kept.""",
    ),
    "scorecard": Target(
        summary="the cards that decide blocks, and points of words",
        learner="block_cards:learn_block_cards",
        options=(
            _CORPORA,
            _output("the rules into this folder", "DIR"),
            _LIMIT,
            _option("--min-sites", "sites that must use a word", "N", int, default=4),
            _option("--worst", "list the N pages with the lowest F1", "N", int, default=20),
            _option(
                "--no-scores", "write the cards without cross-validating them", dest="scored", action="store_false"
            ),
            _option("--quiet,-q", "no progress on stderr", action="store_true"),
        ),
        description="""Learn which text blocks belong to the main content and write it as YAML: score_card.yaml,
article_card.yaml, second_card.yaml, plain_card.yaml, word_points.yaml and confidence.yaml. Prints the scores of
cross-validation by site, overall, by page type and language, where F1 is lost, the worst pages, and what each feature
adds; of several corpora also the scores of each one when it is left out. DIR holds html/ID.html.gz and
ground-truth/ID.json or truth/ID.json. The first DIR is the one that has every page type. The same data give the same
files.""",
        examples="""examples:
  webclean learn scorecard --data pages/ --output my-rules/
  webclean learn scorecard --data pages/ --limit 300        only the scores, of every n-th page
  webclean learn scorecard --data pages/ --data news/:0.5   two corpora, a page of the second counts half
""",
        needs=("scipy", "sklearn"),
        writes_folder=True,
    ),
    "splits": Target(
        summary="the card that divides a page into blocks",
        learner="segment_cards:learn_splits",
        options=(
            _MARKED_PAGES,
            _output("the card here"),
            _option("--bins", "bins of each measure", "N", int, default=6, dest="n_bins"),
            _SHUFFLES,
        ),
        description="""Learn the points by which a part of a page is split into smaller blocks and write them as YAML
(section splits). DIR holds pages, *.html or *.html.gz, whose elements are marked with data-block and data-block-type.
Prints BCubed F1 of the blocks, by cross-validation by site.""",
        examples="""example:
  webclean learn splits --data marked-pages/ -o splits.yaml
  webclean blocks page.html --rules splits.yaml""",
    ),
    "sections": Target(
        summary="the card of the sections of a page",
        learner="section_card:learn_sections",
        options=(
            _MARKED_PAGES,
            _output("the card here"),
            _option("--bins", "bins of each measure", "N", int, default=10, dest="n_bins"),
            _SHUFFLES,
        ),
        description="""Learn the points by which people name a part of a page and write them as YAML (card sections).
DIR holds pages as for `learn splits`; of marks within marks all count. Prints the share of marks that a block or a
section equals (IoU of characters of .75 or more) and how many of these there are for each mark, by cross-validation by
site.""",
        examples="""example:
  webclean learn sections --data marked-pages/ -o sections.yaml
  webclean blocks page.html --rules sections.yaml""",
    ),
    "title-tree": Target(
        summary="the tree that finds titles",
        learner="title_tree:learn_titles",
        options=(_PAGES, _output("the rules here"), _LIMIT, *_TREE),
        description="""Learn the decision tree that marks which text of a page is its title, C4.5 over its similarity to
<title>, length, position, tag and looks, and print the scores of cross-validation by site. It finds titles where the
rules say `fields: {title: {method: tree}}`. DIR holds html/ID.html.gz and ground-truth/ID.json.""",
        examples="""examples:
  webclean learn title-tree --data pages/ --output my-rules/title_tree.yaml
""",
        needs=("scipy",),
    ),
}
"""By name, in the order in which `--help` lists them."""


def add_parser(commands: Any) -> None:
    """Add this command and its targets."""
    parser = commands.add_parser("learn", help="learn rules from labelled pages and write them as YAML")
    targets = parser.add_subparsers(metavar="TARGET", required=True)
    for name, target in TARGETS.items():
        own = targets.add_parser(name, help=target.summary, description=target.description, epilog=target.examples)
        dests = [own.add_argument(*flags, **said).dest for flags, said in target.options]
        own.set_defaults(run=run, target=target, given=[dest for dest in dests if dest != "output"])


def run(args: argparse.Namespace) -> int:
    """Learn, print the scores and write."""
    target: Target = args.target
    require("learning", *target.needs)
    module, _, function = target.learner.partition(":")
    if args.output and target.writes_folder:
        args.output.mkdir(parents=True, exist_ok=True)  # now: learning takes long, and a folder may be forbidden
    learn = getattr(import_module(f"webclean.learn.{module}"), function)
    learnt = learn(**{name: getattr(args, name) for name in args.given}, **target.fixed)
    if learnt.report:
        print(learnt.report)
    for path in learnt.save(args.output) if args.output else ():
        print(f"wrote {path}")
    return 0
